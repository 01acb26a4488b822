// Items through the typed calls: each operation once, and the refusals that are made before the
// engine is asked. What the engine does with a request has its own tests.

#include "trestle/database.h"

#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

namespace trestle::embed {
namespace {

using V = AttributeValue;

Database OpenInMemory() {
  auto database = Database::Open({.in_memory = true});
  EXPECT_TRUE(database.ok()) << database.error().message;
  return *std::move(database);
}

// A table of orders with a local index by amount and a global one by city.
void CreateOrders(Database& database) {
  const auto created = database.CreateTable(
      {.table_name = "orders",
       .attribute_definitions = {{.attribute_name = "pk"},
                                 {.attribute_name = "sk"},
                                 {.attribute_name = "amount",
                                  .attribute_type = ScalarAttributeType::kN},
                                 {.attribute_name = "city"}},
       .key_schema = {{.attribute_name = "pk"},
                      {.attribute_name = "sk", .key_type = KeyType::kRange}},
       .local_secondary_indexes = {{.index_name = "byAmount",
                                    .key_schema = {{.attribute_name = "pk"},
                                                   {.attribute_name = "amount",
                                                    .key_type = KeyType::kRange}}}},
       .global_secondary_indexes = {{.index_name = "byCity",
                                     .key_schema = {{.attribute_name = "city"}}}},
       .billing_mode = BillingMode::kPayPerRequest});
  ASSERT_TRUE(created.ok()) << created.error().message;
}

Item Key(const std::string& sk) { return {{"pk", V::String("ann")}, {"sk", V::String(sk)}}; }

Item Order(const std::string& sk, int amount) {
  Item item = Key(sk);
  item.emplace("amount", V::Number(amount));
  item.emplace("city", V::String("Oslo"));
  return item;
}

std::string MessageOf(const Error& error) {
  return std::string(ErrorName(error.code)) + ": " + error.message;
}

// "ValidationException: ...", or empty when the call succeeds.
template <typename T>
std::string RefusalOf(const Result<T>& result) {
  return result.ok() ? "" : MessageOf(result.error());
}

class DatabaseTest : public testing::Test {
 protected:
  void SetUp() override { CreateOrders(database_); }

  void PutOrder(const Item& item) {
    const auto put = database_.PutItem({.table_name = "orders", .item = item});
    ASSERT_TRUE(put.ok()) << put.error().message;
  }
  std::optional<Item> Find(const Item& key) {
    const auto got =
        database_.GetItem({.table_name = "orders", .key = key, .consistent_read = true});
    EXPECT_TRUE(got.ok()) << got.error().message;
    return got->item;
  }

