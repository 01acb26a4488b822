#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/counters.h"
#include "engine/schema.h"
#include "storage/batch.h"
#include "storage/store.h"

namespace trestle::engine {

// Writes that are committed together. Each sees what the earlier ones of the group decided.
// Used by the committer's thread only.
class Group {
 public:
  Group(const storage::Store& store, const Catalog& catalog) : store_(store), catalog_(catalog) {}

  // The row as it is after the writes so far; nothing when there is none.
  [[nodiscard]] Result<std::optional<std::string>> Read(const std::string& row) const;

  // Changes a row that a later write of the group may read.
  void Put(const std::string& row, std::string value);
  void Delete(const std::string& row);

  // Changes a row that no write reads: an index row, a stream record.
  void PutUnread(std::string_view row, std::string_view value) { batch_.Put(row, value); }
  void DeleteUnread(std::string_view row) { batch_.Delete(row); }

  // The table's counters, to be changed in place.
  [[nodiscard]] TableCounters& Counters(const TableSchema& table);

  // Adds the changed counters to the batch. Called once, before the commit.
  void Finish();
  // Makes the changed counters visible. Called after the commit.
  void Publish(Catalog& catalog) const;
  // Forgets everything, for the next group.
  void Clear();

  [[nodiscard]] const storage::Batch& batch() const { return batch_; }

 private:
  struct ChangedCounters {
    TableId id{};
    TableCounters counters;
  };

  const storage::Store& store_;
  const Catalog& catalog_;
  storage::Batch batch_;
  std::unordered_map<std::string, std::optional<std::string>> overlay_;
  std::map<std::string, ChangedCounters, std::less<>> counters_;  // by table name
};

}  // namespace trestle::engine
