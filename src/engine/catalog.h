#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/counters.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "storage/store.h"

namespace trestle::engine {

// The tables as they are now. Safe from many threads; only the committer changes it, after the
// change is on disk.
class Catalog {
 public:
  // Reads all tables of the store.
  [[nodiscard]] Status Load(const storage::Store& store) EXCLUDES(mutex_);

  // The schema as it is now. It stays valid, and never changes, for as long as the caller holds
  // it; a later change publishes a new one.
  [[nodiscard]] std::shared_ptr<const TableSchema> Find(std::string_view table) const
      EXCLUDES(mutex_);
  [[nodiscard]] std::optional<TableDescription> Describe(std::string_view table) const
      EXCLUDES(mutex_);
  [[nodiscard]] ListTablesReply List(const ListTablesRequest& request) const EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::shared_ptr<const TableSchema>> All() const EXCLUDES(mutex_);
  [[nodiscard]] TableCounters Counters(std::string_view table) const EXCLUDES(mutex_);

  void Publish(std::shared_ptr<const TableSchema> schema) EXCLUDES(mutex_);
  void PublishCounters(std::string_view table, const TableCounters& counters) EXCLUDES(mutex_);
  void Erase(std::string_view table) EXCLUDES(mutex_);

 private:
  struct Entry {
    std::shared_ptr<const TableSchema> schema;
    TableCounters counters;
  };

  mutable Mutex mutex_;
  std::map<std::string, Entry, std::less<>> tables_ GUARDED_BY(mutex_);
};

// The status at `now_unix_ms`: a transient one ends by itself.
[[nodiscard]] TableStatus StatusAt(const TableSchema& schema, std::int64_t now_unix_ms);

}  // namespace trestle::engine
