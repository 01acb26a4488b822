#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/result.h"
#include "engine/schema.h"
#include "engine/stream.h"
#include "engine/stream_shards.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/partiql/statement.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "value/item.h"

// What the engine can be asked, and what it answers. Plain data; no JSON, no operation's own
// options beyond what decides the reply.

namespace trestle::engine {

enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
enum class ReturnItemCollectionMetrics { kNone, kSize };
enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class Select { kAllAttributes, kAllProjectedAttributes, kSpecificAttributes, kCount };
enum class Direction { kForward, kBackward };
enum class Consistency { kEventual, kStrong };

struct IndexUnits {
  std::string index;
  bool is_global = true;
  double read_units = 0;
  double write_units = 0;
};

// What one request consumed of one table.
struct ConsumedCapacity {
  std::string table;
  double table_read_units = 0;
  double table_write_units = 0;
  std::vector<IndexUnits> indexes;

  [[nodiscard]] double ReadUnits() const;
  [[nodiscard]] double WriteUnits() const;
};

// The size of all items of one partition key, in a table with local indexes.
struct ItemCollectionMetrics {
  std::string table;
  value::Item key;  // the partition key attribute alone
  std::uint64_t size_bytes = 0;
};

// Many items in one buffer, in order.
class ItemList {
 public:
  void Append(value::ItemView item) {
    bytes_.append(item.bytes());
    ends_.push_back(bytes_.size());
  }
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  [[nodiscard]] bool empty() const { return ends_.empty(); }
  [[nodiscard]] value::ItemView operator[](std::size_t index) const {
    const std::size_t start = index == 0 ? 0 : ends_[index - 1];
    return value::ItemView(std::string_view(bytes_).substr(start, ends_[index] - start));
  }

