#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/group.h"
#include "engine/request.h"

namespace trestle::engine {

// Runs writes of items, single, in batches or as transactions, inside a group. Used by the
// committer's thread only.
class ItemWriter {
 public:
  ItemWriter(const Catalog& catalog, Group& group) : catalog_(catalog), group_(group) {}

  // Each puts all of what it decides into the group, or nothing when it fails.
  [[nodiscard]] Result<WriteReply> Write(const WriteRequest& request, std::int64_t now_unix_ms);
  [[nodiscard]] Result<BatchWriteReply> WriteBatch(const BatchWriteRequest& request,
                                                   std::int64_t now_unix_ms);
  [[nodiscard]] Result<TransactWriteReply> Transact(const TransactWriteRequest& request,
                                                    std::int64_t now_unix_ms);

 private:
  const Catalog& catalog_;
  Group& group_;
};

// The table, when it can be read and written; kResourceNotFound otherwise.
[[nodiscard]] Result<std::shared_ptr<const TableSchema>> FindUsableTable(const Catalog& catalog,
                                                                         std::string_view table,
                                                                         std::int64_t now_unix_ms);

}  // namespace trestle::engine
