#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <rocksdb/db.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "storage/batch.h"
#include "storage/store.h"
#include "value/item.h"

// What the embedded benchmarks stand on: a table of items in a folder, opened as the engine opens
// it or as bare RocksDB with the same options.

namespace trestle::bench {

inline constexpr std::string_view kTable = "orders";
inline constexpr std::size_t kGroupSize = 64;

[[nodiscard]] std::string KeyText(std::uint64_t item);
[[nodiscard]] value::Item Key(std::uint64_t item);
// About 300 B. `group` is the key attribute of the table's global index.
[[nodiscard]] value::Item OrderItem(std::uint64_t item, std::uint64_t group);

// An open engine, with a record of what it committed if that is wanted.
class Engine {
 public:
  Engine(const std::string& folder, storage::Durability durability,
         std::vector<storage::Batch>* committed);

  [[nodiscard]] engine::Database& database() { return *database_; }

  // Puts `requests` in groups of kGroupSize, and waits for the last. The next group is always
  // there before the committer has done with the one before.
  void PutInGroups(std::vector<engine::Request> requests);

  // Makes the table, with a global index of everything, and fills it.
  void Fill(std::uint64_t item_count);
  void EnableStream();
  // Reads every item, so that the caches hold what they can.
  void ReadAll(std::uint64_t item_count);

 private:
  const SystemClock clock_;
  Random random_{1};
  std::unique_ptr<engine::Database> database_;
};

// Puts that change the index key of items drawn at random.
[[nodiscard]] std::vector<engine::Request> RandomPuts(std::uint64_t item_count, std::size_t count,
                                                      std::uint64_t seed);

// Bare RocksDB on an engine's folder, with the options and cache sizes that the engine gives it.
[[nodiscard]] std::unique_ptr<rocksdb::DB> OpenRaw(const std::string& folder);

// CPU time of this thread, or of all threads of the process.
[[nodiscard]] double ThreadCpuSeconds();
[[nodiscard]] double ProcessCpuSeconds();
[[nodiscard]] double WallSeconds();

}  // namespace trestle::bench
