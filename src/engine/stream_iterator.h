#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/crypto.h"
#include "base/result.h"
#include "engine/stream_shards.h"
#include "storage/store.h"

namespace trestle::engine {

// A place in a shard, and when it was handed out.
struct ShardIterator {
  StreamId stream{};
  ShardId shard{};
  std::uint64_t next_sequence = 0;  // 0: the oldest record that is left
  std::int64_t issued_unix_ms = 0;
};

// Makes iterators that nobody can make up, and that outlive a restart.
//
//   sealed  := iterator mac
//   iterator := 01 stream:u32be shard:u32be next_sequence:u64be issued:u64be
//   mac     := the first 16 bytes of HMAC-SHA256 of the iterator and the stream's ARN
class IteratorSealer {
 public:
  // With the store's key, which is made the first time.
  [[nodiscard]] static Result<IteratorSealer> Load(storage::Store& store,
                                                   storage::Durability durability);

  [[nodiscard]] std::string Seal(const ShardIterator& iterator, std::string_view arn) const;
  // Nothing when these bytes were not sealed here for this stream.
  [[nodiscard]] std::optional<ShardIterator> Open(std::string_view sealed,
                                                  std::string_view arn) const;

 private:
  explicit IteratorSealer(std::string_view key) : mac_(key) {}
  [[nodiscard]] std::string MacOf(std::string_view iterator, std::string_view arn) const;

  HmacSha256 mac_;
};

}  // namespace trestle::engine