  Database database_ = OpenInMemory();
};

TEST(DatabaseOpen, NeedsAFolderOrMemory) {
  const std::string refusal = "ValidationException: A database needs either a folder or in_memory";
  EXPECT_EQ(RefusalOf(Database::Open({})), refusal);
  EXPECT_EQ(RefusalOf(Database::Open({.folder = "x", .in_memory = true})), refusal);
}

TEST(DatabaseOpen, KeepsAFolderToItselfAndWhatIsInIt) {
  const std::string folder =
      std::filesystem::temp_directory_path() / ("trestle_embed_test." + std::to_string(getpid()));
  std::filesystem::remove_all(folder);
  {
    auto database = Database::Open({.folder = folder});
    ASSERT_TRUE(database.ok()) << database.error().message;
    CreateOrders(*database);
    ASSERT_TRUE(database->PutItem({.table_name = "orders", .item = Order("1", 5)}).ok());

    const auto second = Database::Open({.folder = folder});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::kResourceInUseException);
  }
  {
    const auto database = Database::Open({.folder = folder, .durability = Durability::kRelaxed});
    ASSERT_TRUE(database.ok()) << database.error().message;
    const auto got = database->GetItem({.table_name = "orders", .key = Key("1")});
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(got->item, Order("1", 5));
  }
  std::filesystem::remove_all(folder);
}

TEST_F(DatabaseTest, PutsGetsAndDeletes) {
  PutOrder(Order("1", 5));
  EXPECT_EQ(Find(Key("1")), Order("1", 5));
  EXPECT_EQ(Find(Key("2")), std::nullopt);

  const auto put = database_.PutItem(
      {.table_name = "orders", .item = Order("1", 6), .return_values = ReturnValues::kAllOld});
  ASSERT_TRUE(put.ok());
  EXPECT_EQ(put->attributes, Order("1", 5));

  const auto removed = database_.DeleteItem(
      {.table_name = "orders", .key = Key("1"), .return_values = ReturnValues::kAllOld});
  ASSERT_TRUE(removed.ok());
  EXPECT_EQ(removed->attributes, Order("1", 6));
  EXPECT_EQ(Find(Key("1")), std::nullopt);
}

TEST_F(DatabaseTest, ReturnsTheItemOfAFailedCondition) {
  PutOrder(Order("1", 5));
  const auto refused = database_.PutItem(
      {.table_name = "orders",
       .item = Order("1", 9),
       .condition_expression = "attribute_not_exists(#k)",
       .expression_attribute_names = {{"#k", "pk"}},
       .return_values_on_condition_check_failure = ReturnValuesOnConditionCheckFailure::kAllOld});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(MessageOf(refused.error()),
            "ConditionalCheckFailedException: The conditional request failed");
  EXPECT_EQ(refused.error().item, Order("1", 5));
}

TEST_F(DatabaseTest, UpdatesAndReturnsWhatWasAskedFor) {
  PutOrder(Order("1", 5));
  const auto update = [&](ReturnValues asked) {
    const auto updated =
        database_.UpdateItem({.table_name = "orders",
                              .key = Key("1"),
                              .update_expression = "SET amount = amount + :one",
                              .expression_attribute_values = {{":one", V::Number(1)}},
                              .return_values = asked});
    EXPECT_TRUE(updated.ok()) << updated.error().message;
    return updated->attributes;
  };
  EXPECT_EQ(update(ReturnValues::kNone), std::nullopt);
  EXPECT_EQ(update(ReturnValues::kAllOld), Order("1", 6));
  EXPECT_EQ(update(ReturnValues::kAllNew), Order("1", 8));
  EXPECT_EQ(update(ReturnValues::kUpdatedOld), (Item{{"amount", V::Number(8)}}));
  EXPECT_EQ(update(ReturnValues::kUpdatedNew), (Item{{"amount", V::Number(10)}}));
}

TEST_F(DatabaseTest, ProjectsAnItem) {
  PutOrder(Order("1", 5));
  const auto got = database_.GetItem({.table_name = "orders",
                                      .key = Key("1"),
                                      .projection_expression = "#t, absent",
                                      .expression_attribute_names = {{"#t", "amount"}}});
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->item, (Item{{"amount", V::Number(5)}}));
}

TEST_F(DatabaseTest, PagesThroughAQueryOfAnIndex) {
  for (int i = 0; i < 5; ++i)
    PutOrder(Order(std::to_string(i), 10 * i));
  std::vector<int> sizes;
  std::size_t found = 0;
  std::optional<Item> start;
  do {
    const auto page = database_.Query(
        {.table_name = "orders",
         .index_name = "byCity",
         .key_condition_expression = "city = :city",
         .filter_expression = "amount >= :least",
         .expression_attribute_values = {{":city", V::String("Oslo")}, {":least", V::Number(20)}},
         .exclusive_start_key = start,
         .limit = 2});
    ASSERT_TRUE(page.ok()) << page.error().message;
    EXPECT_EQ(page->count, static_cast<std::int64_t>(page->items.size()));
    sizes.push_back(static_cast<int>(page->scanned_count));
    found += page->items.size();
    start = page->last_evaluated_key;
  } while (start);
  EXPECT_EQ(sizes, (std::vector<int>{2, 2, 1}));
  EXPECT_EQ(found, 3u);
}

TEST_F(DatabaseTest, QueriesBackwardsAndCounts) {
  PutOrder(Order("1", 5));
  PutOrder(Order("2", 4));
  QueryInput input = {.table_name = "orders",
                      .index_name = "byAmount",
                      .key_condition_expression = "pk = :pk",
                      .expression_attribute_values = {{":pk", V::String("ann")}},
                      .scan_index_forward = false};
  const auto backwards = database_.Query(input);
  ASSERT_TRUE(backwards.ok());
  EXPECT_EQ(backwards->items, (std::vector<Item>{Order("1", 5), Order("2", 4)}));

  input.select = Select::kCount;
  const auto counted = database_.Query(input);
  ASSERT_TRUE(counted.ok());
  EXPECT_EQ(counted->count, 2);
  EXPECT_TRUE(counted->items.empty());
}

