#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/group.h"
#include "storage/store.h"

namespace trestle::engine {

// Work that nobody waits for, done by the committer between groups in slices that are small
// enough not to delay a write: filling new indexes and expiry rows, removing rows of what was
// dropped, trimming streams, forgetting client tokens. Each slice is a commit of its own and leaves
// a state from which the next one, in this process or after a restart, goes on.
class Maintenance {
 public:
  Maintenance(storage::Store& store, Catalog& catalog, const DatabaseOptions& options)
      : store_(store),
        catalog_(catalog),
        durability_(options.durability),
        group_(store, catalog, options.shards) {}

  // One slice of what is pending. True when there may be more to do at once.
  [[nodiscard]] Result<bool> RunSlice(std::int64_t now_unix_ms);

 private:
  [[nodiscard]] Result<bool> BackfillSlice();
  [[nodiscard]] Status Backfill(const TableSchema& table, std::size_t index_position);
  [[nodiscard]] Result<bool> FillExpirySlice();
  [[nodiscard]] Status FillExpiry(const TableSchema& table);
  [[nodiscard]] Result<bool> RemoveGarbageSlice();
  [[nodiscard]] Result<bool> TrimSlice(std::int64_t now_unix_ms);
  [[nodiscard]] Result<std::size_t> TrimStream(const Stream& stream, std::int64_t before_unix_ms);
  [[nodiscard]] Status Commit();

  storage::Store& store_;
  Catalog& catalog_;
  const storage::Durability durability_;
  Group group_;
  std::int64_t next_trim_unix_ms_ = 0;
};

}  // namespace trestle::engine
