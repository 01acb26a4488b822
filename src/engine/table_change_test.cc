// What CreateTable and UpdateTable make of a table, and which rule wins. The texts of all refusals
// are in tests/conformance/create_table.txt and update_table.txt.

#include "engine/table_change.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::engine {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr std::int64_t kDay = 24LL * 60 * 60 * 1000;

std::vector<KeyAttribute> Definitions(const std::vector<std::string>& names) {
  std::vector<KeyAttribute> definitions;
  for (const std::string& name : names) {
    definitions.push_back({.name = name, .type = value::Type::kS});
  }
  return definitions;
}

// The first name is HASH, the others are RANGE.
std::vector<KeySchemaElement> Keys(const std::vector<std::string>& names) {
  std::vector<KeySchemaElement> elements;
  for (const std::string& name : names) {
    elements.push_back({.attribute = name, .is_partition = elements.empty()});
  }
  return elements;
}

IndexDefinition Index(const std::string& name, const std::vector<std::string>& keys) {
  IndexDefinition index;
  index.name = name;
  index.key_schema = Keys(keys);
  index.projection = ProjectionType::kAll;
  return index;
}

IndexDefinition LocalIndex(const std::string& name, const std::vector<std::string>& keys) {
  IndexDefinition index = Index(name, keys);
  index.is_global = false;
  return index;
}

ProvisionedThroughput Units(std::int64_t read, std::int64_t write) {
  ProvisionedThroughput throughput;
  throughput.read_capacity_units = read;
  throughput.write_capacity_units = write;
  return throughput;
}

// pk and sk, one global index on x, on demand.
CreateTableRequest Orders() {
  CreateTableRequest request;
  request.table = "orders";
  request.attribute_definitions = Definitions({"pk", "sk", "x"});
  request.key_schema = Keys({"pk", "sk"});
  request.global_indexes = {Index("by_x", {"x"})};
  request.billing_mode = BillingMode::kPayPerRequest;
  return request;
}

CreateTableRequest ProvisionedOrders() {
  CreateTableRequest request = Orders();
  request.billing_mode.reset();
  request.throughput = Units(5, 5);
  request.global_indexes->front().throughput = Units(2, 2);
  return request;
}

TableSchema Created(const CreateTableRequest& request) {
  const auto schema = PlanCreate(request, kNow);
  EXPECT_TRUE(schema.ok()) << schema.error().message();
  return *schema;
}

TableSchema Updated(const TableSchema& table, const UpdateTableRequest& request,
                    std::int64_t now_unix_ms = kNow + 1) {
  const auto schema = PlanUpdate(table, request, now_unix_ms);
  EXPECT_TRUE(schema.ok()) << schema.error().message();
  return schema.ok() ? *schema : table;
}

void ExpectRefused(const Result<TableSchema>& result, std::string_view message) {
  ASSERT_FALSE(result.ok()) << "accepted; expected: " << message;
  EXPECT_NE(result.error().message().find(message), std::string::npos)
      << result.error().message() << "\nexpected: " << message;
}

UpdateTableRequest Change(GlobalIndexUpdate update) {
  UpdateTableRequest request;
  request.table = "orders";
  request.global_index_updates = {std::move(update)};
  return request;
}

UpdateTableRequest CreateIndexOn(const std::string& name, const std::string& attribute) {
  GlobalIndexUpdate update;
  update.create = Index(name, {attribute});
  UpdateTableRequest request = Change(std::move(update));
  request.attribute_definitions = Definitions({attribute});
  return request;
}

UpdateTableRequest RemoveIndex(const std::string& name) {
  GlobalIndexUpdate update;
  update.remove = name;
  return Change(std::move(update));
}

