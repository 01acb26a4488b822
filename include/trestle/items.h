#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "trestle/attribute_value.h"

// What the operations on items are asked and what they answer, under DynamoDB's names and with
// DynamoDB's meaning. Each field has an initializer, so that a call names only what it needs:
//
//   database.GetItem({.table_name = "books", .key = key, .consistent_read = true});
//
// An expression is optional, not empty: an empty one is refused, as the service refuses it.

namespace trestle::embed {

enum class ReturnValues { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class ReturnValuesOnConditionCheckFailure { kNone, kAllOld };
enum class ReturnConsumedCapacity { kNone, kTotal, kIndexes };
enum class ReturnItemCollectionMetrics { kNone, kSize };
enum class Select { kAllAttributes, kAllProjectedAttributes, kSpecificAttributes, kCount };

using ExpressionAttributeNames = std::map<std::string, std::string>;  // "#n" to a name
using ExpressionAttributeValues = Item;                               // ":v" to a value

struct Capacity {
  double capacity_units = 0;  // of both kinds
  double read_capacity_units = 0;
  double write_capacity_units = 0;
};

struct ConsumedCapacity {
  std::string table_name{};
  Capacity total{};
  // For ReturnConsumedCapacity::kIndexes.
  std::optional<Capacity> table{};
  std::map<std::string, Capacity> local_secondary_indexes{};
  std::map<std::string, Capacity> global_secondary_indexes{};
};

struct ItemCollectionMetrics {
  Item item_collection_key{};
  std::array<double, 2> size_estimate_range_gb{};
};

struct PutItemInput {
  std::string table_name{};
  Item item{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValues return_values = ReturnValues::kNone;  // or kAllOld
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

// Of PutItem, UpdateItem and DeleteItem.
struct WriteItemOutput {
  std::optional<Item> attributes{};  // what return_values asked for, if there is any
  std::optional<ConsumedCapacity> consumed_capacity{};
  std::optional<ItemCollectionMetrics> item_collection_metrics{};
};

struct UpdateItemInput {
  std::string table_name{};
  Item key{};
  std::optional<std::string> update_expression{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValues return_values = ReturnValues::kNone;
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct DeleteItemInput {
  std::string table_name{};
  Item key{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValues return_values = ReturnValues::kNone;  // or kAllOld
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

struct GetItemInput {
  std::string table_name{};
  Item key{};
  std::optional<std::string> projection_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct GetItemOutput {
  std::optional<Item> item{};
  std::optional<ConsumedCapacity> consumed_capacity{};
};

struct QueryInput {
  std::string table_name{};
  std::optional<std::string> index_name{};
  std::optional<std::string> key_condition_expression{};  // required, as the service says it
  std::optional<std::string> filter_expression{};
  std::optional<std::string> projection_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  std::optional<Select> select{};
  std::optional<Item> exclusive_start_key{};
  std::optional<std::int64_t> limit{};  // items evaluated, before the filter
  bool scan_index_forward = true;
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct ScanInput {
  std::string table_name{};
  std::optional<std::string> index_name{};
  std::optional<std::string> filter_expression{};
  std::optional<std::string> projection_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  std::optional<Select> select{};
  std::optional<Item> exclusive_start_key{};
  std::optional<std::int64_t> limit{};  // items evaluated, before the filter
  std::optional<std::int64_t> segment{};
  std::optional<std::int64_t> total_segments{};
  bool consistent_read = false;
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

// Of Query and Scan.
struct PageOutput {
  std::vector<Item> items{};  // empty for Select::kCount
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  // More may follow; the next call's exclusive_start_key.
  std::optional<Item> last_evaluated_key{};
  std::optional<ConsumedCapacity> consumed_capacity{};
};

struct KeysAndAttributes {
  std::vector<Item> keys{};
  std::optional<std::string> projection_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  bool consistent_read = false;
};

struct BatchGetItemInput {
  std::map<std::string, KeysAndAttributes> request_items{};  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct BatchGetItemOutput {
  std::map<std::string, std::vector<Item>> responses{};
  // What had no room in 16 MB: the next call's request_items.
  std::map<std::string, KeysAndAttributes> unprocessed_keys{};
  std::vector<ConsumedCapacity> consumed_capacity{};
};

struct PutRequest {
  Item item{};
};
struct DeleteRequest {
  Item key{};
};
using WriteRequest = std::variant<PutRequest, DeleteRequest>;

struct BatchWriteItemInput {
  std::map<std::string, std::vector<WriteRequest>> request_items{};  // by table
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

// Of BatchWriteItem and TransactWriteItems. A batch leaves nothing unprocessed here: all of it is
// written, or the call fails.
struct WriteItemsOutput {
  std::vector<ConsumedCapacity> consumed_capacity{};
  std::map<std::string, std::vector<ItemCollectionMetrics>> item_collection_metrics{};
};

struct Get {
  std::string table_name{};
  Item key{};
  std::optional<std::string> projection_expression{};
  ExpressionAttributeNames expression_attribute_names{};
};

struct TransactGetItemsInput {
  std::vector<Get> transact_items{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
};

struct TransactGetItemsOutput {
  std::vector<std::optional<Item>> responses{};  // one per Get
  std::vector<ConsumedCapacity> consumed_capacity{};
};

struct ConditionCheck {
  std::string table_name{};
  Item key{};
  std::string condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};
struct Put {
  std::string table_name{};
  Item item{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};
struct Delete {
  std::string table_name{};
  Item key{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};
struct Update {
  std::string table_name{};
  Item key{};
  std::string update_expression{};
  std::optional<std::string> condition_expression{};
  ExpressionAttributeNames expression_attribute_names{};
  ExpressionAttributeValues expression_attribute_values{};
  ReturnValuesOnConditionCheckFailure return_values_on_condition_check_failure =
      ReturnValuesOnConditionCheckFailure::kNone;
};
using TransactWriteItem = std::variant<ConditionCheck, Put, Delete, Update>;

struct TransactWriteItemsInput {
  std::vector<TransactWriteItem> transact_items{};
  // Repeating a call with its token within ten minutes has no second effect.
  std::optional<std::string> client_request_token{};
  ReturnConsumedCapacity return_consumed_capacity = ReturnConsumedCapacity::kNone;
  ReturnItemCollectionMetrics return_item_collection_metrics = ReturnItemCollectionMetrics::kNone;
};

}  // namespace trestle::embed
