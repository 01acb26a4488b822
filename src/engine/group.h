#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/counters.h"
#include "engine/schema.h"
#include "engine/stream_shards.h"
#include "storage/batch.h"
#include "storage/store.h"

namespace trestle::engine {

// Writes that are committed together. Each sees what the earlier ones of the group decided.
// Used by the committer's thread only.
class Group {
 public:
  Group(const storage::Store& store, const Catalog& catalog, const ShardPolicy& shards)
      : store_(store), catalog_(catalog), shard_policy_(shards) {}

  // The row as it is after the writes so far; nothing when there is none.
  [[nodiscard]] Result<std::optional<std::string>> Read(const std::string& row) const;

  // Changes a row that a later write of the group may read.
  void Put(const std::string& row, std::string value);
  void Delete(const std::string& row);

  // Changes a row that no write reads: an index row, a stream record.
  void PutUnread(std::string_view row, std::string_view value) { batch_.Put(row, value); }
  void DeleteUnread(std::string_view row) { batch_.Delete(row); }

  // Adds an expiry row, and remembers the first one of each id for the sweep (ttl.h).
  void PutExpiryRow(ExpiryId id, const std::string& row);
  [[nodiscard]] const std::map<ExpiryId, std::string>& first_expiry_rows() const {
    return first_expiry_rows_;
  }

  // The table's counters, to be changed in place.
  [[nodiscard]] TableCounters& Counters(const TableSchema& table);

  // The shard of the stream's next record, whose partition key has this hash. Replaces a shard
  // that is too old or too busy first.
  [[nodiscard]] ShardId PlaceRecord(StreamId stream, std::uint64_t hash, std::uint64_t sequence,
                                    std::int64_t now_unix_ms);

  // Adds the changed counters to the batch. Called once, before the commit.
  void Finish();
  // Makes the changed counters and streams visible. Called after the commit.
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
  const ShardPolicy shard_policy_;
  storage::Batch batch_;
  std::unordered_map<std::string, std::optional<std::string>> overlay_;
  std::map<std::string, ChangedCounters, std::less<>> counters_;  // by table name
  std::map<StreamId, std::shared_ptr<const Stream>> streams_;     // as the group leaves them
  std::map<StreamId, ShardLoad> shard_loads_;                     // outlives a group
  std::map<ExpiryId, std::string> first_expiry_rows_;
};

}  // namespace trestle::engine
