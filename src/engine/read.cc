#include "engine/read.h"

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/item_writer.h"
#include "engine/keys.h"
#include "engine/rows.h"

namespace trestle::engine {
namespace {

using Tables = std::vector<std::shared_ptr<const TableSchema>>;

std::uint64_t SizeOf(bool is_there, const std::string& bytes) {
  return is_there ? value::ItemView(bytes).size_bytes() : 0;
}

Status CheckNoDuplicates(const std::vector<value::Item>& keys) {
  std::set<std::string_view> seen;
  for (const value::Item& key : keys) {
    if (!seen.insert(key.bytes()).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
  }
  return Ok();
}

// The keys of one table, as far as the reply has room.
Status ReadTable(const storage::Store& store, const TableSchema& table,
                 const BatchGetRequest::Table& request, std::uint64_t& reply_size_bytes,
                 BatchGetReply& reply) {
  BatchGetReply::Table result;
  ConsumedCapacity consumed{.table = table.name};
  std::string bytes;
  for (std::size_t i = 0; i < request.keys.size(); ++i) {
    if (reply_size_bytes >= kBatchGetBytesMax) {
      result.unprocessed.push_back(i);
      continue;
    }
    const bool is_there = TRY(store.Read(ItemRow(table, request.keys[i].view()), bytes, nullptr));
    const std::uint64_t size_bytes = SizeOf(is_there, bytes);
    if (reply_size_bytes + size_bytes > kBatchGetBytesMax) {
      reply_size_bytes = kBatchGetBytesMax;
      result.unprocessed.push_back(i);
      continue;
    }
    reply_size_bytes += size_bytes;
    consumed.table_read_units += ReadUnits(size_bytes, request.consistency);
    if (!is_there) continue;
    const value::ItemView item(bytes);
    if (request.projection) {
      result.items.Append(request.projection->Apply(item).view());
    } else {
      result.items.Append(item);
    }
  }
  reply.tables.push_back(std::move(result));
  reply.consumed.push_back(std::move(consumed));
  return Ok();
}

// Keys that do not fit their tables cancel the transaction, each with its reason.
Status CheckTransactKeys(const Tables& tables, const TransactGetRequest& request) {
  ErrorDetails details;
  bool is_cancelled = false;
  Status empty_key = Ok();  // refused after the cancellation
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const Status checked = CheckKey(*tables[i], request.gets[i].key.view());
    if (checked.ok()) {
      details.reasons.emplace_back();
    } else if (FailsTransaction(checked.error())) {
      empty_key = checked.error();
      details.reasons.emplace_back();
    } else {
      is_cancelled = true;
      details.reasons.emplace_back(checked.error());
    }
  }
  if (is_cancelled) {
    return Error(ErrorCode::kTransactionCanceled, "Transaction cancelled",
                 std::make_shared<const ErrorDetails>(std::move(details)));
  }
  TRY(empty_key);
  std::set<std::string> rows;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const value::ItemView key = request.gets[i].key.view();
    if (!rows.insert(ItemRow(*tables[i], key)).second) {
      return ValidationError("Transaction request cannot include multiple operations on one item");
    }
  }
  return Ok();
}

}  // namespace

Result<GetReply> ReadItem(const storage::Store& store, const Catalog& catalog,
                          const GetRequest& request, std::int64_t now_unix_ms) {
  const auto table = TRY(FindUsableTable(catalog, request.table, now_unix_ms));
  TRY(CheckKey(*table, request.key.view()));
  std::string bytes;
  const bool is_there = TRY(store.Read(ItemRow(*table, request.key.view()), bytes, nullptr));

  GetReply reply;
  if (request.return_consumed_capacity != ReturnConsumedCapacity::kNone) {
    reply.consumed = {.table = table->name,
                      .table_read_units = ReadUnits(SizeOf(is_there, bytes), request.consistency)};
  }
  if (!is_there) return reply;
  reply.item = value::Item(std::move(bytes));
  if (request.projection) reply.item = request.projection->Apply(reply.item->view());
  return reply;
}

Result<BatchGetReply> ReadBatch(const storage::Store& store, const Catalog& catalog,
                                const BatchGetRequest& request, std::int64_t now_unix_ms) {
  for (const BatchGetRequest::Table& table : request.tables)
    TRY(CheckNoDuplicates(table.keys));
  Tables tables;
  for (const BatchGetRequest::Table& table : request.tables) {
    tables.push_back(TRY(FindUsableTable(catalog, table.table, now_unix_ms)));
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    for (const value::Item& key : request.tables[i].keys)
      TRY(CheckKey(*tables[i], key.view()));
  }

  BatchGetReply reply;
  std::uint64_t reply_size_bytes = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    TRY(ReadTable(store, *tables[i], request.tables[i], reply_size_bytes, reply));
  }
  return reply;
}

Result<TransactGetReply> ReadTransaction(const storage::Store& store, const Catalog& catalog,
                                         const TransactGetRequest& request,
                                         std::int64_t now_unix_ms) {
  Tables tables;
  for (const TransactGetRequest::Get& get : request.gets) {
    tables.push_back(TRY(FindUsableTable(catalog, get.table, now_unix_ms)));
  }
  TRY(CheckTransactKeys(tables, request));

  const auto snapshot = store.TakeSnapshot();
  TransactGetReply reply;
  std::uint64_t total_bytes = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    const TransactGetRequest::Get& get = request.gets[i];
    std::string bytes;
    const bool is_there =
        TRY(store.Read(ItemRow(*tables[i], get.key.view()), bytes, snapshot.get()));
    const std::uint64_t size_bytes = SizeOf(is_there, bytes);
    total_bytes += size_bytes;
    AddConsumed(reply.consumed,
                {.table = tables[i]->name,
                 .table_read_units = ReadUnits(size_bytes, Consistency::kStrong) * 2});
    if (!is_there) {
      reply.items.emplace_back();
    } else if (get.projection) {
      reply.items.emplace_back(get.projection->Apply(value::ItemView(bytes)));
    } else {
      reply.items.emplace_back(value::Item(std::move(bytes)));
    }
  }
  if (total_bytes > kTransactBytesMax) {
    return ValidationError(
        "Member must have total size less than or equal to 4 MB in a transaction");
  }
  return reply;
}

}  // namespace trestle::engine
