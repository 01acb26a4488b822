#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/schema.h"
#include "value/item.h"

namespace trestle::engine {

enum class StreamEvent : char { kInsert = 'I', kModify = 'M', kRemove = 'R' };

// One change of one item, as a stream keeps it. Empty images are not part of the stream's view, or
// there is none.
//
//   record := 01 event time keys old_image new_image
//   event  := 'I' | 'M' | 'R'
//   time   := u64be, milliseconds
//   keys, old_image, new_image := varint length, item bytes
struct StreamRecord {
  StreamEvent event = StreamEvent::kInsert;
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

[[nodiscard]] std::string StreamRow(StreamId stream, std::uint64_t sequence);

}  // namespace trestle::engine
