#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "engine/catalog.h"
#include "engine/request.h"
#include "storage/store.h"

namespace trestle::engine {

// Creates, changes and drops tables. Used by the committer's thread only; each call is a commit of
// its own, published when it is on disk.
class TableWriter {
 public:
  struct Options {
    std::int64_t transient_status_ms = 0;
    storage::Durability durability = storage::Durability::kSync;
  };

  TableWriter(storage::Store& store, Catalog& catalog, Random& random, Options options)
      : store_(store), catalog_(catalog), random_(random), options_(options) {}

  [[nodiscard]] Result<TableReply> Create(const CreateTableRequest& request,
                                          std::int64_t now_unix_ms);
  [[nodiscard]] Result<TableReply> Update(const UpdateTableRequest& request,
                                          std::int64_t now_unix_ms);
  [[nodiscard]] Status UpdateTimeToLive(const UpdateTimeToLiveRequest& request,
                                        std::int64_t now_unix_ms);
  [[nodiscard]] Status ChangeTags(const ChangeTagsRequest& request, std::int64_t now_unix_ms);
  [[nodiscard]] Result<TableReply> Drop(const DeleteTableRequest& request,
                                        std::int64_t now_unix_ms);

  // Ends transient statuses whose time has come: a dropped table or index goes away, and its rows
  // become garbage. True when one did.
  [[nodiscard]] Result<bool> EndTransientStatuses(std::int64_t now_unix_ms);

 private:
  [[nodiscard]] Result<std::uint32_t> TakeId(storage::Batch& batch);
  void Begin(TableStatus status, std::int64_t now_unix_ms, TableSchema& schema) const;
  [[nodiscard]] Status Commit(const storage::Batch& batch);
  // With the table's stream, where that changes too.
  [[nodiscard]] Status Save(TableSchema schema, storage::Batch& batch,
                            std::optional<Stream> stream = std::nullopt);
  // A label that no stream of this table name has.
  void ChooseLabel(TableSchema& schema) const;
  // The stream of the changed table, if it begins or ends.
  [[nodiscard]] std::optional<Stream> ChangedStream(const TableSchema& schema,
                                                    std::int64_t now_unix_ms) const;
  [[nodiscard]] Status Erase(TableSchema schema, std::int64_t now_unix_ms);
  [[nodiscard]] Status EraseIndexes(const TableSchema& schema, std::int64_t now_unix_ms);

  storage::Store& store_;
  Catalog& catalog_;
  Random& random_;
  const Options options_;
};

}  // namespace trestle::engine