TEST_F(DatabaseTest, ScansInSegments) {
  for (int i = 0; i < 6; ++i) {
    Item item = Order(std::to_string(i), i);
    item["pk"] = V::String("p" + std::to_string(i));
    PutOrder(item);
  }
  std::int64_t count = 0;
  for (int segment = 0; segment < 3; ++segment) {
    const auto page =
        database_.Scan({.table_name = "orders", .segment = segment, .total_segments = 3});
    ASSERT_TRUE(page.ok()) << page.error().message;
    count += page->count;
  }
  EXPECT_EQ(count, 6);
}

TEST_F(DatabaseTest, WritesAndReadsBatches) {
  PutOrder(Order("0", 0));
  const auto written = database_.BatchWriteItem(
      {.request_items = {{"orders",
                          {PutRequest{.item = Order("1", 1)}, DeleteRequest{.key = Key("0")}}}},
       .return_consumed_capacity = ReturnConsumedCapacity::kTotal,
       .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize});
  ASSERT_TRUE(written.ok()) << written.error().message;
  ASSERT_EQ(written->consumed_capacity.size(), 1u);
  EXPECT_EQ(written->consumed_capacity[0].table_name, "orders");
  EXPECT_EQ(written->item_collection_metrics.at("orders").size(), 2u);

  const auto read = database_.BatchGetItem(
      {.request_items = {{"orders", {.keys = {Key("0"), Key("1")}, .consistent_read = true}}}});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->responses.at("orders"), (std::vector<Item>{Order("1", 1)}));
  EXPECT_TRUE(read->unprocessed_keys.empty());
  EXPECT_TRUE(read->consumed_capacity.empty());
}

