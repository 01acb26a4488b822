#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "value/item.h"

// What a table is: everything that CreateTable and UpdateTable can say of it. A TableSchema is
// immutable once published; a change publishes a new one (catalog.h).

namespace trestle::engine {

enum class TableId : std::uint32_t {};
enum class IndexId : std::uint32_t {};
enum class StreamId : std::uint32_t {};
enum class ExpiryId : std::uint32_t {};

enum class TableStatus : std::uint8_t { kCreating, kUpdating, kActive, kDeleting };
enum class IndexStatus : std::uint8_t { kCreating, kUpdating, kActive, kDeleting };
enum class BillingMode : std::uint8_t { kProvisioned, kPayPerRequest };
enum class TableClass : std::uint8_t { kStandard, kStandardInfrequentAccess };
enum class ProjectionType : std::uint8_t { kAll, kKeysOnly, kInclude };
enum class StreamViewType : std::uint8_t { kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };

struct KeyAttribute {
  std::string name;
  value::Type type = value::Type::kS;  // kS, kN or kB

  friend bool operator==(const KeyAttribute&, const KeyAttribute&) = default;
};

struct ProvisionedThroughput {
  std::int64_t read_capacity_units = 0;
  std::int64_t write_capacity_units = 0;
  std::int64_t last_increase_unix_ms = 0;  // 0: never
  std::int64_t last_decrease_unix_ms = 0;
  std::int64_t decreases_today = 0;
};

// In a request: what is not set is not spoken of, and -1 takes a limit away. In a schema: what is
// not set has no limit.
struct OnDemandThroughput {
  std::optional<std::int64_t> max_read_request_units;
  std::optional<std::int64_t> max_write_request_units;
};

// In a schema both are set.
struct WarmThroughput {
  std::optional<std::int64_t> read_units_per_second;
  std::optional<std::int64_t> write_units_per_second;
};

struct IndexSchema {
  IndexId id{};
  std::string name;
  bool is_global = true;
  std::vector<KeyAttribute> partition;  // one, or up to four in a global index
  std::vector<KeyAttribute> sort;       // none, one, or up to four in a global index
  ProjectionType projection = ProjectionType::kAll;
  std::vector<std::string> non_key_attributes;  // in order; kInclude only

  // Of global indexes only.
  IndexStatus status = IndexStatus::kActive;
  std::int64_t status_until_unix_ms = 0;  // a transient status ends then
  bool is_backfilling = false;
  std::string backfill_next_row;  // row key where the backfill goes on; empty: from the start
  ProvisionedThroughput throughput;
  std::optional<OnDemandThroughput> on_demand;
  std::optional<WarmThroughput> warm;

  [[nodiscard]] bool IsKeyAttribute(std::string_view attribute) const;
};

struct StreamSchema {
  StreamId id{};
  StreamViewType view_type = StreamViewType::kNewAndOldImages;
  std::int64_t created_unix_ms = 0;  // also the stream's label
  bool is_enabled = false;           // a disabled stream stays readable
};

// When items go away by themselves. What has been disabled is forgotten once that is over.
struct TimeToLive {
  std::string attribute;                  // the number of seconds after which an item may go
  bool is_enabled = true;                 // otherwise it is being disabled
  std::int64_t status_until_unix_ms = 0;  // ENABLING or DISABLING end then

  // Of the rows that say which item expires when; a table gets new ones each time it is enabled.
  ExpiryId id{};
  bool is_backfilling = false;
  std::string backfill_next_row;  // row key where the backfill goes on; empty: from the start
};

struct TableSchema {
  TableId id{};
  std::string uuid;
  std::string name;
  KeyAttribute partition;
  std::optional<KeyAttribute> sort;
  std::vector<KeyAttribute> attribute_definitions;  // in order of their names
  std::vector<IndexSchema> indexes;                 // local ones first, each kind as given

  TableStatus status = TableStatus::kActive;
  std::int64_t status_until_unix_ms = 0;  // a transient status ends then
  std::int64_t created_unix_ms = 0;

  BillingMode billing_mode = BillingMode::kProvisioned;
  bool has_billing_summary = false;  // BillingMode was ever PAY_PER_REQUEST
  std::int64_t billing_changed_unix_ms = 0;
  ProvisionedThroughput throughput;
  std::optional<OnDemandThroughput> on_demand;
  std::optional<WarmThroughput> warm;
  std::optional<TableClass> table_class;
  std::int64_t table_class_changed_unix_ms = 0;
  bool deletion_protection = false;
  std::optional<std::string> sse_kms_key;  // set: SSEDescription is shown; data is not encrypted
  std::optional<StreamSchema> stream;
  std::optional<TimeToLive> time_to_live;
  std::vector<std::pair<std::string, std::string>> tags;

  [[nodiscard]] const IndexSchema* FindIndex(std::string_view index_name) const;
  [[nodiscard]] bool HasLocalIndexes() const;
  [[nodiscard]] bool IsKeyAttribute(std::string_view attribute) const {
    return attribute == partition.name || (sort && attribute == sort->name);
  }
};

// A table's schema and the numbers that change with its items.
struct IndexCounters {
  std::uint64_t item_count = 0;
  std::uint64_t size_bytes = 0;
};

struct TableDescription {
  std::shared_ptr<const TableSchema> schema;
  IndexCounters table;
  std::vector<IndexCounters> indexes;  // in the order of schema->indexes
};

// The catalogue row of a table: an item whose attributes are the fields above.
[[nodiscard]] value::Item EncodeSchema(const TableSchema& schema);
// kCorruption when `bytes` are no such row.
[[nodiscard]] Result<TableSchema> DecodeSchema(std::string_view bytes);

}  // namespace trestle::engine
