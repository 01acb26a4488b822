// Tables through the typed calls.

#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "trestle/database.h"

namespace trestle::embed {
namespace {

using V = AttributeValue;

CreateTableInput Books() {
  return {.table_name = "books",
          .attribute_definitions = {{.attribute_name = "author"}, {.attribute_name = "title"}},
          .key_schema = {{.attribute_name = "author"},
                         {.attribute_name = "title", .key_type = KeyType::kRange}},
          .billing_mode = BillingMode::kPayPerRequest};
}

class TablesTest : public testing::Test {
 protected:
  std::string RefusalOf(const CreateTableInput& input) {
    const auto created = database_->CreateTable(input);
    return created.ok() ? "" : created.error().message;
  }
  TableDescription Describe(const std::string& table) {
    const auto described = database_->DescribeTable({.table_name = table});
    EXPECT_TRUE(described.ok()) << described.error().message;
    return *described;
  }

  Result<Database> database_ = Database::Open({.in_memory = true});
};

TEST_F(TablesTest, DescribesWhatWasCreated) {
  CreateTableInput input = Books();
  input.attribute_definitions.push_back(
      {.attribute_name = "year", .attribute_type = ScalarAttributeType::kN});
  input.local_secondary_indexes = {
      {.index_name = "byYear",
       .key_schema = {{.attribute_name = "author"},
                      {.attribute_name = "year", .key_type = KeyType::kRange}},
       .projection = {.projection_type = ProjectionType::kInclude,
                      .non_key_attributes = {"isbn"}}}};
  input.global_secondary_indexes = {{.index_name = "ofYear",
                                     .key_schema = {{.attribute_name = "year"}},
                                     .projection = {.projection_type = ProjectionType::kKeysOnly}}};
  input.billing_mode.reset();
  input.provisioned_throughput = {.read_capacity_units = 5, .write_capacity_units = 6};
  input.global_secondary_indexes[0].provisioned_throughput = {.read_capacity_units = 7,
                                                              .write_capacity_units = 8};
  input.table_class = TableClass::kStandardInfrequentAccess;
  input.deletion_protection_enabled = true;
  input.stream_specification = {.stream_enabled = true,
                                .stream_view_type = StreamViewType::kOldImage};
  input.tags = {{.key = "k", .value = "v"}};
  ASSERT_EQ(RefusalOf(input), "");
  ASSERT_TRUE(database_
                  ->PutItem({.table_name = "books",
                             .item = {{"author", V::String("a")},
                                      {"title", V::String("t")},
                                      {"year", V::Number(1974)}}})
                  .ok());

  const TableDescription table = Describe("books");
  EXPECT_EQ(table.table_name, "books");
  EXPECT_EQ(table.table_id.size(), 36u);
  EXPECT_EQ(table.table_status, TableStatus::kActive);
  EXPECT_GT(table.creation_date_time_unix_ms, 0);
  EXPECT_EQ(table.attribute_definitions.size(), 3u);
  ASSERT_EQ(table.key_schema.size(), 2u);
  EXPECT_EQ(table.key_schema[0].attribute_name, "author");
  EXPECT_EQ(table.key_schema[1].key_type, KeyType::kRange);
  EXPECT_EQ(table.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(table.provisioned_throughput.write_capacity_units, 6);
  EXPECT_EQ(table.table_class, TableClass::kStandardInfrequentAccess);
  EXPECT_TRUE(table.deletion_protection_enabled);
  EXPECT_EQ(table.stream_specification->stream_view_type, StreamViewType::kOldImage);
  ASSERT_EQ(table.local_secondary_indexes.size(), 1u);
  EXPECT_EQ(table.local_secondary_indexes[0].projection.non_key_attributes.at(0), "isbn");
  ASSERT_EQ(table.global_secondary_indexes.size(), 1u);
  const SecondaryIndexDescription& index = table.global_secondary_indexes[0];
  EXPECT_EQ(index.index_name, "ofYear");
  EXPECT_EQ(index.key_schema.at(0).attribute_name, "year");
  EXPECT_EQ(index.projection.projection_type, ProjectionType::kKeysOnly);
  EXPECT_EQ(index.index_status, IndexStatus::kActive);
  EXPECT_EQ(index.provisioned_throughput.read_capacity_units, 7);

  const auto refused = database_->DeleteTable({.table_name = "books"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::kValidationException);
}

TEST_F(TablesTest, ListsByPagesAndDeletes) {
  for (const char* name : {"books", "notes", "watch"}) {
    CreateTableInput input = Books();
    input.table_name = name;
    ASSERT_EQ(RefusalOf(input), "");
  }
  EXPECT_EQ(RefusalOf(Books()), "Table already exists: books");

  const auto first = database_->ListTables({.limit = 2});
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->table_names, (std::vector<std::string>{"books", "notes"}));
  const auto second =
      database_->ListTables({.exclusive_start_table_name = first->last_evaluated_table_name});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->table_names, (std::vector<std::string>{"watch"}));
  EXPECT_EQ(second->last_evaluated_table_name, std::nullopt);

  const auto removed = database_->DeleteTable({.table_name = "books"});
  ASSERT_TRUE(removed.ok()) << removed.error().message;
  EXPECT_EQ(removed->table_status, TableStatus::kDeleting);
  EXPECT_TRUE(removed->key_schema.empty());
  const auto gone = database_->DescribeTable({.table_name = "books"});
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().code, ErrorCode::kResourceNotFoundException);
  EXPECT_EQ(gone.error().message, "Requested resource not found: Table: books not found");
}

TEST_F(TablesTest, AddsAnIndexToATableThatIsInUse) {
  ASSERT_EQ(RefusalOf(Books()), "");
  const Item book = {
      {"author", V::String("a")}, {"title", V::String("t")}, {"city", V::String("Oslo")}};
  ASSERT_TRUE(database_->PutItem({.table_name = "books", .item = book}).ok());
  const auto updated = database_->UpdateTable(
      {.table_name = "books",
       .attribute_definitions = {{.attribute_name = "city"}},
       .global_secondary_index_updates = {CreateGlobalSecondaryIndexAction{
           .index_name = "byCity", .key_schema = {{.attribute_name = "city"}}}}});
  ASSERT_TRUE(updated.ok()) << updated.error().message;

  // The index is filled by another thread.
  for (int i = 0; i < 500; ++i) {
    if (Describe("books").global_secondary_indexes.at(0).index_status == IndexStatus::kActive)
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto page = database_->Scan({.table_name = "books", .index_name = "byCity"});
  ASSERT_TRUE(page.ok()) << page.error().message;
  EXPECT_EQ(page->items, std::vector<Item>{book});
}

TEST_F(TablesTest, RefusesInTheServicesWords) {
  const std::string start = "1 validation error detected: Value ";
  CreateTableInput input = Books();
  input.table_name = "no";
  input.key_schema.clear();
  EXPECT_EQ(RefusalOf(input),
            start +
                "'no' at 'tableName' failed to satisfy constraint: Member must have length "
                "greater than or equal to 3");
  input.table_name = "books";
  EXPECT_EQ(RefusalOf(input),
            start +
                "'[]' at 'keySchema' failed to satisfy constraint: Member must have length "
                "greater than or equal to 1");
  input = Books();
  input.billing_mode.reset();
  input.provisioned_throughput = {.read_capacity_units = 1, .write_capacity_units = 0};
  EXPECT_EQ(RefusalOf(input),
            start +
                "'0' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy "
                "constraint: Member must have value greater than or equal to 1");
  input = Books();
  input.attribute_definitions[0].attribute_name = "";
  input.global_secondary_indexes = {{.index_name = "a b",
                                     .key_schema = {{.attribute_name = "title"}},
                                     .projection = {.projection_type = ProjectionType::kInclude,
                                                    .non_key_attributes = {"x", ""}}}};
  EXPECT_EQ(
      RefusalOf(input),
      "3 validation errors detected: Value '' at 'attributeDefinitions.1.member.attributeName' "
      "failed to satisfy constraint: Member must have length greater than or equal to 1; Value "
      "'a b' at 'globalSecondaryIndexes.1.member.indexName' failed to satisfy constraint: Member "
      "must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '[x, ]' at "
      "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy "
      "constraint: Member must satisfy constraint: [Member must have length less than or equal "
      "to 255, Member must have length greater than or equal to 1]");

  const auto listed = database_->ListTables({.limit = 101});
  ASSERT_FALSE(listed.ok());
  EXPECT_EQ(listed.error().message,
            start +
                "'101' at 'limit' failed to satisfy constraint: Member must have value less "
                "than or equal to 100");
}

TEST_F(TablesTest, ItemsExpireByTheAttributeThatIsNamed) {
  ASSERT_EQ(RefusalOf(Books()), "");
  EXPECT_FALSE(database_->DescribeTimeToLive({.table_name = "books"})->has_value());
  const auto put = [&](const std::string& title, std::int64_t until) {
    return database_
        ->PutItem({.table_name = "books",
                   .item = {{"author", V::String("a")},
                            {"title", V::String(title)},
                            {"until", V::Number(until)}}})
        .ok();
  };
  ASSERT_TRUE(put("old", 1'700'000'000));
  ASSERT_TRUE(put("new", 4'000'000'000));
  const auto enabled = database_->UpdateTimeToLive(
      {.table_name = "books",
       .time_to_live_specification = {.enabled = true, .attribute_name = "until"}});
  ASSERT_TRUE(enabled.ok()) << enabled.error().message;
  EXPECT_EQ((*database_->DescribeTimeToLive({.table_name = "books"}))->attribute_name, "until");
  const auto count = [&] { return database_->Scan({.table_name = "books"})->count; };
  for (int i = 0; i < 600 && count() > 1; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(count(), 1);

  const auto again = database_->UpdateTimeToLive(
      {.table_name = "books",
       .time_to_live_specification = {.enabled = true, .attribute_name = "until"}});
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().message, "TimeToLive is already enabled");
}

TEST_F(TablesTest, TagsAreAddedChangedAndRemoved) {
  CreateTableInput input = Books();
  input.tags = {{.key = "team", .value = "one"}};
  ASSERT_EQ(RefusalOf(input), "");
  const auto tagged = database_->TagResource(
      {.table_name = "books",
       .tags = {{.key = "team", .value = "two"}, {.key = "stage", .value = "test"}}});
  ASSERT_TRUE(tagged.ok()) << tagged.error().message;
  EXPECT_EQ(tagged->size(), 2U);
  const auto left = database_->UntagResource({.table_name = "books", .tag_keys = {"stage"}});
  ASSERT_TRUE(left.ok());
  ASSERT_EQ(left->size(), 1U);
  EXPECT_EQ(left->front().value, "two");
  EXPECT_EQ(database_->ListTagsOfResource({.table_name = "books"})->size(), 1U);

  EXPECT_EQ(database_->TagResource({.table_name = "books"}).error().message,
            "Atleast one Tag needs to be provided as Input.");
  EXPECT_EQ(database_->UntagResource({.table_name = "none", .tag_keys = {"k"}}).error().code,
            ErrorCode::kResourceNotFoundException);
}

}  // namespace
}  // namespace trestle::embed
