#include "engine/item_writer.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/client_token.h"
#include "engine/keys.h"
#include "engine/rows.h"
#include "engine/write.h"

namespace trestle::engine {
namespace {

using Tables = std::vector<std::shared_ptr<const TableSchema>>;  // one per action

constexpr double kTransactionFactor = 2;  // a transaction prepares and commits

// Known without the table, and refused before it is looked up.
Status CheckItemSize(const WriteAction& action) {
  if (action.kind == WriteKind::kPut && action.item.view().size_bytes() > kItemSizeBytesMax) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return Ok();
}

Result<Tables> FindTables(const Catalog& catalog, const std::vector<WriteAction>& actions,
                          std::int64_t now_unix_ms) {
  for (const WriteAction& action : actions)
    TRY(CheckItemSize(action));
  Tables tables;
  for (const WriteAction& action : actions) {
    tables.push_back(TRY(FindUsableTable(catalog, action.table, now_unix_ms)));
  }
  return tables;
}

// A put in a batch that lacks its key gets the text of a key.
Status CheckBatchAction(const TableSchema& table, const WriteAction& action) {
  if (action.kind == WriteKind::kPut) {
    const value::Item key = KeyOf(table, action.item.view());
    TRY(CheckKeyShape(table, key.view()));
  }
  return CheckAction(table, action);
}

bool HasDuplicates(const Tables& tables, const std::vector<WriteAction>& actions) {
  std::set<std::string> rows;
  for (std::size_t i = 0; i < actions.size(); ++i) {
    if (!rows.insert(ItemRow(*tables[i], actions[i].item.view())).second) return true;
  }
  return false;
}

Error Cancelled(std::vector<std::optional<Error>> reasons) {
  return {ErrorCode::kTransactionCanceled, "Transaction cancelled",
          std::make_shared<const ErrorDetails>(ErrorDetails{.reasons = std::move(reasons)})};
}

// Cancelled because of one action alone.
Error CancelledAt(std::size_t index, std::size_t action_count, const Error& reason) {
  std::vector<std::optional<Error>> reasons(action_count);
  reasons[index] = reason;
  return Cancelled(std::move(reasons));
}

// What is wrong whatever the items are. The first key that does not fit its table is the reason of
// its action, and the only one.
Status CheckTransaction(const Tables& tables, const std::vector<WriteAction>& actions) {
  for (std::size_t i = 0; i < actions.size(); ++i) {
    const bool is_put = actions[i].kind == WriteKind::kPut;
    const value::ItemView item = actions[i].item.view();
    Status key = is_put ? CheckItemKey(*tables[i], item) : CheckKey(*tables[i], item);
    if (key.ok()) continue;
    if (FailsTransaction(key.error())) return key;
    return CancelledAt(i, actions.size(), key.error());
  }
  if (HasDuplicates(tables, actions)) {
    return ValidationError("Transaction request cannot include multiple operations on one item");
  }
  return Ok();
}

Result<Decision> DecideInTransaction(const std::shared_ptr<const TableSchema>& table,
                                     const WriteAction& action, const Group& group) {
  TRY(CheckAction(*table, action));
  return Decide(table, action, group);
}

bool IsCancellation(ErrorCode code) {
  return code == ErrorCode::kConditionalCheckFailed || code == ErrorCode::kValidation ||
         code == ErrorCode::kItemCollectionTooLarge;
}

// All decisions, or the cancellation: with every condition that failed, or, when all of them held,
// with the first action that makes an item which may not be.
Result<std::vector<Decision>> DecideAll(const Tables& tables,
                                        const std::vector<WriteAction>& actions,
                                        const Group& group) {
  std::vector<Decision> decisions;
  std::vector<std::optional<Error>> failed_conditions(actions.size());
  bool has_failed = false;
  std::optional<Error> fault;  // the cancellation for the first one
  for (std::size_t i = 0; i < actions.size(); ++i) {
    Result<Decision> decision = DecideInTransaction(tables[i], actions[i], group);
    if (decision.ok()) {
      decisions.push_back(*std::move(decision));
      continue;
    }
    const Error& error = decision.error();
    if (!IsCancellation(error.code()) || FailsTransaction(error)) return error;
    if (error.code() == ErrorCode::kConditionalCheckFailed) {
      failed_conditions[i] = error;
      has_failed = true;
    } else if (!fault) {
      fault = CancelledAt(i, actions.size(), error);
    }
  }
  if (has_failed) return Cancelled(std::move(failed_conditions));
  if (fault) return *std::move(fault);
  return decisions;
}

// A replay changes nothing and is charged as reads of what the first call wrote.
TransactWriteReply Replay(const Tables& tables, const std::vector<std::uint64_t>& size_bytes) {
  TransactWriteReply reply;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const double units = ReadUnits(size_bytes[i], Consistency::kStrong) * kTransactionFactor;
    AddConsumed(reply.consumed, {.table = tables[i]->name, .table_read_units = units});
  }
  return reply;
}

}  // namespace

