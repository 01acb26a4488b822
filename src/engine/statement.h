#pragma once

#include <cstdint>
#include <memory>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/page.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "storage/store.h"

// PartiQL statements as reads and writes of a table.

namespace trestle::engine {

// The rows that a SELECT reads: by key where its condition fixes the partition key, else all.
[[nodiscard]] Result<std::unique_ptr<PageReader>> StartSelect(
    const PagePlace& place, std::shared_ptr<const TableSchema> table,
    const StatementRequest& request);

// What a SELECT shows of the rows that it read.
[[nodiscard]] StatementReply ToStatementReply(const expr::partiql::Statement& statement,
                                              PageReply page);

// The write that an INSERT, UPDATE or DELETE is, or the check that an EXISTS is.
[[nodiscard]] Result<WriteAction> PlanWrite(const TableSchema& table,
                                            const expr::partiql::Statement& statement);

// What RETURNING shows of a write.
[[nodiscard]] ReturnValues ReturnValuesOf(const expr::partiql::Statement& statement);
[[nodiscard]] std::optional<value::Item> ReturnedItem(const expr::partiql::Statement& statement,
                                                      WriteReply reply);

// Statements that each read one item by its whole key.
[[nodiscard]] Result<BatchStatementReply> ReadStatements(const storage::Store& store,
                                                         const Catalog& catalog,
                                                         const BatchStatementRequest& request,
                                                         std::int64_t now_unix_ms);
[[nodiscard]] Result<TransactStatementReply> ReadStatements(const storage::Store& store,
                                                            const Catalog& catalog,
                                                            const TransactStatementRequest& request,
                                                            std::int64_t now_unix_ms);

// What statements of a request may not be, whatever their tables are: an EXISTS outside of a
// transaction, a RETURNING inside of one, reads beside writes.
[[nodiscard]] Status CheckAlone(const expr::partiql::Statement& statement);
[[nodiscard]] Status CheckTransacted(const expr::partiql::Statement& statement);
[[nodiscard]] Status CheckTogether(const BatchStatementRequest& request);
[[nodiscard]] Status CheckTogether(const TransactStatementRequest& request);

// "Validation failed in TransactStatements[2]: <message>".
[[nodiscard]] Error InTransaction(std::size_t position, const Error& error);

}  // namespace trestle::engine
