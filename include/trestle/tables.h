#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

// What the operations on tables are asked and what they answer; see items.h for the style. A list
// that is empty counts as not given. ARNs are left out: a process has no account and no region.

namespace trestle::embed {

enum class ScalarAttributeType { kS, kN, kB };
enum class KeyType { kHash, kRange };
enum class ProjectionType { kAll, kKeysOnly, kInclude };
enum class BillingMode { kProvisioned, kPayPerRequest };
enum class TableClass { kStandard, kStandardInfrequentAccess };
enum class StreamViewType { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };
enum class TableStatus { kCreating, kUpdating, kActive, kDeleting };
using IndexStatus = TableStatus;

struct AttributeDefinition {
  std::string attribute_name{};
  ScalarAttributeType attribute_type = ScalarAttributeType::kS;
};

struct KeySchemaElement {
  std::string attribute_name{};
  KeyType key_type = KeyType::kHash;
};

struct Projection {
  ProjectionType projection_type = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes{};  // of kInclude
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
};

// What is not set is not spoken of; -1 takes a limit away.
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units{};
  std::optional<std::int64_t> max_write_request_units{};
};

struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second{};
  std::optional<std::int64_t> write_units_per_second{};
};

struct StreamSpecification {
  bool stream_enabled = false;
  std::optional<StreamViewType> stream_view_type{};
};

struct LocalSecondaryIndex {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
};

struct GlobalSecondaryIndex {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};  // up to four attributes of each role
  Projection projection{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};

struct Tag {
  std::string key{};
  std::string value{};
};

struct CreateTableInput {
  std::string table_name{};
  std::vector<AttributeDefinition> attribute_definitions{};
  std::vector<KeySchemaElement> key_schema{};
  std::vector<LocalSecondaryIndex> local_secondary_indexes{};
  std::vector<GlobalSecondaryIndex> global_secondary_indexes{};
  std::optional<BillingMode> billing_mode{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
  std::optional<TableClass> table_class{};
  std::optional<bool> deletion_protection_enabled{};
  std::optional<StreamSpecification> stream_specification{};
  std::vector<Tag> tags{};
};

using CreateGlobalSecondaryIndexAction = GlobalSecondaryIndex;
struct UpdateGlobalSecondaryIndexAction {
  std::string index_name{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};
struct DeleteGlobalSecondaryIndexAction {
  std::string index_name{};
};
using GlobalSecondaryIndexUpdate =
    std::variant<CreateGlobalSecondaryIndexAction, UpdateGlobalSecondaryIndexAction,
                 DeleteGlobalSecondaryIndexAction>;

struct UpdateTableInput {
  std::string table_name{};
  std::vector<AttributeDefinition> attribute_definitions{};
  std::vector<GlobalSecondaryIndexUpdate> global_secondary_index_updates{};
  std::optional<BillingMode> billing_mode{};
  std::optional<ProvisionedThroughput> provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
  std::optional<TableClass> table_class{};
  std::optional<bool> deletion_protection_enabled{};
  std::optional<StreamSpecification> stream_specification{};
};

struct DeleteTableInput {
  std::string table_name{};
};

struct DescribeTableInput {
  std::string table_name{};
};

struct SecondaryIndexDescription {
  std::string index_name{};
  std::vector<KeySchemaElement> key_schema{};
  Projection projection{};
  std::int64_t item_count = 0;
  std::int64_t index_size_bytes = 0;
  // Of a global index.
  IndexStatus index_status = IndexStatus::kActive;
  bool backfilling = false;
  ProvisionedThroughput provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
};

struct TableDescription {
  std::string table_name{};
  std::string table_id{};
  TableStatus table_status = TableStatus::kActive;
  std::int64_t creation_date_time_unix_ms = 0;
  std::int64_t item_count = 0;
  std::int64_t table_size_bytes = 0;
  std::vector<AttributeDefinition> attribute_definitions{};
  std::vector<KeySchemaElement> key_schema{};
  std::vector<SecondaryIndexDescription> local_secondary_indexes{};
  std::vector<SecondaryIndexDescription> global_secondary_indexes{};
  BillingMode billing_mode = BillingMode::kProvisioned;
  ProvisionedThroughput provisioned_throughput{};
  std::optional<OnDemandThroughput> on_demand_throughput{};
  std::optional<WarmThroughput> warm_throughput{};
  std::optional<TableClass> table_class{};
  bool deletion_protection_enabled = false;
  std::optional<StreamSpecification> stream_specification{};
};

struct ListTablesInput {
  std::optional<std::string> exclusive_start_table_name{};
  std::optional<std::int64_t> limit{};  // 100 unless given
};

struct ListTablesOutput {
  std::vector<std::string> table_names{};
  std::optional<std::string> last_evaluated_table_name{};
};

struct TimeToLiveSpecification {
  bool enabled = false;
  std::string attribute_name{};  // whose number is the second, since 1970, when an item expires
};

struct UpdateTimeToLiveInput {
  std::string table_name{};
  TimeToLiveSpecification time_to_live_specification{};
};

struct DescribeTimeToLiveInput {
  std::string table_name{};
};

// Resources are tables, by their names.
struct TagResourceInput {
  std::string table_name{};
  std::vector<Tag> tags{};
};

struct UntagResourceInput {
  std::string table_name{};
  std::vector<std::string> tag_keys{};
};

struct ListTagsOfResourceInput {
  std::string table_name{};
};

}  // namespace trestle::embed