// 42 items of 400 KB are more than 16 MB.
TEST_F(DatabaseTest, LeavesKeysUnprocessedWhenABatchIsFull) {
  KeysAndAttributes asked = {.projection_expression = "#s",
                             .expression_attribute_names = {{"#s", "sk"}}};
  for (int i = 0; i < 84; ++i) {
    Item item = Order(std::to_string(i), i);
    item.emplace("filler", V::Binary(std::string(std::size_t{204'000}, 'x')));
    PutOrder(item);
    asked.keys.push_back(Key(std::to_string(i)));
  }
  const auto read = database_.BatchGetItem({.request_items = {{"orders", asked}}});
  ASSERT_TRUE(read.ok()) << read.error().message;
  const KeysAndAttributes& unprocessed = read->unprocessed_keys.at("orders");
  EXPECT_EQ(read->responses.at("orders").size() + unprocessed.keys.size(), 84u);
  EXPECT_EQ(unprocessed.keys.back(), Key("83"));
  EXPECT_EQ(unprocessed.projection_expression, "#s");
}

TEST_F(DatabaseTest, TransactsAndSaysWhyItDidNot) {
  PutOrder(Order("1", 5));
  const auto refused = database_.TransactWriteItems(
      {.transact_items = {Put{.table_name = "orders", .item = Order("2", 1)},
                          Update{.table_name = "orders",
                                 .key = Key("1"),
                                 .update_expression = "SET amount = :t",
                                 .condition_expression = "amount > :t",
                                 .expression_attribute_values = {{":t", V::Number(50)}},
                                 .return_values_on_condition_check_failure =
                                     ReturnValuesOnConditionCheckFailure::kAllOld}}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(MessageOf(refused.error()),
            "TransactionCanceledException: Transaction cancelled, please refer cancellation "
            "reasons for specific reasons [None, ConditionalCheckFailed]");
  const auto& reasons = refused.error().cancellation_reasons;
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_EQ(reasons[0].code, "None");
  EXPECT_EQ(reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(reasons[1].message, "The conditional request failed");
  EXPECT_EQ(reasons[1].item, Order("1", 5));
  EXPECT_EQ(Find(Key("2")), std::nullopt);

  const auto done = database_.TransactWriteItems(
      {.transact_items = {ConditionCheck{.table_name = "orders",
                                         .key = Key("1"),
                                         .condition_expression = "attribute_exists(pk)"},
                          Put{.table_name = "orders", .item = Order("2", 1)},
                          Delete{.table_name = "orders", .key = Key("3")}}});
  ASSERT_TRUE(done.ok()) << done.error().message;

  const auto read =
      database_.TransactGetItems({.transact_items = {{.table_name = "orders", .key = Key("2")},
                                                     {.table_name = "orders", .key = Key("3")}},
                                  .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->responses, (std::vector<std::optional<Item>>{Order("2", 1), std::nullopt}));
  EXPECT_EQ(read->consumed_capacity.at(0).total.read_capacity_units, 4);
}

TEST_F(DatabaseTest, RunsATransactionWithATokenOnce) {
  TransactWriteItemsInput input = {
      .transact_items = {Update{.table_name = "orders",
                                .key = Key("1"),
                                .update_expression = "ADD amount :one",
                                .expression_attribute_values = {{":one", V::Number(1)}}}},
      .client_request_token = "t1"};
  ASSERT_TRUE(database_.TransactWriteItems(input).ok());
  ASSERT_TRUE(database_.TransactWriteItems(input).ok());
  EXPECT_EQ(Find(Key("1"))->at("amount").AsInteger(), 1);
  std::get<Update>(input.transact_items[0]).key = Key("2");
  const auto mismatch = database_.TransactWriteItems(input);
  ASSERT_FALSE(mismatch.ok());
  EXPECT_EQ(mismatch.error().code, ErrorCode::kIdempotentParameterMismatchException);
}

TEST_F(DatabaseTest, CountsWhatItConsumed) {
  const auto put =
      database_.PutItem({.table_name = "orders",
                         .item = Order("1", 5),
                         .return_consumed_capacity = ReturnConsumedCapacity::kIndexes,
                         .return_item_collection_metrics = ReturnItemCollectionMetrics::kSize});
  ASSERT_TRUE(put.ok());
  ASSERT_TRUE(put->consumed_capacity.has_value());
  EXPECT_EQ(put->consumed_capacity->total.capacity_units, 3);
  EXPECT_EQ(put->consumed_capacity->table->write_capacity_units, 1);
  EXPECT_EQ(put->consumed_capacity->local_secondary_indexes.at("byAmount").capacity_units, 1);
  EXPECT_EQ(put->consumed_capacity->global_secondary_indexes.at("byCity").capacity_units, 1);
  EXPECT_EQ(put->item_collection_metrics->item_collection_key, (Item{{"pk", V::String("ann")}}));

  const auto got = database_.GetItem({.table_name = "orders",
                                      .key = Key("1"),
                                      .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  EXPECT_EQ(got->consumed_capacity->total.capacity_units, 0.5);
  EXPECT_EQ(got->consumed_capacity->table, std::nullopt);
}

TEST_F(DatabaseTest, RefusesExpressionsInTheServicesWords) {
  const std::string start = "ValidationException: ";
  PutItemInput put = {.table_name = "orders", .item = Order("1", 5)};
  put.expression_attribute_names = {{"#a", "a"}};
  EXPECT_EQ(RefusalOf(database_.PutItem(put)),
            start + "ExpressionAttributeNames can only be specified when using expressions");
  put.condition_expression = "attribute_not_exists(pk)";
  EXPECT_EQ(RefusalOf(database_.PutItem(put)),
            start + "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}");
  put.expression_attribute_names.clear();
  put.expression_attribute_values = {{":v", V::StringSet({})}};
  EXPECT_EQ(RefusalOf(database_.PutItem(put)),
            start +
                "ExpressionAttributeValues contains invalid value: One or more parameter "
                "values were invalid: An string set  may not be empty for key :v");
  put.condition_expression.reset();
  EXPECT_EQ(RefusalOf(database_.PutItem(put)),
            start +
                "ExpressionAttributeValues can only be specified when using expressions: "
                "ConditionExpression is null");
  put.expression_attribute_values.clear();
  put.condition_expression = "";
  EXPECT_EQ(RefusalOf(database_.PutItem(put)),
            start + "Invalid ConditionExpression: The expression can not be empty;");
  put.condition_expression.reset();
  put.return_values = ReturnValues::kAllNew;
  EXPECT_EQ(RefusalOf(database_.PutItem(put)), start + "ReturnValues can only be ALL_OLD or NONE");

  EXPECT_EQ(RefusalOf(database_.Query({.table_name = "orders"})),
            start +
                "Either the KeyConditions or KeyConditionExpression parameter must be "
                "specified in the request.");
  EXPECT_EQ(
      RefusalOf(database_.Scan({.table_name = "orders", .select = Select::kSpecificAttributes})),
      start +
          "Must specify the AttributesToGet or ProjectionExpression when choosing to "
          "get SPECIFIC_ATTRIBUTES");
  EXPECT_EQ(RefusalOf(database_.Scan({.table_name = "orders", .segment = 3, .total_segments = 3})),
            start +
                "The Segment parameter is zero-based and must be less than parameter "
                "TotalSegments: Segment: 3 is not less than TotalSegments: 3");
}

TEST_F(DatabaseTest, RefusesLengthsAndRangesInTheServicesWords) {
  const std::string start = "ValidationException: 1 validation error detected: Value ";
  EXPECT_EQ(RefusalOf(database_.GetItem({.table_name = "no"})),
            start +
                "'no' at 'tableName' failed to satisfy constraint: Member must have length "
                "greater than or equal to 3");
  EXPECT_EQ(RefusalOf(database_.Scan({.table_name = "orders", .limit = 0})),
            start +
                "'0' at 'limit' failed to satisfy constraint: Member must have value greater "
                "than or equal to 1");
  EXPECT_EQ(RefusalOf(database_.Scan({.table_name = "orders", .index_name = "x", .limit = 0})),
            "ValidationException: 2 validation errors detected: Value 'x' at 'indexName' failed "
            "to satisfy constraint: Member must have length greater than or equal to 3; Value '0' "
            "at 'limit' failed to satisfy constraint: Member must have value greater than or "
            "equal to 1");
  EXPECT_EQ(RefusalOf(database_.BatchWriteItem({})),
            "ValidationException: The requestItems parameter is required for BatchWriteItem");
  EXPECT_EQ(RefusalOf(database_.BatchGetItem({})),
            "ValidationException: The requestItems parameter is required for BatchGetItem");
  EXPECT_EQ(RefusalOf(database_.TransactWriteItems({})),
            start +
                "'[]' at 'transactItems' failed to satisfy constraint: Member must have "
                "length greater than or equal to 1");
  EXPECT_EQ(RefusalOf(database_.TransactGetItems({.transact_items = {{.table_name = "a b"}}})),
            start +
                "'a b' at 'transactItems.1.member.get.tableName' failed to satisfy "
                "constraint: Member must satisfy regular expression pattern: "
                "[a-zA-Z0-9_.-]+");
  EXPECT_EQ(RefusalOf(database_.TransactWriteItems(
                {.transact_items = {Put{.table_name = "abc"}}, .client_request_token = ""})),
            start +
                "'' at 'clientRequestToken' failed to satisfy constraint: Member must have "
                "length greater than or equal to 1");
}

TEST_F(DatabaseTest, RefusesBatchesThatAreTooLong) {
  BatchWriteItemInput input;
  for (int i = 0; i < 26; ++i)
    input.request_items["orders"].push_back(PutRequest{.item = Order(std::to_string(i), i)});
  const std::string refusal = RefusalOf(database_.BatchWriteItem(input));
  EXPECT_TRUE(refusal.ends_with(
      "at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member "
      "must have length less than or equal to 25, Member must have length greater than or equal "
      "to 1]"))
      << refusal;
  input.request_items["others"].push_back(input.request_items["orders"].back());
  input.request_items["orders"].pop_back();
  EXPECT_EQ(RefusalOf(database_.BatchWriteItem(input)),
            "ValidationException: Too many items requested for the BatchWriteItem call");
}

TEST_F(DatabaseTest, IsSafeFromManyThreads) {
  std::vector<std::jthread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this] {
      for (int i = 0; i < 50; ++i) {
        const auto added =
            database_.UpdateItem({.table_name = "orders",
                                  .key = Key("1"),
                                  .update_expression = "ADD hits :one",
                                  .expression_attribute_values = {{":one", V::Number(1)}}});
        EXPECT_TRUE(added.ok());
      }
    });
  }
  threads.clear();
  EXPECT_EQ(Find(Key("1"))->at("hits").AsInteger(), 200);
}

TEST(ResultDeathTest, EndsTheProgramWhenReadForWhatItDoesNotHold) {
  const Result<int> failed = Error{.code = ErrorCode::kValidationException};
  EXPECT_DEATH((void)*failed, "holds an error");
  const Result<int> fine = 1;
  EXPECT_DEATH((void)fine.error(), "holds a value");
}

}  // namespace
}  // namespace trestle::embed
