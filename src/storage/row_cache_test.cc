#include "storage/row_cache.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::storage {
namespace {

constexpr std::size_t kRoomyBytes = 64 * 1024 * 1024;

// Reads as a store does: from the cache, else `in_store`, which is then offered to the cache.
std::string Read(RowCache& cache, std::string_view key, std::string_view in_store) {
  std::string value;
  RowCache::Ticket ticket;
  if (cache.Find(key, value, ticket)) return value;
  cache.Insert(key, in_store, ticket);
  return std::string(in_store);
}

bool IsCached(RowCache& cache, std::string_view key) {
  std::string value;
  RowCache::Ticket ticket;
  return cache.Find(key, value, ticket);
}

Batch PutOf(std::string_view key, std::string_view value) {
  Batch batch;
  batch.Put(key, value);
  return batch;
}

void Commit(RowCache& cache, const Batch& batch, bool is_committed = true) {
  cache.BeginCommit(batch);
  cache.EndCommit(batch, is_committed);
}

TEST(RowCacheTest, KeepsWhatWasRead) {
  RowCache cache(kRoomyBytes);
  EXPECT_FALSE(IsCached(cache, "k"));
  EXPECT_EQ(Read(cache, "k", "v"), "v");
  EXPECT_EQ(Read(cache, "k", "not asked"), "v");
}

TEST(RowCacheTest, ACommitChangesCachedRowsOnly) {
  RowCache cache(kRoomyBytes);
  Read(cache, "same size", "a");
  Read(cache, "longer", "a");
  Read(cache, "gone", "a");
  Batch batch;
  batch.Put("same size", "b");
  batch.Put("longer", "bbbb");
  batch.Put("never read", "b");
  batch.Delete("gone");
  Commit(cache, batch);
  EXPECT_EQ(Read(cache, "same size", "stale"), "b");
  EXPECT_EQ(Read(cache, "longer", "stale"), "bbbb");
  EXPECT_FALSE(IsCached(cache, "gone"));
  EXPECT_FALSE(IsCached(cache, "never read"));
}

TEST(RowCacheTest, AFailedCommitLeavesNothingOfItsRows) {
  RowCache cache(kRoomyBytes);
  Read(cache, "k", "old");
  Commit(cache, PutOf("k", "new"), /*is_committed=*/false);
  EXPECT_FALSE(IsCached(cache, "k"));
}

TEST(RowCacheTest, ARowUnderCommitIsReadFromTheStore) {
  RowCache cache(kRoomyBytes);
  Read(cache, "k", "old");
  const Batch batch = PutOf("k", "new");
  cache.BeginCommit(batch);
  EXPECT_EQ(Read(cache, "k", "whatever the store says"), "whatever the store says");
  cache.EndCommit(batch, true);
  EXPECT_EQ(Read(cache, "k", "stale"), "new");
}

TEST(RowCacheTest, AReaderThatACommitOvertookLeavesNothing) {
  RowCache cache(kRoomyBytes);
  std::string value;
  RowCache::Ticket before;
  ASSERT_FALSE(cache.Find("k", value, before));
  const Batch batch = PutOf("k", "new");
  cache.BeginCommit(batch);
  RowCache::Ticket during;
  ASSERT_FALSE(cache.Find("k", value, during));
  cache.Insert("k", "old", during);
  cache.EndCommit(batch, true);
  cache.Insert("k", "old", during);
  cache.Insert("k", "old", before);
  EXPECT_FALSE(IsCached(cache, "k"));
}

TEST(RowCacheTest, StaysWithinItsBytesAndKeepsWhatIsReadAgain) {
  constexpr std::size_t kCapacity = 1024 * 1024;
  RowCache cache(kCapacity);
  const std::string value(100, 'v');
  std::size_t hot_hits = 0;
  for (int i = 0; i < 20'000; ++i) {
    Read(cache, std::to_string(i), value);
    if (IsCached(cache, "0")) ++hot_hits;
  }
  EXPECT_EQ(hot_hits, 20'000U);
  std::size_t cached = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (IsCached(cache, std::to_string(i))) ++cached;
  }
  EXPECT_GT(cached, kCapacity / 2 / (value.size() + 100));
  EXPECT_LT(cached, kCapacity / value.size());
}

// A row only counts upwards. Each reader must see it do so, whether it reads the cache or, like a
// cursor, the store.
TEST(RowCacheTest, NobodySeesARowGoBack) {
  RowCache cache(kRoomyBytes);
  std::atomic<int> in_store = 0;
  std::atomic<bool> is_done = false;
  std::atomic<int> went_back = 0;
  std::vector<std::thread> readers;
  for (int r = 0; r < 2; ++r) {
    readers.emplace_back([&] {
      int last = 0;
      while (!is_done) {
        std::string value;
        RowCache::Ticket ticket;
        if (!cache.Find("k", value, ticket)) {
          value = std::to_string(in_store.load());
          cache.Insert("k", value, ticket);
        }
        const int now = std::stoi(value);
        if (now < last) ++went_back;
        last = std::max(now, in_store.load());
      }
    });
  }
  for (int i = 1; i <= 20'000; ++i) {
    const Batch batch = PutOf("k", std::to_string(i));
    cache.BeginCommit(batch);
    in_store = i;
    cache.EndCommit(batch, true);
  }
  is_done = true;
  for (std::thread& reader : readers)
    reader.join();
  EXPECT_EQ(went_back, 0);
}

}  // namespace
}  // namespace trestle::storage
