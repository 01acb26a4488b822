#include "protocol/arn.h"

#include <gtest/gtest.h>

namespace trestle::protocol {
namespace {

constexpr ArnScope kScope = {.region = "us-east-1", .account_id = "000000000000"};

TEST(Arn, WhatIsBuiltIsReadBack) {
  const std::string table_arn = TableArn(kScope, "orders");
  const auto table = ParseArn(table_arn);
  ASSERT_TRUE(table.has_value());
  EXPECT_EQ(table->table, "orders");
  EXPECT_EQ(table->region, "us-east-1");
  EXPECT_EQ(table->account_id, "000000000000");

  const std::string index_arn = IndexArn(kScope, "orders", "by-date");
  EXPECT_EQ(index_arn, "arn:aws:dynamodb:us-east-1:000000000000:table/orders/index/by-date");
  const auto index = ParseArn(index_arn);
  ASSERT_TRUE(index.has_value());
  EXPECT_EQ(index->table, "orders");
  EXPECT_EQ(index->index, "by-date");

  const std::string stream_arn = StreamArn(kScope, "orders", "2026-01-01T00:00:00.000");
  const auto stream = ParseArn(stream_arn);
  ASSERT_TRUE(stream.has_value());
  EXPECT_EQ(stream->table, "orders");
  EXPECT_EQ(stream->stream_label, "2026-01-01T00:00:00.000");
}

TEST(Arn, RefusesWhatIsNotOne) {
  for (const std::string_view text :
       {"", "orders", "arn:", "arn:aws:dynamodb:us-east-1:000000000000",
        "arn:aws:s3:us-east-1:000000000000:table/orders",
        "arn:aws:dynamodb::000000000000:table/orders", "arn:aws:dynamodb:us-east-1::table/orders",
        "arn:aws:dynamodb:us-east-1:00000000000x:table/orders",
        "arn:aws:dynamodb:US:000000000000:table/orders",
        "arn:aws:dynamodb:us-east-1:000000000000:table/",
        "arn:aws:dynamodb:us-east-1:000000000000:table/ab",
        "arn:aws:dynamodb:us-east-1:000000000000:table/or ders",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/index/",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/index/a/b",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/stream/",
        "arn:aws:dynamodb:us-east-1:000000000000:table/orders/backup/x",
        "arn:aws:dynamodb:us-east-1:000000000000:backup/orders"}) {
    EXPECT_FALSE(ParseArn(text).has_value()) << text;
  }
}

TEST(Arn, ATableIsKnownByItsNameOrItsArnFromAnyRegion) {
  EXPECT_EQ(*TableNameOf("orders", "000000000000"), "orders");
  EXPECT_EQ(*TableNameOf(TableArn(kScope, "orders"), "000000000000"), "orders");
  EXPECT_EQ(*TableNameOf("arn:aws:dynamodb:eu-west-1:000000000000:table/orders", "000000000000"),
            "orders");
}

TEST(Arn, AnotherAccountsTableIsNotOursToName) {
  const auto name = TableNameOf(TableArn(kScope, "orders"), "123456789012");
  ASSERT_FALSE(name.ok());
  EXPECT_EQ(name.error().code(), ErrorCode::kAccessDenied);
}

TEST(Arn, OnlyTheArnOfATableNamesATable) {
  for (const std::string& arn : {IndexArn(kScope, "orders", "by-date"),
                                 StreamArn(kScope, "orders", "2026"), std::string("arn:x")}) {
    const auto name = TableNameOf(arn, "000000000000");
    ASSERT_FALSE(name.ok()) << arn;
    EXPECT_EQ(name.error().code(), ErrorCode::kValidation);
  }
}

TEST(Arn, TableNamesHaveThreeTo255Characters) {
  EXPECT_FALSE(IsTableName("ab"));
  EXPECT_TRUE(IsTableName("a.B_9-c"));
  EXPECT_TRUE(IsTableName(std::string(255, 'a')));
  EXPECT_FALSE(IsTableName(std::string(256, 'a')));
  EXPECT_FALSE(IsTableName("a/b"));
}

}  // namespace
}  // namespace trestle::protocol
