#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/schema.h"

// A stream as a whole, and the shards that its records are spread over. Records lie in one row
// order, that of their commit; a shard is an interval of it and a range of partition key hashes.
// So all records of an item are in one shard and its descendants, in order.

namespace trestle::engine {

// Counts from 1 within its stream.
enum class ShardId : std::uint32_t {};

// A shard as it is known outside: its id, and when it was opened.
struct ShardName {
  ShardId id{};
  std::int64_t opened_unix_ms = 0;

  friend bool operator==(const ShardName&, const ShardName&) = default;
};

struct Shard {
  ShardId id{};
  std::optional<ShardName> parent;  // which may be gone
  std::int64_t opened_unix_ms = 0;
  std::int64_t closed_unix_ms = 0;  // 0: open
  std::uint64_t first_hash = 0;     // of the partition keys (rows.h)
  std::uint64_t last_hash = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t first_sequence = 0;  // that it may hold
  std::uint64_t last_sequence = 0;   // that it may hold, once it is closed

  [[nodiscard]] bool IsOpen() const { return closed_unix_ms == 0; }
  [[nodiscard]] ShardName Name() const { return {.id = id, .opened_unix_ms = opened_unix_ms}; }
  friend bool operator==(const Shard&, const Shard&) = default;
};

// Outlives its table and its being enabled by as long as its records are kept.
struct Stream {
  StreamId id{};
  std::string table;
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;
  StreamViewType view_type = StreamViewType::kNewAndOldImages;
  std::int64_t created_unix_ms = 0;   // also its label: no two of one table name are the same
  std::int64_t disabled_unix_ms = 0;  // 0: enabled
  std::vector<Shard> shards;          // in the order of their ids

  [[nodiscard]] bool IsEnabled() const { return disabled_unix_ms == 0; }
  [[nodiscard]] const Shard* FindShard(ShardId shard) const;
  // Where the record of an item goes whose partition key has this hash. The stream is enabled.
  [[nodiscard]] const Shard& OpenShardOf(std::uint64_t hash) const;
  [[nodiscard]] std::size_t OpenShardCount() const;
  // No record before this one is left.
  [[nodiscard]] std::uint64_t FirstSequence() const;

  friend bool operator==(const Stream&, const Stream&) = default;
};

// When shards are replaced by younger ones.
struct ShardPolicy {
  std::int64_t lifetime_ms = 4LL * 60 * 60 * 1000;
  // A shard that gets more becomes two, while there are not too many.
  std::uint64_t records_per_second_max = 1000;
  std::size_t open_shards_max = 8;
};

// How many records each open shard of a stream got lately.
class ShardLoad {
 public:
  // Counts a record. True when the shard has got more than its share.
  [[nodiscard]] bool Count(ShardId shard, std::int64_t now_unix_ms, const ShardPolicy& policy);

 private:
  std::int64_t window_start_unix_ms_ = 0;
  std::map<ShardId, std::uint64_t> records_;
};

// The stream of a table from its next record on, with its first shard.
[[nodiscard]] Stream OpenStream(const TableSchema& table, std::uint64_t next_sequence);

// Ends a shard, so that `next_sequence` is the first record of its children: one, or two with half
// of the hashes each.
enum class Children { kOne, kTwo };
void ReplaceShard(Stream& stream, ShardId shard, Children children, std::uint64_t next_sequence,
                  std::int64_t now_unix_ms);

// Ends the stream and all its shards behind the record `last_sequence`.
void CloseStream(Stream& stream, std::uint64_t last_sequence, std::int64_t now_unix_ms);

// Forgets shards that were closed before `before_unix_ms` and have no record from
// `first_kept_sequence` on. True when there was one.
[[nodiscard]] bool ForgetShards(Stream& stream, std::uint64_t first_kept_sequence,
                                std::int64_t before_unix_ms);

// The row of a stream, and its value:
//
//   stream := 01 table view created disabled partition sort count shard*
//   table  := length, text
//   partition, sort := length, type letter and name; an empty sort: none
//   shard  := id opened closed parent first_hash last_hash first_sequence last_sequence
//   parent := id opened                     0 0: none
//
// All numbers are varints, times in milliseconds.
[[nodiscard]] std::string StreamStateRow(StreamId stream);
[[nodiscard]] std::string EncodeStream(const Stream& stream);
[[nodiscard]] Result<Stream> DecodeStream(StreamId id, std::string_view bytes);

}  // namespace trestle::engine
