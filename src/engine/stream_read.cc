#include "engine/stream_read.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "engine/rows.h"
#include "value/key_codec.h"

namespace trestle::engine {
namespace {

// Rows and bytes that one call looks at, those of other shards included.
constexpr std::size_t kRowsMax = 8 * 1024;
constexpr std::size_t kRowBytesMax = 4 * 1024 * 1024;

Error NotFound(std::string_view what) {
  return {ErrorCode::kResourceNotFound, fmt::format("Requested resource not found: {}", what)};
}

Error StreamNotFound(std::string_view arn) {
  return NotFound(fmt::format("Stream: {} not found", arn));
}

Error Trimmed() {
  return {ErrorCode::kTrimmedDataAccess, "The data you are trying to access has been trimmed."};
}

Result<std::shared_ptr<const Stream>> FindStream(const Catalog& catalog, const StreamName& name) {
  std::shared_ptr<const Stream> stream = catalog.FindStream(name.table, name.created_unix_ms);
  if (!stream) return StreamNotFound(name.arn);
  return stream;
}

Result<Shard> FindShard(const Stream& stream, const ShardName& name) {
  const Shard* shard = stream.FindShard(name.id);
  if (shard == nullptr || shard->Name() != name) return NotFound("Shard does not exist");
  return *shard;
}

// By table name, then age: the order of ARNs.
auto OrderOf(const Stream& stream) { return std::tie(stream.table, stream.created_unix_ms); }

StreamStatus StatusOf(const Stream& stream, std::int64_t now_unix_ms,
                      std::int64_t transient_status_ms) {
  if (stream.IsEnabled()) {
    return now_unix_ms < stream.created_unix_ms + transient_status_ms ? StreamStatus::kEnabling
                                                                      : StreamStatus::kEnabled;
  }
  return now_unix_ms < stream.disabled_unix_ms + transient_status_ms ? StreamStatus::kDisabling
                                                                     : StreamStatus::kDisabled;
}

}  // namespace

std::uint64_t LastSequence(const Catalog& catalog, const Stream& stream) {
  if (stream.IsEnabled()) return catalog.Counters(stream.table).stream_sequence;
  return stream.shards.empty()
             ? 0
             : std::ranges::max(stream.shards, {}, &Shard::last_sequence).last_sequence;
}

Result<RecordRun> ReadRecords(const storage::Store& store, StreamId stream,
                              const RecordRange& range) {
  const std::string prefix = RowPrefix(RowKind::kStream, static_cast<std::uint32_t>(stream));
  const auto cursor = store.NewCursor(prefix, value::PrefixEnd(prefix));
  RecordRun run{.records = {}, .next_sequence = range.first_sequence};
  std::size_t record_bytes = 0;
  std::size_t row_bytes = 0;
  std::size_t rows = 0;
  cursor->Seek(StreamRow(stream, range.first_sequence));
  const bool is_there = cursor->Valid() && SequenceOf(cursor->key()) == range.first_sequence;
  if (!is_there && range.first_sequence <= range.known_sequence.value_or(0)) {
    TRY(cursor->status());
    return Trimmed();
  }
  for (; cursor->Valid(); cursor->Next()) {
    const std::uint64_t sequence = SequenceOf(cursor->key());
    if (sequence > range.last_sequence) break;
    run.has_more = rows++ == kRowsMax || row_bytes > kRowBytesMax;
    if (run.has_more) break;
    const std::size_t size_bytes = cursor->value().size();
    row_bytes += size_bytes;
    const ShardId shard = TRY(ShardOf(cursor->value()));
    if (!range.shard || shard == *range.shard) {
      run.has_more = run.records.size() == range.records_max ||
                     (record_bytes + size_bytes > kPageBytesMax && !run.records.empty());
      if (run.has_more) break;
      record_bytes += size_bytes;
      run.records.push_back(
          {.sequence = sequence, .record = TRY(DecodeStreamRecord(cursor->value()))});
    }
    run.next_sequence = sequence + 1;
  }
  TRY(cursor->status());
  return run;
}

ListStreamsReply StreamReader::List(const ListStreamsRequest& request) const {
  std::vector<std::shared_ptr<const Stream>> streams = catalog_.AllStreams();
  std::ranges::sort(streams, {}, [](const auto& stream) { return OrderOf(*stream); });
  ListStreamsReply reply;
  for (const auto& stream : streams) {
    if (request.table && stream->table != *request.table) continue;
    if (request.exclusive_start_stream) {
      const StreamName& start = *request.exclusive_start_stream;
      if (OrderOf(*stream) <= std::tie(start.table, start.created_unix_ms)) continue;
    }
    reply.has_more = reply.streams.size() == request.limit;
    if (reply.has_more) break;
    reply.streams.push_back(stream);
  }
  return reply;
}

Result<DescribeStreamReply> StreamReader::Describe(const DescribeStreamRequest& request,
                                                   std::int64_t transient_status_ms) const {
  DescribeStreamReply reply;
  reply.stream = TRY(FindStream(catalog_, request.stream));
  reply.status = StatusOf(*reply.stream, now_unix_ms_, transient_status_ms);
  for (const Shard& shard : reply.stream->shards) {
    if (request.children_of && shard.parent != request.children_of) continue;
    if (request.exclusive_start_shard && shard.id <= request.exclusive_start_shard->id) continue;
    reply.has_more = reply.shards.size() == request.limit;
    if (reply.has_more) break;
    reply.shards.push_back(shard);
  }
  return reply;
}

Result<ShardIteratorReply> StreamReader::MakeIterator(const ShardIteratorRequest& request) const {
  const std::shared_ptr<const Stream> stream = TRY(FindStream(catalog_, request.stream));
  const Shard shard = TRY(FindShard(*stream, request.shard));
  const std::uint64_t last_sequence =
      shard.IsOpen() ? LastSequence(catalog_, *stream) : shard.last_sequence;
  ShardIterator iterator{.stream = stream->id, .shard = shard.id, .issued_unix_ms = now_unix_ms_};
  switch (request.type) {
    case ShardIteratorType::kTrimHorizon:
      break;
    case ShardIteratorType::kLatest:
      iterator.next_sequence = last_sequence + 1;
      break;
    case ShardIteratorType::kAtSequenceNumber:
    case ShardIteratorType::kAfterSequenceNumber: {
      // The number of a shard's first record is known before there is one.
      const bool is_known = request.sequence >= shard.first_sequence &&
                            request.sequence <= std::max(last_sequence, shard.first_sequence);
      if (!is_known) return ValidationError("Invalid SequenceNumber");
      const bool is_after = request.type == ShardIteratorType::kAfterSequenceNumber;
      iterator.next_sequence = request.sequence + (is_after ? 1 : 0);
      TRY(ReadRecords(store_, stream->id,
                      {.first_sequence = iterator.next_sequence,
                       .known_sequence = last_sequence,
                       .records_max = 0}));
      break;
    }
  }
  return ShardIteratorReply{sealer_.Seal(iterator, request.stream.arn)};
}

Result<RecordsReply> StreamReader::Read(const RecordsRequest& request) const {
  std::optional<ShardIterator> iterator = sealer_.Open(request.iterator, request.arn);
  if (!iterator) return ValidationError("Invalid ShardIterator");
  if (now_unix_ms_ - iterator->issued_unix_ms > kShardIteratorLifetimeMs) {
    return Error(ErrorCode::kExpiredIterator, "Shard iterator has expired");
  }
  RecordsReply reply;
  reply.stream = catalog_.FindStream(iterator->stream);
  if (!reply.stream) return StreamNotFound(request.arn);
  const Shard* shard = reply.stream->FindShard(iterator->shard);
  if (shard == nullptr) return Trimmed();

  const std::uint64_t last_sequence =
      shard->IsOpen() ? LastSequence(catalog_, *reply.stream) : shard->last_sequence;
  RecordRange range{.first_sequence = std::max(iterator->next_sequence, shard->first_sequence),
                    .shard = shard->id,
                    .records_max = request.limit};
  if (!shard->IsOpen()) range.last_sequence = last_sequence;
  if (iterator->next_sequence != 0) range.known_sequence = last_sequence;
  RecordRun run = TRY(ReadRecords(store_, reply.stream->id, range));
  reply.records = std::move(run.records);
  if (!shard->IsOpen() && !run.has_more) return reply;
  // Past the end there is nothing of before, also where it was trimmed.
  iterator->next_sequence =
      run.has_more ? run.next_sequence : std::max(run.next_sequence, last_sequence + 1);
  iterator->issued_unix_ms = now_unix_ms_;
  reply.next_iterator = sealer_.Seal(*iterator, request.arn);
  return reply;
}

}  // namespace trestle::engine
