#pragma once

#include <cstdint>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/item_writer.h"
#include "engine/request.h"

namespace trestle::engine {

// Runs PartiQL statements that write, as the writes that they are. Used by the committer's thread
// only.
class StatementWriter {
 public:
  // Both must outlive it.
  StatementWriter(const Catalog& catalog, ItemWriter& items) : catalog_(catalog), items_(items) {}

  // Puts all of what it decides into the group, or nothing when it fails.
  [[nodiscard]] Result<StatementReply> Write(const StatementRequest& request,
                                             std::int64_t now_unix_ms);
  // The same for each of several statements.
  [[nodiscard]] Result<BatchStatementReply> WriteBatch(const BatchStatementRequest& request,
                                                       std::int64_t now_unix_ms);
  // All of them or none.
  [[nodiscard]] Result<TransactStatementReply> Transact(const TransactStatementRequest& request,
                                                        std::int64_t now_unix_ms);

 private:
  [[nodiscard]] Result<WriteAction> Plan(const expr::partiql::Statement& statement,
                                         std::int64_t now_unix_ms) const;
  [[nodiscard]] Result<WriteReply> Run(const StatementRequest& request, WriteAction action,
                                       std::int64_t now_unix_ms);
  [[nodiscard]] bool HasDuplicates(const std::vector<Result<WriteAction>>& actions,
                                   std::int64_t now_unix_ms) const;

  const Catalog& catalog_;
  ItemWriter& items_;
};

}  // namespace trestle::engine
