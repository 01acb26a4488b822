// What is left of a batch, tokens, and what may be sent twice. Everything else that items and
// tables promise is tested against a real server, in tests/design.

#include "remote/items.h"

#include <gtest/gtest.h>

#include "remote/testing_internal.h"
#include "value/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;
using testing::FakeServer;
using testing::JsonResponse;
using testing::Seen;
using value::testing::ItemOf;
using value::testing::S;

class ItemsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto client = Client::Open(
        {.environment = EnvironmentOf({{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
         .endpoint = {.endpoint = server_.url(), .region = {}},
         .clock = &clock_,
         .random = &random_,
         .sleep = [this](std::chrono::milliseconds) { ++pauses_; }});
    ASSERT_TRUE(client.ok()) << client.error().message();
    client_ = *std::move(client);
  }

  FixedClock clock_{1'767'323'045'678};
  Random random_{1};
  int pauses_ = 0;
  FakeServer::Answer answer_;
  FakeServer server_{[this](const Seen& seen) { return answer_(seen); }};
  std::unique_ptr<Client> client_;
};

WriteInput Put(std::string_view key) {
  return {.kind = WriteKind::kPut, .table = "t", .item = ItemOf({{"pk", S(key)}})};
}

TEST_F(ItemsTest, SendsTheRestOfABatchAgain) {
  answer_ = [](const Seen& seen) {
    if (seen.body.find("\"a\"") == std::string::npos) return JsonResponse(200, "{}");
    return JsonResponse(200,
                        R"({"UnprocessedItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}})");
  };
  ASSERT_TRUE(BatchWriteItems(*client_, std::vector{Put("a"), Put("b")}).ok());
  const std::vector<Seen> seen = server_.seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[1].body, R"({"RequestItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"b"}}}}]}})");
  EXPECT_EQ(pauses_, 1);
}

TEST_F(ItemsTest, GivesUpOnABatchThatNeverEnds) {
  answer_ = [](const Seen&) {
    return JsonResponse(200,
                        R"({"UnprocessedItems":{"t":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}})");
  };
  const Status status = BatchWriteItems(*client_, std::vector{Put("a")});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().code(), ErrorCode::kThrottled);
}

TEST_F(ItemsTest, AsksForUnprocessedKeysAgain) {
  answer_ = [](const Seen& seen) {
    if (seen.body.find("\"a\"") == std::string::npos) {
      return JsonResponse(200, R"({"Responses":{"t":[{"pk":{"S":"b"}}]},"UnprocessedKeys":{}})");
    }
    return JsonResponse(200, R"({"Responses":{"t":[{"pk":{"S":"a"}}]},)"
                             R"("UnprocessedKeys":{"t":{"Keys":[{"pk":{"S":"b"}}]}}})");
  };
  const std::vector<value::Item> keys = {ItemOf({{"pk", S("a")}}), ItemOf({{"pk", S("b")}})};
  const auto items = BatchGetItems(*client_, {.table = "t", .keys = keys});
  ASSERT_TRUE(items.ok()) << items.error().message();
  EXPECT_EQ(*items, keys);

  answer_ = [](const Seen&) {
    return JsonResponse(200, R"({"UnprocessedKeys":{"t":{"Keys":[{"pk":{"S":"b"}}]}}})");
  };
  const auto never = BatchGetItems(*client_, {.table = "t", .keys = std::span(keys).subspan(1)});
  ASSERT_FALSE(never.ok());
  EXPECT_EQ(never.error().code(), ErrorCode::kThrottled);
}

// The token makes it harmless to send a transaction twice, so each attempt must carry the same.
TEST_F(ItemsTest, ATransactionKeepsItsTokenOverAttempts) {
  int count = 0;
  answer_ = [&](const Seen&) {
    return ++count < 3 ? JsonResponse(500, "") : JsonResponse(200, "{}");
  };
  ASSERT_TRUE(TransactWriteItems(*client_, std::vector{Put("a")}, "").ok());
  const std::vector<Seen> seen = server_.seen();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_NE(seen[0].body.find("\"ClientRequestToken\":\""), std::string::npos);
  EXPECT_EQ(seen[0].body, seen[1].body);
  EXPECT_EQ(seen[0].body, seen[2].body);
}

TEST_F(ItemsTest, OnlyAHarmlessWriteIsRepeated) {
  answer_ = [](const Seen&) { return JsonResponse(500, ""); };
  WriteInput conditional = Put("a");
  conditional.condition_expression = "attribute_not_exists(pk)";
  WriteInput update{.kind = WriteKind::kUpdate, .table = "t", .item = ItemOf({{"pk", S("a")}})};
  update.update_expression = "ADD n :one";
  EXPECT_FALSE(WriteItem(*client_, conditional).ok());
  EXPECT_FALSE(WriteItem(*client_, update).ok());
  EXPECT_EQ(server_.seen().size(), 2u);
  EXPECT_FALSE(WriteItem(*client_, Put("a")).ok());
  EXPECT_EQ(server_.seen().size(), 10u);
}

TEST_F(ItemsTest, AFaultyItemIsRefused) {
  answer_ = [](const Seen&) { return JsonResponse(200, R"({"Item":{"pk":{"Q":"a"}}})"); };
  const auto item = GetItem(*client_, {.table = "t", .key = ItemOf({{"pk", S("a")}})});
  ASSERT_FALSE(item.ok());
  EXPECT_EQ(item.error().code(), ErrorCode::kCorruption);
}

}  // namespace
}  // namespace trestle::remote
