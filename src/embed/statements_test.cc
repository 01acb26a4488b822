// PartiQL through the typed calls.

#include <cstdint>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "trestle/database.h"

namespace trestle::embed {
namespace {

using V = AttributeValue;

class StatementsTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto created =
        database_->CreateTable({.table_name = "books",
                                .attribute_definitions = {{.attribute_name = "id"}},
                                .key_schema = {{.attribute_name = "id"}},
                                .billing_mode = BillingMode::kPayPerRequest});
    ASSERT_TRUE(created.ok()) << created.error().message;
    for (const char* id : {"a", "b", "c"}) {
      const auto made = database_->ExecuteStatement(
          {.statement = "INSERT INTO books VALUE {'id': ?, 'copies': 1}",
           .parameters = {V::String(id)}});
      ASSERT_TRUE(made.ok()) << made.error().message;
    }
  }
  std::optional<std::int64_t> Copies(const std::string& id) {
    const auto item = database_->GetItem({.table_name = "books", .key = {{"id", V::String(id)}}});
    return item->item->at("copies").AsInteger();
  }

  Result<Database> database_ = Database::Open({.in_memory = true});
};

TEST_F(StatementsTest, PagesAreReadOnFromTheirLastKey) {
  ExecuteStatementInput input{.statement = "SELECT id FROM books", .limit = 2};
  const auto first = database_->ExecuteStatement(input);
  ASSERT_TRUE(first.ok()) << first.error().message;
  EXPECT_EQ(first->items.size(), 2U);
  ASSERT_TRUE(first->last_evaluated_key.has_value());
  input.exclusive_start_key = first->last_evaluated_key;
  const auto second = database_->ExecuteStatement(input);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(second->items.size(), 1U);
  EXPECT_FALSE(second->last_evaluated_key.has_value());
}

TEST_F(StatementsTest, WritesReturnWhatTheyAreAskedFor) {
  const auto changed = database_->ExecuteStatement(
      {.statement = "UPDATE books SET copies = ? WHERE id = 'a' RETURNING MODIFIED NEW *",
       .parameters = {V::Number(7)},
       .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  ASSERT_TRUE(changed.ok()) << changed.error().message;
  ASSERT_EQ(changed->items.size(), 1U);
  EXPECT_EQ(changed->items[0].at("copies").AsInteger(), 7);
  EXPECT_EQ(changed->consumed_capacity->total.capacity_units, 1);
}

TEST_F(StatementsTest, RefusalsAreTheServices) {
  const auto refusal = [&](const std::string& text) {
    const auto answer = database_->ExecuteStatement({.statement = text});
    return answer.ok() ? "" : answer.error().message;
  };
  EXPECT_EQ(refusal("EXISTS(SELECT * FROM books WHERE id = 'a')"),
            "EXISTS can only be used in ExecuteTransaction write requests.");
  EXPECT_EQ(refusal(""),
            "1 validation error detected: Value '' at 'statement' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1");
  EXPECT_EQ(database_->ExecuteStatement({.statement = "INSERT INTO books VALUE {'id': 'a'}"})
                .error()
                .code,
            ErrorCode::kDuplicateItemException);
  EXPECT_EQ(database_->ExecuteStatement({.statement = "SELECT * FROM nothing"}).error().code,
            ErrorCode::kResourceNotFoundException);
}

TEST_F(StatementsTest, StatementsOfABatchSucceedOrFailForThemselves) {
  const auto batch = database_->BatchExecuteStatement(
      {.statements = {{.statement = "UPDATE books SET copies = 2 WHERE id = 'a'"},
                      {.statement = "UPDATE books SET copies = 2 WHERE id = 'x'"},
                      {.statement = "not PartiQL"}}});
  ASSERT_TRUE(batch.ok()) << batch.error().message;
  ASSERT_EQ(batch->responses.size(), 3U);
  EXPECT_TRUE(batch->responses[0].ok());
  EXPECT_EQ(batch->responses[1].error().code, ErrorCode::kConditionalCheckFailedException);
  EXPECT_EQ(batch->responses[2].error().code, ErrorCode::kValidationException);
  EXPECT_EQ(Copies("a"), 2);

  const auto mixed = database_->BatchExecuteStatement(
      {.statements = {{.statement = "SELECT * FROM books WHERE id = 'a'"},
                      {.statement = "DELETE FROM books WHERE id = 'a'"}}});
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().message,
            "Read and write requests together in the same batch is not supported.");
  EXPECT_EQ(Copies("a"), 2);
}

TEST_F(StatementsTest, ATransactionHappensWhollyOrNotAtAll) {
  ExecuteTransactionInput input{
      .transact_statements = {
          {.statement = "UPDATE books SET copies = 9 WHERE id = 'a'"},
          {.statement = "EXISTS(SELECT * FROM books WHERE id = 'x' AND copies = 1)"}}};
  const auto cancelled = database_->ExecuteTransaction(input);
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().code, ErrorCode::kTransactionCanceledException);
  EXPECT_EQ(cancelled.error().cancellation_reasons[1].code, "ConditionalCheckFailed");
  EXPECT_EQ(Copies("a"), 1);

  input.transact_statements[1].statement = "UPDATE books SET copies = copies + 1 WHERE id = 'b'";
  input.client_request_token = "once";
  ASSERT_TRUE(database_->ExecuteTransaction(input).ok());
  ASSERT_TRUE(database_->ExecuteTransaction(input).ok());
  EXPECT_EQ(Copies("a"), 9);
  EXPECT_EQ(Copies("b"), 2);

  const auto read = database_->ExecuteTransaction(
      {.transact_statements = {{.statement = "SELECT copies FROM books WHERE id = 'b'"},
                               {.statement = "SELECT copies FROM books WHERE id = 'x'"}}});
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->responses[0]->at("copies").AsInteger(), 2);
  EXPECT_FALSE(read->responses[1].has_value());
}

}  // namespace
}  // namespace trestle::embed