 private:
  std::string bytes_;
  std::vector<std::size_t> ends_;
};

struct GetRequest {
  std::string table;
  value::Item key;
  std::optional<expr::Projection> projection;
  Consistency consistency = Consistency::kEventual;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct GetReply {
  std::optional<value::Item> item;
  std::optional<ConsumedCapacity> consumed;  // when asked for
};

struct BatchGetRequest {
  struct Table {
    std::string table;
    std::vector<value::Item> keys;
    std::optional<expr::Projection> projection;
    Consistency consistency = Consistency::kEventual;
  };
  std::vector<Table> tables;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchGetReply {
  struct Table {
    ItemList items;
    std::vector<std::size_t> unprocessed;  // positions in the request's keys
  };
  std::vector<Table> tables;  // as in the request
  std::vector<ConsumedCapacity> consumed;
};

struct TransactGetRequest {
  struct Get {
    std::string table;
    value::Item key;
    std::optional<expr::Projection> projection;
  };
  std::vector<Get> gets;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactGetReply {
  std::vector<std::optional<value::Item>> items;
  std::vector<ConsumedCapacity> consumed;
};

// A Query when it has a key condition, a Scan when it has none.
struct PageRequest {
  std::string table;
  std::string index;  // empty: the table itself
  std::optional<expr::KeyCondition> key_condition;
  expr::Condition filter;
  std::string_view filter_name = "Filter Expression";  // in error texts
  std::optional<expr::Projection> projection;
  std::optional<Select> select;
  std::optional<value::Item> exclusive_start_key;
  std::optional<std::uint32_t> limit;  // items evaluated, before the filter
  Direction direction = Direction::kForward;
  Consistency consistency = Consistency::kEventual;
  std::uint32_t segment = 0;  // of a parallel Scan
  std::uint32_t total_segments = 1;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct PageReply {
  ItemList items;  // empty for Select::kCount
  std::uint64_t count = 0;
  std::uint64_t scanned_count = 0;
  std::optional<value::Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed;
};

enum class WriteKind { kPut, kUpdate, kDelete, kConditionCheck };

struct WriteAction {
  WriteKind kind = WriteKind::kPut;
  std::string table;
  value::Item item;  // of a put: the whole item; otherwise the key
  expr::Condition condition;
  expr::Update update;
  bool return_item_on_condition_failure = false;
};

struct WriteRequest {
  WriteAction action;
  ReturnValues return_values = ReturnValues::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct WriteReply {
  std::optional<value::Item> old_item;
  std::optional<value::Item> new_item;
  std::optional<ConsumedCapacity> consumed;
  std::optional<ItemCollectionMetrics> item_collection_metrics;
};

// Puts and deletes that succeed or fail one by one.
struct BatchWriteRequest {
  std::vector<WriteAction> actions;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct BatchWriteReply {
  std::vector<ConsumedCapacity> consumed;
  std::vector<ItemCollectionMetrics> item_collection_metrics;
};

struct TransactWriteRequest {
  std::vector<WriteAction> actions;
  std::string client_request_token;  // empty: none
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct TransactWriteReply {
  std::vector<ConsumedCapacity> consumed;
  std::vector<ItemCollectionMetrics> item_collection_metrics;
};

// A PartiQL statement: a page of items, or a write.
struct StatementRequest {
  expr::partiql::Statement statement;
  std::optional<value::Item> exclusive_start_key;
  std::optional<std::uint32_t> limit;  // items evaluated, before the filter
  Consistency consistency = Consistency::kEventual;
  bool return_item_on_condition_failure = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct StatementReply {
  ItemList items;  // of a SELECT, or what RETURNING asks for
  std::optional<value::Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed;
};

// Statements that succeed or fail one by one. All that could be read are reads, or all are writes.
struct BatchStatementRequest {
  std::vector<Result<StatementRequest>> statements;  // an error: could not be read
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchStatementReply {
  std::vector<Result<std::optional<value::Item>>> items;  // one for each statement
  std::vector<ConsumedCapacity> consumed;
};

// Statements that all read, of one moment, or all write, or none of them does.
struct TransactStatementRequest {
  std::vector<expr::partiql::Statement> statements;
  std::vector<bool> return_items_on_condition_failure;  // one for each statement
  std::string client_request_token;                     // empty: none
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactStatementReply {
  std::vector<std::optional<value::Item>> items;  // one for each statement
  std::vector<ConsumedCapacity> consumed;
};

struct KeySchemaElement {
  std::string attribute;
  bool is_partition = true;  // HASH; otherwise RANGE
};

struct IndexDefinition {
  std::string name;
  bool is_global = true;
  std::vector<KeySchemaElement> key_schema;
  std::optional<ProjectionType> projection;
  std::optional<std::vector<std::string>> non_key_attributes;
  std::optional<ProvisionedThroughput> throughput;
  std::optional<OnDemandThroughput> on_demand;
  std::optional<WarmThroughput> warm;
};

struct StreamSpecification {
  bool is_enabled = false;
  std::optional<StreamViewType> view_type;
};

struct SseSpecification {
  std::optional<bool> is_enabled;
  std::optional<std::string> sse_type;  // "AES256" or "KMS"
  std::optional<std::string> kms_key;
};

struct CreateTableRequest {
  std::string table;
  std::vector<KeyAttribute> attribute_definitions;
  std::vector<KeySchemaElement> key_schema;
  std::optional<std::vector<IndexDefinition>> local_indexes;
  std::optional<std::vector<IndexDefinition>> global_indexes;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> throughput;
  std::optional<OnDemandThroughput> on_demand;
  std::optional<WarmThroughput> warm;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::optional<SseSpecification> sse;
  std::optional<StreamSpecification> stream;
  std::vector<std::pair<std::string, std::string>> tags;
};

struct GlobalIndexUpdate {
  struct Change {
    std::string name;
    std::optional<ProvisionedThroughput> throughput;
    std::optional<OnDemandThroughput> on_demand;
    std::optional<WarmThroughput> warm;
  };
  std::optional<IndexDefinition> create;
  std::optional<Change> update;
  std::optional<std::string> remove;
};

struct UpdateTableRequest {
  std::string table;
  std::optional<std::vector<KeyAttribute>> attribute_definitions;
  std::optional<std::vector<GlobalIndexUpdate>> global_index_updates;
  std::optional<BillingMode> billing_mode;
  std::optional<ProvisionedThroughput> throughput;
  std::optional<OnDemandThroughput> on_demand;
  std::optional<WarmThroughput> warm;
  std::optional<TableClass> table_class;
  std::optional<bool> deletion_protection;
  std::optional<SseSpecification> sse;
  std::optional<StreamSpecification> stream;
};

struct UpdateTimeToLiveRequest {
  std::string table;
  std::string attribute;
  bool is_enabled = false;
};

struct ChangeTagsRequest {
  std::string table;
  std::vector<std::pair<std::string, std::string>> set;
  std::vector<std::string> remove;  // keys
};

struct DeleteTableRequest {
  std::string table;
};

struct DescribeTableRequest {
  std::string table;
};

struct TableReply {
  TableDescription description;
};

struct ListTablesRequest {
  std::optional<std::string> exclusive_start_table_name;
  std::uint32_t limit = 100;
};

struct ListTablesReply {
  std::vector<std::string> tables;
  std::optional<std::string> last_evaluated_table_name;
};

// A stream by its table and label, and as the caller spells it, for errors.
struct StreamName {
  std::string table;
  std::int64_t created_unix_ms = 0;
  std::string arn;
};

enum class StreamStatus { kEnabling, kEnabled, kDisabling, kDisabled };

struct ListStreamsRequest {
  std::optional<std::string> table;  // none: of all tables
  std::optional<StreamName> exclusive_start_stream;
  std::uint32_t limit = 100;
};

struct ListStreamsReply {
  std::vector<std::shared_ptr<const Stream>> streams;
  bool has_more = false;
};

struct DescribeStreamRequest {
  StreamName stream;
  std::optional<ShardName> exclusive_start_shard;
  std::optional<ShardName> children_of;
  std::uint32_t limit = 100;
};

struct DescribeStreamReply {
  std::shared_ptr<const Stream> stream;
  StreamStatus status = StreamStatus::kEnabled;
  std::vector<Shard> shards;
  bool has_more = false;
};

enum class ShardIteratorType { kTrimHorizon, kLatest, kAtSequenceNumber, kAfterSequenceNumber };

struct ShardIteratorRequest {
  StreamName stream;
  ShardName shard;
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  std::uint64_t sequence = 0;  // of kAtSequenceNumber and kAfterSequenceNumber
};

// Sealed bytes: who changes them, or the name of the stream they are for, is refused.
struct ShardIteratorReply {
  std::string iterator;
};

struct RecordsRequest {
  std::string arn;  // as in the StreamName that the iterator was asked for with
  std::string iterator;
  std::uint32_t limit = 1000;
};

struct SequencedRecord {
  std::uint64_t sequence = 0;
  StreamRecord record;
};

struct RecordsReply {
  std::shared_ptr<const Stream> stream;
  std::vector<SequencedRecord> records;
  std::optional<std::string> next_iterator;  // none: the shard is closed and read to its end
};

using Request =
    std::variant<GetRequest, BatchGetRequest, TransactGetRequest, PageRequest, WriteRequest,
                 BatchWriteRequest, TransactWriteRequest, CreateTableRequest, UpdateTableRequest,
                 UpdateTimeToLiveRequest, ChangeTagsRequest, DeleteTableRequest,
                 DescribeTableRequest, ListTablesRequest, ListStreamsRequest, DescribeStreamRequest,
                 ShardIteratorRequest, RecordsRequest, StatementRequest, BatchStatementRequest,
                 TransactStatementRequest, std::monostate>;

using Reply =
    std::variant<GetReply, BatchGetReply, TransactGetReply, PageReply, WriteReply, BatchWriteReply,
                 TransactWriteReply, TableReply, ListTablesReply, ListStreamsReply,
                 DescribeStreamReply, ShardIteratorReply, RecordsReply, StatementReply,
                 BatchStatementReply, TransactStatementReply, std::monostate>;

// The reply of one kind of request as the reply of any.
template <typename T>
Result<Reply> ToReply(Result<T> result) {
  if (!result.ok()) return result.error();
  return Reply(*std::move(result));
}

// Whether the request must pass through the committer, and there as a commit of its own.
[[nodiscard]] bool IsWrite(const Request& request);
[[nodiscard]] bool IsTableChange(const Request& request);

}  // namespace trestle::engine