TEST(PlanCreate, DescribesTheTable) {
  CreateTableRequest request = Orders();
  request.attribute_definitions = Definitions({"x", "sk", "pk"});
  request.global_indexes->front().projection = ProjectionType::kInclude;
  request.global_indexes->front().non_key_attributes = {"zz", "aa"};
  request.stream = {.is_enabled = true, .view_type = StreamViewType::kKeysOnly};
  request.tags = {{"team", "red"}};
  const TableSchema schema = Created(request);

  EXPECT_EQ(schema.partition.name, "pk");
  ASSERT_TRUE(schema.sort);
  EXPECT_EQ(schema.sort->name, "sk");
  EXPECT_EQ(schema.attribute_definitions, Definitions({"pk", "sk", "x"}));  // in order of names
  ASSERT_EQ(schema.indexes.size(), 1U);
  EXPECT_EQ(schema.indexes[0].partition, Definitions({"x"}));
  EXPECT_EQ(schema.indexes[0].non_key_attributes, (std::vector<std::string>{"aa", "zz"}));
  EXPECT_EQ(schema.indexes[0].status, IndexStatus::kActive);
  EXPECT_FALSE(schema.indexes[0].is_backfilling);
  EXPECT_EQ(schema.created_unix_ms, kNow);
  EXPECT_TRUE(schema.has_billing_summary);
  EXPECT_EQ(schema.warm->read_units_per_second, 12'000);
  EXPECT_EQ(schema.warm->write_units_per_second, 4'000);
  ASSERT_TRUE(schema.stream);
  EXPECT_EQ(schema.stream->created_unix_ms, kNow);
  EXPECT_TRUE(schema.stream->is_enabled);
  EXPECT_EQ(schema.tags, request.tags);
}

TEST(PlanCreate, ProvisionedTableIsAsWarmAsItIsProvisioned) {
  const TableSchema schema = Created(ProvisionedOrders());
  EXPECT_FALSE(schema.has_billing_summary);
  EXPECT_EQ(schema.warm->read_units_per_second, 5);
  EXPECT_EQ(schema.indexes[0].warm->read_units_per_second, 2);
}

TEST(PlanCreate, LocalIndexesComeFirst) {
  CreateTableRequest request = Orders();
  request.local_indexes = {LocalIndex("local", {"pk", "x"})};
  const TableSchema schema = Created(request);
  ASSERT_EQ(schema.indexes.size(), 2U);
  EXPECT_EQ(schema.indexes[0].name, "local");
  EXPECT_FALSE(schema.indexes[0].warm);
  EXPECT_TRUE(schema.HasLocalIndexes());
}

TEST(PlanCreate, GlobalIndexKeysHaveUpToFourAttributesOfEachRole) {
  const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
  const auto with_key = [&](std::size_t hash_count, std::size_t range_count) {
    CreateTableRequest request = Orders();
    std::vector<std::string> used(names.begin(),
                                  names.begin() + static_cast<long>(hash_count + range_count));
    request.global_indexes->front().key_schema = Keys(used);
    for (std::size_t i = 0; i < hash_count; ++i) {
      request.global_indexes->front().key_schema[i].is_partition = true;
    }
    used.insert(used.end(), {"pk", "sk"});
    request.attribute_definitions = Definitions(used);
    return PlanCreate(request, kNow);
  };
  const auto most = with_key(4, 4);
  ASSERT_TRUE(most.ok()) << most.error().message();
  EXPECT_EQ(most->indexes[0].partition, Definitions({"a", "b", "c", "d"}));
  EXPECT_EQ(most->indexes[0].sort, Definitions({"e", "f", "g", "h"}));
  EXPECT_TRUE(with_key(2, 0).ok());
  EXPECT_TRUE(with_key(1, 2).ok());
  ExpectRefused(with_key(5, 0), "maximum allowed number of HASH key attributes");
  ExpectRefused(with_key(1, 5), "maximum allowed number of RANGE key attributes");
}

TEST(PlanCreate, GlobalIndexKeyMustBeHashThenRange) {
  CreateTableRequest request = Orders();
  auto& key_schema = request.global_indexes->front().key_schema;
  key_schema = Keys({"x", "pk", "sk"});
  key_schema[2].is_partition = true;
  ExpectRefused(PlanCreate(request, kNow), "All HASH key attributes must precede RANGE");
  key_schema = Keys({"x", "pk", "pk"});
  ExpectRefused(PlanCreate(request, kNow), "multiple key attributes with the same name");
}

TEST(PlanCreate, LimitsAreReachedButNotPassed) {
  CreateTableRequest request = Orders();
  request.global_indexes->clear();
  for (int i = 0; i < 20; ++i) {
    request.global_indexes->push_back(Index("index" + std::to_string(i), {"x"}));
  }
  EXPECT_TRUE(PlanCreate(request, kNow).ok());
  request.global_indexes->push_back(Index("one_more", {"x"}));
  ExpectRefused(PlanCreate(request, kNow), "per-table limit of 20");

  request = Orders();
  request.local_indexes.emplace();
  for (int i = 0; i < 5; ++i) {
    request.local_indexes->push_back(LocalIndex("local" + std::to_string(i), {"pk", "x"}));
  }
  EXPECT_TRUE(PlanCreate(request, kNow).ok());
  request.local_indexes->push_back(LocalIndex("one_more", {"pk", "x"}));
  ExpectRefused(PlanCreate(request, kNow), "per-table limit of 5");

  request = Orders();
  for (int i = 0; i < 50; ++i)
    request.tags.emplace_back("tag" + std::to_string(i), "");
  EXPECT_TRUE(PlanCreate(request, kNow).ok());
  request.tags.emplace_back("one_more", "");
  ExpectRefused(PlanCreate(request, kNow), "Number of Tags exceed");
}

TEST(PlanCreate, ProjectsAtMostAHundredAttributesOverAllIndexes) {
  CreateTableRequest request = Orders();
  request.global_indexes->clear();
  for (int i = 0; i < 5; ++i) {
    IndexDefinition index = Index("index" + std::to_string(i), {"x"});
    index.projection = ProjectionType::kInclude;
    index.non_key_attributes.emplace();
    for (int j = 0; j < 20; ++j)
      index.non_key_attributes->push_back("a" + std::to_string(j));
    request.global_indexes->push_back(index);
  }
  EXPECT_TRUE(PlanCreate(request, kNow).ok());
  IndexDefinition index = Index("one_more", {"x"});
  index.projection = ProjectionType::kInclude;
  index.non_key_attributes = {"b"};
  request.global_indexes->push_back(index);
  ExpectRefused(PlanCreate(request, kNow), "limit of 100");
}

// Each request has two faults; the service names the first of them.
TEST(PlanCreate, RulesAreAppliedInTheServicesOrder) {
  CreateTableRequest request = Orders();
  request.billing_mode.reset();
  request.attribute_definitions.clear();
  ExpectRefused(PlanCreate(request, kNow), "must both be specified");

  request = Orders();
  request.key_schema = Keys({"zz"});
  request.key_schema[0].is_partition = false;
  ExpectRefused(PlanCreate(request, kNow), "Some index key attributes are not defined");

  request = Orders();
  request.attribute_definitions = Definitions({"pk", "sk", "x", "unused"});
  request.global_indexes->front().projection.reset();
  ExpectRefused(PlanCreate(request, kNow), "Some AttributeDefinitions are not used");

  request = Orders();
  request.attribute_definitions = Definitions({"pk", "sk", "x", "unused"});
  request.local_indexes.emplace();
  ExpectRefused(PlanCreate(request, kNow), "List of LocalSecondaryIndexes is empty");

  request = Orders();
  request.local_indexes = {LocalIndex("local", {"pk"})};
  request.global_indexes->front().projection.reset();
  ExpectRefused(PlanCreate(request, kNow), "does not have a range key for index: local");
}

TEST(PlanUpdate, NewIndexIsCreatingAndBringsItsAttribute) {
  TableSchema table = Created(Orders());
  UpdateTableRequest request = CreateIndexOn("by_a", "a");
  request.attribute_definitions = Definitions({"a", "stale"});
  const TableSchema schema = Updated(table, request);
  ASSERT_EQ(schema.indexes.size(), 2U);
  EXPECT_EQ(schema.indexes[1].name, "by_a");
  EXPECT_EQ(schema.indexes[1].id, IndexId{});
  EXPECT_EQ(schema.indexes[1].status, IndexStatus::kCreating);
  EXPECT_TRUE(schema.indexes[1].is_backfilling);
  EXPECT_EQ(schema.attribute_definitions, Definitions({"a", "pk", "sk", "x"}));
}

TEST(PlanUpdate, DeletedIndexIsDeletingAndTakesItsAttributeAlong) {
  const TableSchema schema = Updated(Created(Orders()), RemoveIndex("by_x"));
  ASSERT_EQ(schema.indexes.size(), 1U);
  EXPECT_EQ(schema.indexes[0].status, IndexStatus::kDeleting);
  EXPECT_EQ(schema.attribute_definitions, Definitions({"pk", "sk"}));
}

TEST(PlanUpdate, AttributeOfAnotherIndexStays) {
  CreateTableRequest request = Orders();
  request.global_indexes->push_back(Index("also_by_x", {"pk", "x"}));
  const TableSchema schema = Updated(Created(request), RemoveIndex("by_x"));
  EXPECT_EQ(schema.attribute_definitions, Definitions({"pk", "sk", "x"}));
}

TEST(PlanUpdate, OnlyOneIndexIsCreatedOrDeletedAtATime) {
  TableSchema table = Created(Orders());
  UpdateTableRequest request = CreateIndexOn("by_a", "a");
  request.global_index_updates->push_back({.create = {}, .update = {}, .remove = "by_x"});
  const auto two_at_once = PlanUpdate(table, request, kNow);
  ASSERT_FALSE(two_at_once.ok());
  EXPECT_EQ(two_at_once.error().code(), ErrorCode::kLimitExceeded);

  const TableSchema busy = Updated(table, CreateIndexOn("by_a", "a"));
  const auto second = PlanUpdate(busy, RemoveIndex("by_x"), kNow);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kLimitExceeded);
}

TEST(PlanUpdate, TwentyFirstIndexIsRefused) {
  CreateTableRequest request = Orders();
  for (int i = 0; i < 19; ++i) {
    request.global_indexes->push_back(Index("index" + std::to_string(i), {"x"}));
  }
  const auto refused = PlanUpdate(Created(request), CreateIndexOn("by_a", "a"), kNow);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kLimitExceeded);
}

