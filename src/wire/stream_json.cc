#include "wire/stream_json.h"

#include <charconv>
#include <ctime>

#include <fmt/format.h>

#include "base/crypto.h"
#include "protocol/arn.h"

namespace trestle::wire {
namespace {

constexpr std::string_view kIteratorMark = "|1|";
constexpr std::size_t kSequenceDigits = 20;  // behind the leading 1

// The number that a text is, with zeros in front or not.
template <typename T>
std::optional<T> ParseNumber(std::string_view text, int base) {
  T number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> ParseStreamLabel(std::string_view label) {
  std::tm utc = {};
  const std::string text(label);
  const char* end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (end == nullptr || *end != '.') return std::nullopt;
  const auto ms = ParseNumber<std::int64_t>(end + 1, 10);
  if (!ms) return std::nullopt;
  const std::int64_t unix_ms = std::int64_t{::timegm(&utc)} * 1000 + *ms;
  // Other spellings of a time are no label.
  return StreamLabel(unix_ms) == label ? std::optional(unix_ms) : std::nullopt;
}

}  // namespace

std::string_view StreamViewTypeName(engine::StreamViewType view_type) {
  return kStreamViewTypeNames.at(static_cast<std::size_t>(view_type));
}

std::string StreamLabel(std::int64_t unix_ms) {
  const std::time_t seconds = unix_ms / 1000;
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}", utc.tm_year + 1900,
                     utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min, utc.tm_sec,
                     unix_ms % 1000);
}

std::string StreamArnOf(const CallContext& context, const engine::Stream& stream) {
  return protocol::StreamArn({.region = context.region, .account_id = context.account_id},
                             stream.table, StreamLabel(stream.created_unix_ms));
}

Result<engine::StreamName> ParseStreamArn(std::string_view arn, const CallContext& context) {
  const auto parts = protocol::ParseArn(arn);
  if (!parts || parts->stream_label.empty()) {
    return ValidationError(
        fmt::format("Invalid StreamArn: Invalid ResourceArn provided as input {}", arn));
  }
  const std::string_view table_arn = arn.substr(0, arn.find("/stream/"));
  TRY(protocol::TableNameOf(table_arn, context.account_id));
  const auto created_unix_ms = ParseStreamLabel(parts->stream_label);
  if (!created_unix_ms) {
    return Error(ErrorCode::kResourceNotFound,
                 fmt::format("Requested resource not found: Stream: {} not found", arn));
  }
  return engine::StreamName{.table = std::string(parts->table),
                            .created_unix_ms = *created_unix_ms,
                            .arn = std::string(arn)};
}

std::string ShardIdText(const engine::ShardName& shard) {
  return fmt::format("shardId-{:020}-{:08x}", shard.opened_unix_ms,
                     static_cast<std::uint32_t>(shard.id));
}

Result<engine::ShardName> ParseShardId(std::string_view text) {
  const std::size_t dash = text.rfind('-');
  const std::size_t time_place = std::string_view("shardId-").size();
  if (dash != std::string_view::npos && dash > time_place) {
    const auto opened = ParseNumber<std::int64_t>(text.substr(time_place, dash - time_place), 10);
    const auto id = ParseNumber<std::uint32_t>(text.substr(dash + 1), 16);
    const engine::ShardName shard{.id = static_cast<engine::ShardId>(id.value_or(0)),
                                  .opened_unix_ms = opened.value_or(0)};
    if (ShardIdText(shard) == text) return shard;
  }
  return Error(ErrorCode::kResourceNotFound, "Requested resource not found: Shard does not exist");
}

std::string SequenceNumberText(std::uint64_t sequence) { return fmt::format("1{:020}", sequence); }

std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text) {
  if (text.size() != kSequenceDigits + 1 || text[0] != '1') return std::nullopt;
  return ParseNumber<std::uint64_t>(text.substr(1), 10);
}

std::string ShardIteratorText(std::string_view arn, std::string_view iterator) {
  return fmt::format("{}{}{}", arn, kIteratorMark, Base64Encode(iterator));
}

std::optional<ShardIteratorParts> ParseShardIterator(std::string_view text) {
  const std::size_t mark = text.rfind(kIteratorMark);
  if (mark == std::string_view::npos) return std::nullopt;
  auto iterator = Base64Decode(text.substr(mark + kIteratorMark.size()));
  if (!iterator) return std::nullopt;
  return ShardIteratorParts{.arn = text.substr(0, mark), .iterator = *std::move(iterator)};
}

}  // namespace trestle::wire
