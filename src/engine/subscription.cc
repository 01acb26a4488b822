#include "engine/subscription.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/stream_read.h"

namespace trestle::engine {

Result<std::unique_ptr<Subscription>> Subscription::Open(const storage::Store& store,
                                                         const Catalog& catalog,
                                                         const SubscribeRequest& request) {
  StreamPosition position;
  if (request.position) {
    position = *request.position;
  } else {
    const std::shared_ptr<const TableSchema> table = catalog.Find(request.table);
    if (!table || !table->stream || !table->stream->is_enabled) {
      return Error(ErrorCode::kResourceNotFound,
                   fmt::format("Requested resource not found: Table: {} has no enabled stream",
                               request.table));
    }
    position.stream = table->stream->id;
  }
  const std::shared_ptr<const Stream> stream = catalog.FindStream(position.stream);
  if (!stream) {
    return Error(ErrorCode::kResourceNotFound, "Requested resource not found: Stream not found");
  }
  if (!request.position && request.starts_at_latest) {
    position.next_sequence = LastSequence(catalog, *stream) + 1;
  }
  return std::unique_ptr<Subscription>(new Subscription(store, catalog, position));
}

Result<std::vector<SequencedRecord>> Subscription::Next(std::size_t records_max,
                                                        std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  StreamSignal& signal = catalog_.stream_signal(position_.stream);
  while (true) {
    const std::uint64_t seen = signal.version();
    if (is_stopped_) return std::vector<SequencedRecord>();
    std::vector<SequencedRecord> records = TRY(ReadOn(records_max));
    const auto left = end - std::chrono::steady_clock::now();
    if (!records.empty() || is_over_ || left <= left.zero()) return records;
    signal.WaitFor(seen, std::chrono::ceil<std::chrono::milliseconds>(left));
  }
}

Result<std::vector<SequencedRecord>> Subscription::ReadOn(std::size_t records_max) {
  const std::shared_ptr<const Stream> stream = catalog_.FindStream(position_.stream);
  if (!stream) {
    is_over_ = true;
    return std::vector<SequencedRecord>();
  }
  const std::uint64_t last_sequence = LastSequence(catalog_, *stream);
  const bool is_level = stream->IsEnabled() && position_.next_sequence > last_sequence;
  if (is_level) return std::vector<SequencedRecord>();
  RecordRange range{.first_sequence = position_.next_sequence, .records_max = records_max};
  if (position_.next_sequence == 0) {
    range.first_sequence = stream->FirstSequence();
  } else {
    range.known_sequence = last_sequence;
  }
  RecordRun run = TRY(ReadRecords(store_, stream->id, range));
  position_.next_sequence =
      run.has_more ? run.next_sequence : std::max(run.next_sequence, last_sequence + 1);
  is_over_ = !stream->IsEnabled() && run.records.empty() && !run.has_more;
  return std::move(run.records);
}

void Subscription::Stop() {
  is_stopped_ = true;
  catalog_.stream_signal(position_.stream).Notify();
}

}  // namespace trestle::engine