TEST(PlanUpdate, UnknownAndLocalIndexesAreRefused) {
  CreateTableRequest create = Orders();
  create.local_indexes = {LocalIndex("local", {"pk", "x"})};
  const TableSchema table = Created(create);
  const auto unknown = PlanUpdate(table, RemoveIndex("nothing"), kNow);
  ASSERT_FALSE(unknown.ok());
  EXPECT_EQ(unknown.error().code(), ErrorCode::kResourceNotFound);
  ExpectRefused(PlanUpdate(table, RemoveIndex("local"), kNow), "not a GlobalSecondaryIndex: local");
  ExpectRefused(PlanUpdate(table, CreateIndexOn("local", "a"), kNow), "already exists");
}

TEST(PlanUpdate, ThroughputIsChangedAndCounted) {
  TableSchema table = Created(ProvisionedOrders());
  UpdateTableRequest request;
  request.throughput = Units(10, 5);
  table = Updated(table, request, kNow + 1);
  EXPECT_EQ(table.throughput.read_capacity_units, 10);
  EXPECT_EQ(table.throughput.last_increase_unix_ms, kNow + 1);
  EXPECT_EQ(table.throughput.last_decrease_unix_ms, 0);
  EXPECT_EQ(table.warm->read_units_per_second, 10);
  ExpectRefused(PlanUpdate(table, request, kNow + 2), "will not change");

  request.throughput = Units(3, 5);
  table = Updated(table, request, kNow + 3);
  request.throughput = Units(2, 5);
  table = Updated(table, request, kNow + 4);
  EXPECT_EQ(table.throughput.decreases_today, 2);
  EXPECT_EQ(table.throughput.last_decrease_unix_ms, kNow + 4);
  EXPECT_EQ(table.warm->read_units_per_second, 10);  // it never falls
  request.throughput = Units(1, 5);
  table = Updated(table, request, kNow + kDay);
  EXPECT_EQ(table.throughput.decreases_today, 1);
}