Result<std::shared_ptr<const TableSchema>> FindUsableTable(const Catalog& catalog,
                                                           std::string_view table,
                                                           std::int64_t now_unix_ms) {
  std::shared_ptr<const TableSchema> found = catalog.Find(table);
  const bool is_usable = found && StatusAt(*found, now_unix_ms) != TableStatus::kCreating &&
                         StatusAt(*found, now_unix_ms) != TableStatus::kDeleting;
  if (!is_usable) return Error(ErrorCode::kResourceNotFound, "Requested resource not found");
  return found;
}

Result<WriteReply> ItemWriter::Write(const WriteRequest& request, std::int64_t now_unix_ms) {
  TRY(CheckItemSize(request.action));
  auto table = TRY(FindUsableTable(catalog_, request.action.table, now_unix_ms));
  TRY(CheckAction(*table, request.action));
  Decision decision = TRY(Decide(std::move(table), request.action, group_));
  Applied applied = TRY(Apply(decision, now_unix_ms, group_));

  WriteReply reply;
  if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    reply.consumed = std::move(applied.consumed);
  }
  if (request.return_item_collection_metrics == ReturnItemCollectionMetrics::kSize &&
      applied.collection_bytes) {
    reply.item_collection_metrics =
        MetricsOf(*decision.table, request.action.item.view(), *applied.collection_bytes);
  }
  const ReturnValues values = request.return_values;
  if (values == ReturnValues::kAllOld || values == ReturnValues::kUpdatedOld) {
    reply.old_item = std::move(decision.old_item);
  }
  if (values == ReturnValues::kAllNew || values == ReturnValues::kUpdatedNew) {
    reply.new_item = std::move(decision.new_item);
  }
  return reply;
}

Result<BatchWriteReply> ItemWriter::WriteBatch(const BatchWriteRequest& request,
                                               std::int64_t now_unix_ms) {
  const Tables tables = TRY(FindTables(catalog_, request.actions, now_unix_ms));
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TRY(CheckBatchAction(*tables[i], request.actions[i]));
  }
  if (HasDuplicates(tables, request.actions)) {
    return ValidationError("Provided list of item keys contains duplicates");
  }

  // Every action is decided before the first is applied, so that a failed read changes nothing.
  std::vector<Decision> decisions;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    decisions.push_back(TRY(Decide(tables[i], request.actions[i], group_)));
  }
  BatchWriteReply reply;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    Applied applied = TRY(Apply(decisions[i], now_unix_ms, group_));
    AddConsumed(reply.consumed, std::move(applied.consumed));
    if (applied.collection_bytes) {
      reply.item_collection_metrics.push_back(
          MetricsOf(*tables[i], request.actions[i].item.view(), *applied.collection_bytes));
    }
  }
  return reply;
}

Result<TransactWriteReply> ItemWriter::Transact(const TransactWriteRequest& request,
                                                std::int64_t now_unix_ms) {
  const Tables tables = TRY(FindTables(catalog_, request.actions, now_unix_ms));
  TRY(CheckTransaction(tables, request.actions));
  const std::vector<std::uint64_t> known_sizes = TRY(FindSizes(request, now_unix_ms, group_));
  if (!known_sizes.empty()) return Replay(tables, known_sizes);

  const std::vector<Decision> decisions = TRY(DecideAll(tables, request.actions, group_));
  TransactWriteReply reply;
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    Applied applied = TRY(Apply(decisions[i], now_unix_ms, group_));
    sizes.push_back(applied.size_bytes);
    applied.consumed.table_write_units *= kTransactionFactor;  // and not those of indexes
    AddConsumed(reply.consumed, std::move(applied.consumed));
    if (applied.collection_bytes && request.actions[i].kind != WriteKind::kConditionCheck) {
      reply.item_collection_metrics.push_back(
          MetricsOf(*tables[i], request.actions[i].item.view(), *applied.collection_bytes));
    }
  }
  RememberToken(request, sizes, now_unix_ms, group_);
  return reply;
}

}  // namespace trestle::engine
