#include "wire/stream_json.h"

#include <string>

#include <gtest/gtest.h>

#include "value/item_codec.h"
#include "wire/operations.h"

namespace trestle::wire {
namespace {

constexpr CallContext kContext = {.account_id = "000000000000", .region = "eu-west-1"};

value::Item MakeItem(std::string_view name, std::string_view text) {
  std::string bytes;
  value::AppendString(bytes, text);
  value::ItemBuilder builder;
  builder.Add(name, bytes);
  return builder.Finish();
}

TEST(StreamArn, HoldsTableAndLabel) {
  const engine::Stream stream{.table = "orders", .created_unix_ms = 1'794'716'430'007};
  const std::string arn = StreamArnOf(kContext, stream);
  EXPECT_EQ(arn,
            "arn:aws:dynamodb:eu-west-1:000000000000:table/orders/stream/2026-11-15T04:20:30.007");
  const auto name = ParseStreamArn(arn, kContext);
  ASSERT_TRUE(name.ok());
  EXPECT_EQ(name->table, "orders");
  EXPECT_EQ(name->created_unix_ms, 1'794'716'430'007);
  EXPECT_EQ(name->arn, arn);
}

TEST(StreamArn, HasOneSpelling) {
  const std::string table = "arn:aws:dynamodb:eu-west-1:000000000000:table/orders";
  for (const std::string label :
       {"2026-11-15T04:20:30", "2026-11-15T04:20:30.7", "2026-11-15T04:20:30.0007",
        "2026-11-15 04:20:30.007", "2026-13-15T04:20:30.007", "2026-11-15T04:20:30.007Z",
        "2026-11-15T04:20:30.-07", "x"}) {
    const auto name = ParseStreamArn(table + "/stream/" + label, kContext);
    ASSERT_FALSE(name.ok()) << label;
    EXPECT_EQ(name.error().code(), ErrorCode::kResourceNotFound) << label;
  }
  EXPECT_EQ(ParseStreamArn(table, kContext).error().code(), ErrorCode::kValidation);
  EXPECT_EQ(
      ParseStreamArn("arn:aws:dynamodb:eu-west-1:1:table/orders/stream/x", kContext).error().code(),
      ErrorCode::kAccessDenied);
}

TEST(ShardIds, ComeBack) {
  const engine::ShardName shard{.id = engine::ShardId{0xab}, .opened_unix_ms = 1'794'716'430'007};
  EXPECT_EQ(ShardIdText(shard), "shardId-00000001794716430007-000000ab");
  const auto parsed = ParseShardId(ShardIdText(shard));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(*parsed, shard);
  for (const std::string_view text :
       {"", "shardId-", "shardId-1-1", "shardId-00000001794716430007-000000AB",
        "shardid-00000001794716430007-000000ab", "shardId-00000001794716430007-000000abc", "-",
        "shardId-x0000001794716430007-000000ab"}) {
    EXPECT_FALSE(ParseShardId(text).ok()) << text;
  }
}

TEST(SequenceNumbers, AreOrderedAsTextsAndAsNumbers) {
  EXPECT_EQ(SequenceNumberText(1), "100000000000000000001");
  EXPECT_LT(SequenceNumberText(9), SequenceNumberText(10));
  for (const std::uint64_t sequence : {std::uint64_t{0}, std::uint64_t{7}, ~std::uint64_t{0}}) {
    EXPECT_EQ(ParseSequenceNumber(SequenceNumberText(sequence)), sequence);
  }
  for (const std::string_view text :
       {"", "1", "000000000000000000001", "10000000000000000000x", "1000000000000000000001",
        "199999999999999999999", "1-0000000000000000001"}) {
    EXPECT_EQ(ParseSequenceNumber(text), std::nullopt) << text;
  }
}

TEST(ShardIterators, ComeBack) {
  const std::string text = ShardIteratorText("arn|1|x", std::string("\0\1", 2));
  const auto parts = ParseShardIterator(text);
  ASSERT_TRUE(parts);
  EXPECT_EQ(parts->arn, "arn|1|x");
  EXPECT_EQ(parts->iterator, std::string("\0\1", 2));
  for (const std::string_view garbage : {"", "arn", "arn|1|?", "arn|2|AAE="}) {
    EXPECT_FALSE(ParseShardIterator(garbage)) << garbage;
  }
}

TEST(GetRecords, NamesTheServiceForWhatExpired) {
  engine::RecordsReply reply;
  reply.stream = std::make_shared<const engine::Stream>(
      engine::Stream{.table = "t", .view_type = engine::StreamViewType::kOldImage});
  reply.records.push_back({.sequence = 5,
                           .record = {.event = engine::StreamEvent::kExpire,
                                      .time_unix_ms = 1'794'716'430'007,
                                      .keys = MakeItem("pk", "a").bytes(),
                                      .old_image = MakeItem("pk", "a").bytes()}});
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  kGetRecords.render(kContext, engine::RecordsRequest{}, reply, writer);
  writer.EndObject();
  EXPECT_NE(body.find(R"("eventName":"REMOVE")"), std::string::npos) << body;
  EXPECT_NE(
      body.find(R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"})"),
      std::string::npos)
      << body;
  EXPECT_NE(body.find(R"("ApproximateCreationDateTime":1794716430.0)"), std::string::npos) << body;
  EXPECT_NE(body.find(R"("awsRegion":"eu-west-1")"), std::string::npos) << body;
}

}  // namespace
}  // namespace trestle::wire
