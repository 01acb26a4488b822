#include "engine/statement.h"

#include <algorithm>
#include <compare>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/capacity.h"
#include "engine/item_writer.h"
#include "engine/key_plan.h"
#include "engine/keys.h"
#include "engine/read.h"
#include "engine/rows.h"
#include "expr/compare.h"
#include "value/item_codec.h"

namespace trestle::engine {
namespace {

using expr::ConditionProgram;
using expr::partiql::OrderTerm;
using expr::partiql::Returning;
using expr::partiql::Statement;
using expr::partiql::StatementKind;

Result<PageSource> FindSource(const TableSchema& table, const StatementRequest& request) {
  if (request.statement.index.empty()) return PageSource{.table = &table};
  const IndexSchema* index = table.FindIndex(request.statement.index);
  if (index == nullptr || index->status == IndexStatus::kDeleting) {
    return ValidationError("The table does not have the specified index");
  }
  if (index->is_global && request.consistency == Consistency::kStrong) {
    return ValidationError("Strongly consistent read is not supported on Global Secondary Indexes");
  }
  if (index->is_global && index->status == IndexStatus::kCreating) {
    return ValidationError(
        fmt::format("Cannot read from backfilling global secondary index: {}", index->name));
  }
  return PageSource{.table = &table, .index = index};
}

const OrderTerm* FindOrder(const Statement& statement, const std::vector<KeyAttribute>& keys) {
  for (const OrderTerm& term : statement.order) {
    if (std::ranges::find(keys, term.attribute, &KeyAttribute::name) != keys.end()) return &term;
  }
  return nullptr;
}

Status CheckOrder(const PageSource& source, const Statement& statement,
                  const std::optional<std::vector<KeyedRead>>& reads) {
  if (!statement.where) {
    return ValidationError("Must have WHERE clause in the statement when using ORDER BY clause.");
  }
  std::vector<KeyAttribute> keys = source.PartitionKeys();
  for (KeyAttribute& key : source.SortKeys())
    keys.push_back(std::move(key));
  for (const OrderTerm& term : statement.order) {
    if (std::ranges::find(keys, term.attribute, &KeyAttribute::name) != keys.end()) continue;
    return ValidationError(fmt::format(
        "Attribute {} in ORDER BY clause must be part of the primary key", term.attribute));
  }
  if (!reads) {
    return ValidationError(
        "Must have at least one non-optional hash key condition in WHERE clause when using ORDER "
        "BY clause.");
  }
  const bool is_one_partition = std::ranges::all_of(
      *reads, [&](const KeyedRead& read) { return read.partition == reads->front().partition; });
  if (is_one_partition || FindOrder(statement, source.PartitionKeys()) != nullptr) return Ok();
  return ValidationError(
      "Must have hash key in ORDER BY clause when more than one hash key condition specified in "
      "WHERE clause.");
}

// Partitions in their own order, and in each of them the rows in theirs.
void SortReads(const PageSource& source, const Statement& statement, Direction direction,
               std::vector<KeyedRead>& reads) {
  const OrderTerm* const partition = FindOrder(statement, source.PartitionKeys());
  const bool is_descending = partition != nullptr && partition->is_descending;
  std::ranges::stable_sort(reads, [&](const KeyedRead& left, const KeyedRead& right) {
    const std::strong_ordering order =
        expr::CompareOrdered(value::ValueView(left.partition), value::ValueView(right.partition));
    if (std::is_neq(order)) return is_descending ? std::is_gt(order) : std::is_lt(order);
    return direction == Direction::kForward ? left.range.first < right.range.first
                                            : left.range.first > right.range.first;
  });
}

// The attributes that the columns are parts of.
expr::Projection ProjectionOf(const Statement& statement) {
  std::vector<value::DocumentPath> paths;
  for (const value::DocumentPath& column : statement.columns) {
    value::DocumentPath path{.elements = {column.elements.front()}};
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(std::move(path));
  }
  return expr::Projection(std::move(paths));
}

value::Item SelectColumns(const Statement& statement, value::ItemView item) {
  if (statement.columns.empty()) return value::Item(std::string(item.bytes()));
  std::vector<std::string> names;
  names.reserve(statement.columns.size());
  value::ItemBuilder builder;
  for (const value::DocumentPath& column : statement.columns) {
    const std::optional<value::ValueView> found = value::Resolve(item, column);
    if (!found) continue;
    names.push_back(expr::partiql::ColumnName(column));
    builder.Add(names.back(), found->bytes());
  }
  return builder.Finish();
}

// A test of whether the item is there, in front of a condition.
expr::Condition WithPresence(const TableSchema& table, expr::TestKind kind,
                             std::optional<ConditionProgram> rest) {
  const bool must_be_there = kind == expr::TestKind::kAttributeExists;
  ConditionProgram program = rest ? *std::move(rest) : ConditionProgram();
  for (expr::Test& test : program.tests) {
    if (test.if_true < expr::kDoesNotMatch) ++test.if_true;
    if (test.if_false < expr::kDoesNotMatch) ++test.if_false;
  }
  const auto rest_or = [&](std::uint32_t end) {
    return program.tests.empty() ? end : std::uint32_t{1};
  };
  const std::uint32_t if_true = must_be_there ? rest_or(expr::kMatches) : expr::kMatches;
  const std::uint32_t if_false = must_be_there ? expr::kDoesNotMatch : rest_or(expr::kDoesNotMatch);
  program.tests.insert(program.tests.begin(),
                       {.kind = kind,
                        .type = value::Type::kNull,
                        .first_operand = static_cast<std::uint32_t>(program.operands.size()),
                        .operand_count = 1,
                        .if_true = if_true,
                        .if_false = if_false});
  program.operands.push_back({.kind = expr::Operand::Kind::kPath,
                              .path = {.elements = {table.partition.name}},
                              .value = {}});
  return expr::Condition(std::move(program));
}

// The key of a SELECT that names one item of the table and asks nothing more of it.
Result<value::Item> SingleKey(const TableSchema& table, const Statement& statement,
                              std::string_view operation) {
  Result<KeyedCondition> keyed = TakeKey(table, statement.where);
  if (keyed.ok() && !keyed->rest && statement.index.empty()) return (*std::move(keyed)).key;
  return ValidationError(fmt::format(
      "Select statements within {} must specify the primary key in the where clause.", operation));
}

}  // namespace

Status CheckAlone(const Statement& statement) {
  if (statement.kind != StatementKind::kExists) return Ok();
  return ValidationError("EXISTS can only be used in ExecuteTransaction write requests.");
}

Status CheckTransacted(const Statement& statement) {
  if (statement.returning == Returning::kNone) return Ok();
  return ValidationError("RETURNING clause is not supported in ExecuteTransaction.");
}

Status CheckTogether(const BatchStatementRequest& request) {
  bool has_read = false;
  bool has_write = false;
  for (const Result<StatementRequest>& one : request.statements)
    if (one.ok()) (one->statement.IsRead() ? has_read : has_write) = true;
  if (!has_read || !has_write) return Ok();
  return ValidationError("Read and write requests together in the same batch is not supported.");
}

Status CheckTogether(const TransactStatementRequest& request) {
  const auto reads = std::ranges::count_if(request.statements, &Statement::IsRead);
  if (reads == 0 || reads == std::ssize(request.statements)) return Ok();
  return ValidationError(
      "ExecuteTransaction API does not support both read and write operations in the same "
      "request.");
}

Error InTransaction(std::size_t position, const Error& error) {
  return {error.code(), fmt::format("Validation failed in TransactStatements[{}]: {}", position,
                                    error.message())};
}

Result<std::unique_ptr<PageReader>> StartSelect(const PagePlace& place,
                                                std::shared_ptr<const TableSchema> table,
                                                const StatementRequest& request) {
  const Statement& statement = request.statement;
  const PageSource source = TRY(FindSource(*table, request));
  PageRequest page{.table = table->name,
                   .index = statement.index,
                   .exclusive_start_key = request.exclusive_start_key,
                   .limit = request.limit,
                   .consistency = request.consistency,
                   .return_consumed_capacity = request.return_consumed_capacity};
  if (!statement.columns.empty()) page.projection = ProjectionOf(statement);

  TRY(CheckSelect(source, page));

  std::optional<std::vector<KeyedRead>> reads;
  if (statement.where) {
    page.filter = expr::Condition(statement.where->program);
    reads = TRY(PlanReads(source, *statement.where));
  }
  if (reads) TRY(CheckFilterIsProjected(source, expr::AttributesOf(statement.where->program)));
  if (!statement.order.empty()) {
    TRY(CheckOrder(source, statement, reads));
    const OrderTerm* const sort = FindOrder(statement, source.SortKeys());
    if (sort != nullptr && sort->is_descending) page.direction = Direction::kBackward;
    SortReads(source, statement, page.direction, *reads);
  }
  if (!reads) return StartRanges(place, std::move(table), source, page, {ScanRange(source, 0, 1)});

  // One item is read as GetItem reads it: there is no next page.
  if (reads->size() == 1 && reads->front().is_single_item) page.limit.reset();
  std::vector<RowRange> ranges;
  for (KeyedRead& read : *reads)
    ranges.push_back(std::move(read.range));
  return StartRanges(place, std::move(table), source, page, std::move(ranges));
}

StatementReply ToStatementReply(const Statement& statement, PageReply page) {
  StatementReply reply{.items = {},
                       .last_evaluated_key = std::move(page.last_evaluated_key),
                       .consumed = std::move(page.consumed)};
  if (statement.columns.empty()) {
    reply.items = std::move(page.items);
    return reply;
  }
  for (std::size_t i = 0; i < page.items.size(); ++i) {
    reply.items.Append(SelectColumns(statement, page.items[i]).view());
  }
  return reply;
}

Result<WriteAction> PlanWrite(const TableSchema& table, const Statement& statement) {
  WriteAction action{.table = table.name};
  if (statement.kind == StatementKind::kInsert) {
    action.item = statement.item;
    action.condition = WithPresence(table, expr::TestKind::kAttributeNotExists, std::nullopt);
    return action;
  }
  if (statement.kind == StatementKind::kExists) {
    Result<KeyedCondition> keyed = TakeKey(table, statement.where);
    if (!keyed.ok() || !keyed->rest) {
      return ValidationError("EXISTS() must contain a single item read with additional condition");
    }
    action.kind = WriteKind::kConditionCheck;
    action.item = keyed->key;
    action.condition = expr::Condition(*keyed->rest);
    return action;
  }
  KeyedCondition keyed = TRY(TakeKey(table, statement.where));
  action.item = std::move(keyed.key);
  if (statement.kind == StatementKind::kUpdate) {
    action.kind = WriteKind::kUpdate;
    action.update = statement.update;
    action.condition = WithPresence(table, expr::TestKind::kAttributeExists, std::move(keyed.rest));
    return action;
  }
  // Deleting what is not there succeeds, whatever the condition says of it.
  action.kind = WriteKind::kDelete;
  if (keyed.rest) {
    action.condition =
        WithPresence(table, expr::TestKind::kAttributeNotExists, std::move(keyed.rest));
  }
  return action;
}

ReturnValues ReturnValuesOf(const Statement& statement) {
  switch (statement.returning) {
    case Returning::kNone:
      return ReturnValues::kNone;
    case Returning::kAllOld:
      return ReturnValues::kAllOld;
    case Returning::kModifiedOld:
      return ReturnValues::kUpdatedOld;
    case Returning::kAllNew:
      return ReturnValues::kAllNew;
    case Returning::kModifiedNew:
      return ReturnValues::kUpdatedNew;
  }
  UNREACHABLE("a clause that is not in the enum");
}

std::optional<value::Item> ReturnedItem(const Statement& statement, WriteReply reply) {
  std::optional<value::Item> item =
      reply.old_item ? std::move(reply.old_item) : std::move(reply.new_item);
  const bool is_part = statement.returning == Returning::kModifiedOld ||
                       statement.returning == Returning::kModifiedNew;
  if (!item || !is_part) return item;
  value::Item part = expr::Projection(statement.update.targets()).Apply(item->view());
  if (part.view().count() == 0) return std::nullopt;
  return part;
}

Result<BatchStatementReply> ReadStatements(const storage::Store& store, const Catalog& catalog,
                                           const BatchStatementRequest& request,
                                           std::int64_t now_unix_ms) {
  std::vector<Result<GetRequest>> gets;
  std::set<std::string> rows;
  for (const Result<StatementRequest>& one : request.statements) {
    const auto plan = [&]() -> Result<GetRequest> {
      if (!one.ok()) return one.error();
      const Statement& statement = one->statement;
      const auto table = TRY(FindUsableTable(catalog, statement.table, now_unix_ms));
      GetRequest get{.table = table->name,
                     .key = TRY(SingleKey(*table, statement, "BatchExecuteStatement")),
                     .consistency = one->consistency,
                     .return_consumed_capacity = ReturnConsumedCapacity::kTotal};
      TRY(CheckKey(*table, get.key.view()));
      return get;
    };
    gets.push_back(plan());
    if (!gets.back().ok()) continue;
    const auto table = TRY(FindUsableTable(catalog, gets.back()->table, now_unix_ms));
    if (!rows.insert(ItemRow(*table, gets.back()->key.view())).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }

  BatchStatementReply reply;
  for (std::size_t i = 0; i < gets.size(); ++i) {
    if (!gets[i].ok()) {
      reply.items.emplace_back(gets[i].error());
      continue;
    }
    GetReply got = TRY(ReadItem(store, catalog, *gets[i], now_unix_ms));
    AddConsumed(reply.consumed, *std::move(got.consumed));
    if (got.item) got.item = SelectColumns(request.statements[i]->statement, got.item->view());
    reply.items.emplace_back(std::move(got.item));
  }
  return reply;
}

Result<TransactStatementReply> ReadStatements(const storage::Store& store, const Catalog& catalog,
                                              const TransactStatementRequest& request,
                                              std::int64_t now_unix_ms) {
  TransactGetRequest transaction{.return_consumed_capacity = request.return_consumed_capacity};
  ErrorDetails details;
  for (std::size_t i = 0; i < request.statements.size(); ++i) {
    const Statement& statement = request.statements[i];
    if (!statement.index.empty()) {
      return InTransaction(
          i, ValidationError("Reads on indices are not supported within transactions."));
    }
    const auto table = FindUsableTable(catalog, statement.table, now_unix_ms);
    if (!table.ok()) {
      details.reasons.resize(request.statements.size());
      details.reasons[i] = table.error();
      continue;
    }
    Result<value::Item> key = SingleKey(**table, statement, "ExecuteTransaction");
    if (!key.ok()) return InTransaction(i, key.error());
    transaction.gets.push_back(
        {.table = statement.table, .key = *std::move(key), .projection = {}});
  }
  if (!details.reasons.empty()) {
    return Error(ErrorCode::kTransactionCanceled, "Transaction cancelled",
                 std::make_shared<const ErrorDetails>(std::move(details)));
  }

  TransactGetReply got = TRY(ReadTransaction(store, catalog, transaction, now_unix_ms));
  TransactStatementReply reply{.items = std::move(got.items), .consumed = std::move(got.consumed)};
  for (std::size_t i = 0; i < reply.items.size(); ++i) {
    std::optional<value::Item>& item = reply.items[i];
    if (item) item = SelectColumns(request.statements[i], item->view());
  }
  return reply;
}

}  // namespace trestle::engine