TEST(PlanUpdate, SwitchToOnDemandClearsThroughput) {
  UpdateTableRequest request;
  request.billing_mode = BillingMode::kPayPerRequest;
  const TableSchema schema = Updated(Created(ProvisionedOrders()), request);
  EXPECT_EQ(schema.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_TRUE(schema.has_billing_summary);
  EXPECT_EQ(schema.billing_changed_unix_ms, kNow + 1);
  EXPECT_EQ(schema.throughput.read_capacity_units, 0);
  EXPECT_EQ(schema.indexes[0].throughput.write_capacity_units, 0);
  EXPECT_EQ(schema.warm->read_units_per_second, 12'000);
  EXPECT_EQ(schema.indexes[0].warm->write_units_per_second, 4'000);
}

TEST(PlanUpdate, SwitchToProvisionedNeedsThroughputOfTableAndIndexes) {
  CreateTableRequest create = Orders();
  create.on_demand = {.max_read_request_units = 10, .max_write_request_units = 20};
  const TableSchema table = Created(create);
  UpdateTableRequest request;
  request.billing_mode = BillingMode::kProvisioned;
  ExpectRefused(PlanUpdate(table, request, kNow), "must be specified when BillingMode is");
  request.throughput = Units(1, 1);
  ExpectRefused(PlanUpdate(table, request, kNow), "must be specified for index: by_x");

  GlobalIndexUpdate update;
  update.update = {.name = "by_x", .throughput = Units(3, 3), .on_demand = {}, .warm = {}};
  request.global_index_updates = {update};
  const TableSchema schema = Updated(table, request);
  EXPECT_EQ(schema.billing_mode, BillingMode::kProvisioned);
  EXPECT_TRUE(schema.has_billing_summary);
  EXPECT_EQ(schema.throughput.read_capacity_units, 1);
  EXPECT_EQ(schema.indexes[0].throughput.read_capacity_units, 3);
  EXPECT_FALSE(schema.on_demand);
}

TEST(PlanUpdate, OnDemandLimitsAreLaidOverEachOther) {
  CreateTableRequest create = Orders();
  create.on_demand = {.max_read_request_units = 20, .max_write_request_units = 15};
  UpdateTableRequest request;
  request.on_demand = {.max_read_request_units = 40, .max_write_request_units = {}};
  TableSchema table = Updated(Created(create), request);
  EXPECT_EQ(table.on_demand->max_read_request_units, 40);
  EXPECT_EQ(table.on_demand->max_write_request_units, 15);
  request.on_demand = {.max_read_request_units = -1, .max_write_request_units = {}};
  table = Updated(table, request);
  EXPECT_EQ(table.on_demand->max_read_request_units, std::nullopt);
  request.on_demand = {.max_read_request_units = {}, .max_write_request_units = -1};
  EXPECT_FALSE(Updated(table, request).on_demand);
  request.on_demand = {.max_read_request_units = 0, .max_write_request_units = {}};
  ExpectRefused(PlanUpdate(table, request, kNow), "outside of valid range");
}

TEST(PlanUpdate, StreamIsEnabledAndDisabled) {
  UpdateTableRequest enable;
  enable.stream = {.is_enabled = true, .view_type = StreamViewType::kNewImage};
  UpdateTableRequest disable;
  disable.stream = {.is_enabled = false, .view_type = {}};
  TableSchema table = Created(Orders());
  ExpectRefused(PlanUpdate(table, disable, kNow), "Table has no stream to disable");
  table = Updated(table, enable, kNow + 5);
  EXPECT_EQ(table.stream->created_unix_ms, kNow + 5);
  EXPECT_EQ(table.stream->id, StreamId{});
  ExpectRefused(PlanUpdate(table, enable, kNow), "Table already has an enabled stream");

  table.stream->id = StreamId{3};
  table = Updated(table, disable);
  EXPECT_FALSE(table.stream->is_enabled);  // but still there, to be read
  EXPECT_EQ(Updated(table, enable).stream->id, StreamId{});
}

TEST(PlanUpdate, SettingsAreChangedOneAtATime) {
  const TableSchema table = Created(Orders());
  UpdateTableRequest request;
  request.deletion_protection = true;
  EXPECT_TRUE(Updated(table, request).deletion_protection);
  request.table_class = TableClass::kStandardInfrequentAccess;
  ExpectRefused(PlanUpdate(table, request, kNow), "TableClass modification must be the only");
  request.deletion_protection.reset();
  const TableSchema rare = Updated(table, request);
  EXPECT_EQ(rare.table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_EQ(rare.table_class_changed_unix_ms, kNow + 1);

  UpdateTableRequest sse;
  sse.sse = {.is_enabled = true, .sse_type = "KMS", .kms_key = "alias/mine"};
  const TableSchema encrypted = Updated(table, sse);
  EXPECT_EQ(encrypted.sse_kms_key, "alias/mine");
  ExpectRefused(PlanUpdate(encrypted, sse, kNow), "already encrypted with given KMSMasterKeyId");
  sse.sse = {.is_enabled = false, .sse_type = {}, .kms_key = {}};
  EXPECT_EQ(Updated(encrypted, sse).sse_kms_key, std::nullopt);
  ExpectRefused(PlanUpdate(table, sse, kNow), "already encrypted by default");
}

TEST(PlanUpdate, TableMustBeActive) {
  UpdateTableRequest request;
  request.deletion_protection = true;
  TableSchema table = Created(Orders());
  for (const TableStatus status :
       {TableStatus::kCreating, TableStatus::kUpdating, TableStatus::kDeleting}) {
    table.status = status;
    const auto refused = PlanUpdate(table, request, kNow);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), ErrorCode::kResourceInUse);
  }
}

TEST(CheckUpdate, NothingToDoIsRefused) {
  UpdateTableRequest request;
  EXPECT_FALSE(CheckUpdate(request).ok());
  request.attribute_definitions = Definitions({"a"});
  request.global_index_updates.emplace();
  EXPECT_FALSE(CheckUpdate(request).ok());
}

}  // namespace
}  // namespace trestle::engine
