#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "embed/database_internal.h"
#include "embed/value_codec.h"
#include "engine/subscription.h"

namespace trestle::embed {
namespace {

// A position outside: "<stream id>.<next sequence>".
std::string TextOf(const engine::StreamPosition& position) {
  return fmt::format("{}.{}", static_cast<std::uint32_t>(position.stream), position.next_sequence);
}

std::optional<engine::StreamPosition> ParsePosition(std::string_view text) {
  std::uint32_t stream = 0;
  engine::StreamPosition position;
  const char* end = text.data() + text.size();
  const auto id = std::from_chars(text.data(), end, stream);
  if (id.ec != std::errc() || id.ptr == end || *id.ptr != '.') return std::nullopt;
  const auto sequence = std::from_chars(id.ptr + 1, end, position.next_sequence);
  if (sequence.ec != std::errc() || sequence.ptr != end) return std::nullopt;
  position.stream = static_cast<engine::StreamId>(stream);
  return position;
}

OperationType EventNameOf(engine::StreamEvent event) {
  switch (event) {
    case engine::StreamEvent::kInsert:
      return OperationType::kInsert;
    case engine::StreamEvent::kModify:
      return OperationType::kModify;
    case engine::StreamEvent::kRemove:
    case engine::StreamEvent::kExpire:
      return OperationType::kRemove;
  }
  UNREACHABLE("an event that is not in the enum");
}

std::optional<Item> ImageOf(std::string_view bytes) {
  if (bytes.empty()) return std::nullopt;
  return DecodeItem(value::ItemView(bytes));
}

StreamRecord ToOutput(engine::StreamId stream, const engine::SequencedRecord& entry) {
  const engine::StreamRecord& record = entry.record;
  return {.event_name = EventNameOf(record.event),
          .is_expiry = record.event == engine::StreamEvent::kExpire,
          .approximate_creation_date_time =
              std::chrono::system_clock::time_point(std::chrono::milliseconds(record.time_unix_ms)),
          .keys = DecodeItem(value::ItemView(record.keys)),
          .new_image = ImageOf(record.new_image),
          .old_image = ImageOf(record.old_image),
          .position = TextOf({.stream = stream, .next_sequence = entry.sequence + 1})};
}

}  // namespace

struct Subscription::Impl {
  std::unique_ptr<engine::Subscription> subscription;
};

Subscription::Subscription(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Subscription::~Subscription() = default;
Subscription::Subscription(Subscription&&) noexcept = default;
Subscription& Subscription::operator=(Subscription&&) noexcept = default;

Result<Subscription> Database::Subscribe(const SubscribeInput& input) const {
  engine::SubscribeRequest request{.table = input.table_name,
                                   .starts_at_latest = input.start == SubscriptionStart::kLatest};
  if (input.position) {
    request.position = ParsePosition(*input.position);
    if (!request.position) return embed::ToOutput(ValidationError("Invalid position"));
  }
  auto subscription = impl_->database->Subscribe(request);
  if (!subscription.ok()) return embed::ToOutput(subscription.error());
  return Subscription(
      std::make_unique<Subscription::Impl>(Subscription::Impl{*std::move(subscription)}));
}

Result<std::vector<StreamRecord>> Subscription::Next(const NextOptions& options) {
  engine::Subscription& subscription = *impl_->subscription;
  const auto entries = subscription.Next(options.records_max, options.wait);
  if (!entries.ok()) return embed::ToOutput(entries.error());
  std::vector<StreamRecord> records;
  records.reserve(entries->size());
  for (const engine::SequencedRecord& entry : *entries)
    records.push_back(ToOutput(subscription.position().stream, entry));
  return records;
}

std::string Subscription::position() const { return TextOf(impl_->subscription->position()); }

bool Subscription::IsOver() const { return impl_->subscription->IsOver(); }

void Subscription::Stop() { impl_->subscription->Stop(); }

}  // namespace trestle::embed
