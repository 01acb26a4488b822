#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/operation.h"
#include "wire/shape.h"

// Streams, shards, sequence numbers and iterators as clients write and read them.

namespace trestle::wire {

inline constexpr Shape kStreamArnShape = {.kind = Kind::kString, .min = 37, .max = 1024};
inline constexpr Shape kShardIdShape = {.kind = Kind::kString, .min = 28, .max = 65};

// In the order of the enum.
inline constexpr std::array<std::string_view, 4> kStreamViewTypeNames = {
    "KEYS_ONLY", "NEW_IMAGE", "OLD_IMAGE", "NEW_AND_OLD_IMAGES"};
[[nodiscard]] std::string_view StreamViewTypeName(engine::StreamViewType view_type);

// "2026-11-15T04:20:30.123"
[[nodiscard]] std::string StreamLabel(std::int64_t unix_ms);
[[nodiscard]] std::string StreamArnOf(const CallContext& context, const engine::Stream& stream);
// kValidation when it is no stream's ARN, kAccessDenied for another account's, kResourceNotFound
// when no stream can have its label.
[[nodiscard]] Result<engine::StreamName> ParseStreamArn(std::string_view arn,
                                                        const CallContext& context);

// "shardId-00000001731644430123-00000001"
[[nodiscard]] std::string ShardIdText(const engine::ShardName& shard);
// kResourceNotFound when no shard can have this id.
[[nodiscard]] Result<engine::ShardName> ParseShardId(std::string_view text);

// 21 digits, the first of them 1: ordered as numbers and as texts.
[[nodiscard]] std::string SequenceNumberText(std::uint64_t sequence);
[[nodiscard]] std::optional<std::uint64_t> ParseSequenceNumber(std::string_view text);

// "<stream ARN>|1|<base64>"
[[nodiscard]] std::string ShardIteratorText(std::string_view arn, std::string_view iterator);
struct ShardIteratorParts {
  std::string_view arn;  // looks into the text
  std::string iterator;
};
[[nodiscard]] std::optional<ShardIteratorParts> ParseShardIterator(std::string_view text);

}  // namespace trestle::wire
