#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trestle/attribute_value.h"
#include "trestle/items.h"
#include "trestle/result.h"
#include "trestle/statements.h"
#include "trestle/streams.h"
#include "trestle/tables.h"

namespace trestle::embed {

// kSync: a write returns when it would survive a power cut. kRelaxed: when the operating system
// has it; a crash of the process loses nothing, a power cut may lose the last moments.
enum class Durability { kSync, kRelaxed };

// Either a folder or in_memory.
struct DatabaseOptions {
  std::string folder{};    // made if it is absent; one process at a time has it open
  bool in_memory = false;  // gone when the database is closed
  Durability durability = Durability::kSync;
  std::size_t cache_bytes = 0;  // for reading data again; 0: a quarter of the memory
};

// A DynamoDB inside this process: the same operations, limits and error texts, without HTTP and
// JSON.
//
// Safe from many threads. Reads run on the caller's thread and never wait for writes; a write
// returns when it is as durable as the options say, and writers that wait together share one
// sync. The destructor finishes writes under way; no call may be running then. A database that
// was moved from can only be assigned to or destroyed.
class Database {
 public:
  // Fails with kResourceInUseException when another process has the folder open, and with
  // kCorruption when the folder is damaged, is not Trestle's, or was written by a later version.
  [[nodiscard]] static Result<Database> Open(const DatabaseOptions& options);
  ~Database();
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;

  [[nodiscard]] Result<WriteItemOutput> PutItem(const PutItemInput& input);
  [[nodiscard]] Result<GetItemOutput> GetItem(const GetItemInput& input) const;
  [[nodiscard]] Result<WriteItemOutput> UpdateItem(const UpdateItemInput& input);
  [[nodiscard]] Result<WriteItemOutput> DeleteItem(const DeleteItemInput& input);

  [[nodiscard]] Result<PageOutput> Query(const QueryInput& input) const;
  [[nodiscard]] Result<PageOutput> Scan(const ScanInput& input) const;

  [[nodiscard]] Result<BatchGetItemOutput> BatchGetItem(const BatchGetItemInput& input) const;
  [[nodiscard]] Result<WriteItemsOutput> BatchWriteItem(const BatchWriteItemInput& input);
  [[nodiscard]] Result<TransactGetItemsOutput> TransactGetItems(
      const TransactGetItemsInput& input) const;
  [[nodiscard]] Result<WriteItemsOutput> TransactWriteItems(const TransactWriteItemsInput& input);

  [[nodiscard]] Result<ExecuteStatementOutput> ExecuteStatement(const ExecuteStatementInput& input);
  [[nodiscard]] Result<BatchExecuteStatementOutput> BatchExecuteStatement(
      const BatchExecuteStatementInput& input);
  [[nodiscard]] Result<ExecuteTransactionOutput> ExecuteTransaction(
      const ExecuteTransactionInput& input);

  [[nodiscard]] Result<TableDescription> CreateTable(const CreateTableInput& input);
  [[nodiscard]] Result<TableDescription> UpdateTable(const UpdateTableInput& input);
  [[nodiscard]] Result<TableDescription> DeleteTable(const DeleteTableInput& input);
  [[nodiscard]] Result<TableDescription> DescribeTable(const DescribeTableInput& input) const;
  [[nodiscard]] Result<ListTablesOutput> ListTables(const ListTablesInput& input) const;

  // Nothing while items do not expire.
  [[nodiscard]] Result<std::optional<TimeToLiveSpecification>> DescribeTimeToLive(
      const DescribeTimeToLiveInput& input) const;
  [[nodiscard]] Result<TimeToLiveSpecification> UpdateTimeToLive(
      const UpdateTimeToLiveInput& input);

  // Each answers with the tags that the table has then.
  [[nodiscard]] Result<std::vector<Tag>> ListTagsOfResource(
      const ListTagsOfResourceInput& input) const;
  [[nodiscard]] Result<std::vector<Tag>> TagResource(const TagResourceInput& input);
  [[nodiscard]] Result<std::vector<Tag>> UntagResource(const UntagResourceInput& input);

  // Follows the changes of a table.
  [[nodiscard]] Result<Subscription> Subscribe(const SubscribeInput& input) const;

 private:
  struct Impl;

  explicit Database(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace trestle::embed
