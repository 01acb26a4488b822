#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/schema.h"
#include "engine/stream_shards.h"
#include "value/item.h"

namespace trestle::engine {

enum class StreamEvent : char { kInsert = 'I', kModify = 'M', kRemove = 'R', kExpire = 'X' };

// One change of one item, as a stream keeps it. Empty images are not part of the stream's view, or
// there is none.
//
//   record := 01 event shard time keys old_image new_image
//   event  := 'I' | 'M' | 'R' | 'X'         'X': removed because it had expired
//   shard  := u32be
//   time   := u64be, milliseconds
//   keys, old_image, new_image := varint length, item bytes
struct StreamRecord {
  StreamEvent event = StreamEvent::kInsert;
  ShardId shard{};
  std::int64_t time_unix_ms = 0;
  std::string keys;
  std::string old_image;
  std::string new_image;
};

[[nodiscard]] std::string EncodeStreamRecord(const StreamRecord& record);
[[nodiscard]] Result<StreamRecord> DecodeStreamRecord(std::string_view bytes);

// The record of a change, with the images that the stream's view holds. Nothing when nothing
// changed.
[[nodiscard]] std::optional<StreamRecord> MakeStreamRecord(
    const TableSchema& table, std::int64_t now_unix_ms,
    const std::optional<value::ItemView>& old_item, const std::optional<value::ItemView>& new_item);

// The shard of a record, without the rest of it.
[[nodiscard]] Result<ShardId> ShardOf(std::string_view record);

[[nodiscard]] std::string StreamRow(StreamId stream, std::uint64_t sequence);
// The sequence number in the key of such a row.
[[nodiscard]] std::uint64_t SequenceOf(std::string_view row);

}  // namespace trestle::engine
