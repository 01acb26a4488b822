#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "storage/batch.h"

namespace trestle::storage {

// The rows that were read lately, within a number of bytes. Safe from many threads.
//
// A cached row never goes back in time, not even beside reads that go around the cache. While a
// commit is under way its rows are read from the store; afterwards the cache has their new values.
// What a reader found in the store is kept only if no commit touched the row since it began.
class RowCache {
 public:
  explicit RowCache(std::size_t capacity_bytes);
  ~RowCache();
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  // What a reader remembers between its Find and its Insert.
  struct Ticket {
    std::uint64_t hash = 0;
    std::uint32_t version = 0;
    bool is_valid = false;
  };

  // True: `value` is the row's value. False: look into the store, and Insert what it has.
  [[nodiscard]] bool Find(std::string_view key, std::string& value, Ticket& ticket);
  void Insert(std::string_view key, std::string_view value, const Ticket& ticket);

  // Around each commit; one at a time. A failed one leaves none of its rows in the cache.
  void BeginCommit(const Batch& batch);
  void EndCommit(const Batch& batch, bool is_committed);

 private:
  static constexpr std::size_t kShardCount = 64;
  static constexpr std::size_t kStripeCount = 256;  // of a shard

  // A row, allocated with its key and value behind it.
  struct Entry;

  // Rows that share a fate: a commit of one makes readers of all of them ask the store.
  struct Stripe {
    std::uint32_t version = 0;  // how many commits have begun
    std::uint32_t pending = 0;  // rows of the commit under way
  };

  // Chained buckets; the hand passes over them and drops rows not read since it came last.
  struct Shard {
    Mutex mutex;
    std::array<Stripe, kStripeCount> stripes GUARDED_BY(mutex);
    std::vector<Entry*> buckets GUARDED_BY(mutex);
    std::size_t entry_count GUARDED_BY(mutex) = 0;
    std::size_t used_bytes GUARDED_BY(mutex) = 0;
    std::size_t hand GUARDED_BY(mutex) = 0;

    // The pointer that points at the row, or at the end of its chain.
    [[nodiscard]] Entry** Locate(std::uint64_t hash, std::string_view key) REQUIRES(mutex);
    void Add(Entry* entry) REQUIRES(mutex);
    void Remove(Entry** link) REQUIRES(mutex);
    void Grow() REQUIRES(mutex);
    void Evict(std::size_t capacity_bytes) REQUIRES(mutex);
    [[nodiscard]] Stripe& StripeOf(std::uint64_t hash) REQUIRES(mutex);
  };

  [[nodiscard]] Shard& ShardOf(std::uint64_t hash);
  void EndRow(std::string_view key, const std::string_view* value);

  const std::size_t shard_bytes_;
  std::array<Shard, kShardCount> shards_;
};

}  // namespace trestle::storage
