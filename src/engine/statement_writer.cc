#include "engine/statement_writer.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/keys.h"
#include "engine/rows.h"
#include "engine/statement.h"

namespace trestle::engine {
namespace {

using expr::partiql::Statement;
using expr::partiql::StatementKind;

// An INSERT fails on an item that is there, which the service does not call a failed condition.
Error AsStatementError(const Statement& statement, const Error& error) {
  if (statement.kind != StatementKind::kInsert ||
      error.code() != ErrorCode::kConditionalCheckFailed) {
    return error;
  }
  return {ErrorCode::kDuplicateItem, "Duplicate primary key exists in table"};
}

// What the statements bring. What an update finds in the table is not counted.
Status CheckSize(const std::vector<WriteAction>& actions) {
  std::size_t size_bytes = 0;
  for (const WriteAction& action : actions)
    size_bytes += action.item.view().size_bytes();
  if (size_bytes <= kTransactBytesMax) return Ok();
  return ValidationError("Member must have total size less than or equal to 4 MB in a transaction");
}

Error Cancelled(ErrorDetails details) {
  return {ErrorCode::kTransactionCanceled, "Transaction cancelled",
          std::make_shared<const ErrorDetails>(std::move(details))};
}

}  // namespace

Result<WriteAction> StatementWriter::Plan(const Statement& statement,
                                          std::int64_t now_unix_ms) const {
  if (!statement.index.empty()) {
    return ValidationError("This operation is not supported on an index");
  }
  const auto table = TRY(FindUsableTable(catalog_, statement.table, now_unix_ms));
  return PlanWrite(*table, statement);
}

Result<WriteReply> StatementWriter::Run(const StatementRequest& request, WriteAction action,
                                        std::int64_t now_unix_ms) {
  action.return_item_on_condition_failure = request.return_item_on_condition_failure;
  Result<WriteReply> reply =
      items_.Write({.action = std::move(action),
                    .return_values = ReturnValuesOf(request.statement),
                    .return_consumed_capacity = request.return_consumed_capacity},
                   now_unix_ms);
  if (!reply.ok()) return AsStatementError(request.statement, reply.error());
  return reply;
}

Result<StatementReply> StatementWriter::Write(const StatementRequest& request,
                                              std::int64_t now_unix_ms) {
  WriteAction action = TRY(Plan(request.statement, now_unix_ms));
  WriteReply written = TRY(Run(request, std::move(action), now_unix_ms));
  StatementReply reply;
  reply.consumed = std::move(written.consumed);
  if (const auto item = ReturnedItem(request.statement, std::move(written))) {
    reply.items.Append(item->view());
  }
  return reply;
}

bool StatementWriter::HasDuplicates(const std::vector<Result<WriteAction>>& actions,
                                    std::int64_t now_unix_ms) const {
  std::set<std::string> rows;
  for (const Result<WriteAction>& action : actions) {
    if (!action.ok()) continue;
    const auto table = FindUsableTable(catalog_, action->table, now_unix_ms);
    if (!table.ok()) continue;
    const value::Item key = KeyOf(**table, action->item.view());
    if (!CheckKeyShape(**table, key.view()).ok()) continue;
    if (!rows.insert(ItemRow(**table, key.view())).second) return true;
  }
  return false;
}

Result<BatchStatementReply> StatementWriter::WriteBatch(const BatchStatementRequest& request,
                                                        std::int64_t now_unix_ms) {
  std::vector<Result<WriteAction>> actions;
  for (const Result<StatementRequest>& one : request.statements) {
    if (one.ok()) {
      actions.push_back(Plan(one->statement, now_unix_ms));
    } else {
      actions.emplace_back(one.error());
    }
  }
  if (HasDuplicates(actions, now_unix_ms)) {
    return ValidationError("Provided list of item keys contains duplicates");
  }

  BatchStatementReply reply;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!actions[i].ok()) {
      reply.items.emplace_back(actions[i].error());
      continue;
    }
    const StatementRequest& one = *request.statements[i];
    Result<WriteReply> written = Run(one, *std::move(actions[i]), now_unix_ms);
    if (!written.ok()) {
      reply.items.emplace_back(written.error());
      continue;
    }
    if (written->consumed) AddConsumed(reply.consumed, *written->consumed);
    reply.items.emplace_back(ReturnedItem(one.statement, *std::move(written)));
  }
  return reply;
}

Result<TransactStatementReply> StatementWriter::Transact(const TransactStatementRequest& request,
                                                         std::int64_t now_unix_ms) {
  TransactWriteRequest transaction{.client_request_token = request.client_request_token,
                                   .return_consumed_capacity = request.return_consumed_capacity};
  ErrorDetails details;
  for (std::size_t i = 0; i < request.statements.size(); ++i) {
    const Statement& statement = request.statements[i];
    Result<WriteAction> action = Plan(statement, now_unix_ms);
    if (action.ok()) {
      transaction.actions.push_back(*std::move(action));
      transaction.actions.back().return_item_on_condition_failure =
          request.return_items_on_condition_failure[i];
      continue;
    }
    if (!statement.index.empty() || statement.kind == StatementKind::kExists) {
      if (action.error().code() == ErrorCode::kValidation) {
        return InTransaction(i, action.error());
      }
    }
    details.reasons.resize(request.statements.size());
    details.reasons[i] = action.error().code() == ErrorCode::kValidation
                             ? ValidationError("The provided key element does not match the schema")
                             : action.error();
  }
  if (!details.reasons.empty()) return Cancelled(std::move(details));
  TRY(CheckSize(transaction.actions));

  Result<TransactWriteReply> written = items_.Transact(transaction, now_unix_ms);
  if (written.ok()) {
    return TransactStatementReply{
        .items = std::vector<std::optional<value::Item>>(request.statements.size()),
        .consumed = (*std::move(written)).consumed};
  }
  if (written.error().code() != ErrorCode::kTransactionCanceled) return written.error();
  details = *written.error().details();
  for (std::size_t i = 0; i < details.reasons.size(); ++i) {
    std::optional<Error>& reason = details.reasons[i];
    if (reason) reason = AsStatementError(request.statements[i], *reason);
  }
  return Cancelled(std::move(details));
}

}  // namespace trestle::engine
