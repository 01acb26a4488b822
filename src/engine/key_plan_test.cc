#include "engine/key_plan.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "expr/condition.h"

namespace trestle::engine {
namespace {

using expr::partiql::Where;

const TableSchema kTable{.name = "t",
                         .partition = {.name = "pk", .type = value::Type::kS},
                         .sort = KeyAttribute{.name = "sk", .type = value::Type::kN}};

std::optional<Where> WhereOf(const std::string& text) {
  const auto statement = expr::partiql::Parse("SELECT * FROM t WHERE " + text, {});
  EXPECT_TRUE(statement.ok()) << text;
  return statement.ok() ? statement->where : std::nullopt;
}

// How many ranges a condition reads; 0 when it reads everything, and -1 when it is refused.
int ReadCount(const std::string& text) {
  const PageSource source{.table = &kTable};
  const auto reads = PlanReads(source, *WhereOf(text));
  if (!reads.ok()) return -1;
  return *reads ? static_cast<int>((*reads)->size()) : 0;
}

bool IsSingleItem(const std::string& text) {
  const PageSource source{.table = &kTable};
  const auto reads = PlanReads(source, *WhereOf(text));
  return reads.ok() && *reads && (*reads)->size() == 1 && (*reads)->front().is_single_item;
}

TEST(KeyPlan, AnEqualityOnThePartitionKeyIsOneRead) {
  EXPECT_EQ(ReadCount("pk = 'a'"), 1);
  EXPECT_EQ(ReadCount("a = 1 AND (b = 2 OR c = 3) AND pk = 'a'"), 1);
  EXPECT_FALSE(IsSingleItem("pk = 'a' AND sk > 1"));
  EXPECT_TRUE(IsSingleItem("pk = 'a' AND 1 = sk AND a = 2"));
}

TEST(KeyPlan, WhatLeavesThePartitionOpenReadsAll) {
  EXPECT_EQ(ReadCount("sk = 1"), 0);
  EXPECT_EQ(ReadCount("pk > 'a'"), 0);
  EXPECT_EQ(ReadCount("pk = 'a' OR a = 1"), 0);
  EXPECT_EQ(ReadCount("NOT pk = 'a'"), 0);
  EXPECT_EQ(ReadCount("pk = other"), 0);
}

TEST(KeyPlan, InAndOrAreSeveralReads) {
  EXPECT_EQ(ReadCount("pk IN ['a', 'b', 'c'] AND sk < 5"), 3);
  EXPECT_EQ(ReadCount("pk = 'a' OR pk = 'b'"), 2);
  EXPECT_EQ(ReadCount("pk = 'a' AND sk IN [1, 2]"), 2);
  EXPECT_EQ(ReadCount("(pk = 'a' AND sk < 1) OR (pk = 'a' AND sk > 1 AND sk < 9)"), 2);
}

TEST(KeyPlan, ReadsMayNotOverlap) {
  EXPECT_EQ(ReadCount("pk = 'a' OR pk = 'a'"), -1);
  EXPECT_EQ(ReadCount("pk = 'a' AND (sk > 1 OR sk < 5)"), -1);
  EXPECT_EQ(ReadCount("pk = 'a' AND (sk = 1 OR a = 1)"), -1);
}

TEST(KeyPlan, BoundsOfTheSortKeyAreNarrowed) {
  const PageSource source{.table = &kTable};
  const auto both = PlanReads(source, *WhereOf("pk = 'a' AND sk > 1 AND sk <= 5"));
  const auto between = PlanReads(source, *WhereOf("pk = 'a' AND sk BETWEEN 2 AND 5"));
  ASSERT_TRUE(both.ok() && between.ok());
  EXPECT_LT((*both)->front().range.first, (*between)->front().range.first);
  EXPECT_EQ((*both)->front().range.end, (*between)->front().range.end);
}

TEST(KeyPlan, TakesTheKeyOutOfACondition) {
  const auto keyed = TakeKey(kTable, WhereOf("(a = 1 OR b = 2) AND pk = 'x' AND sk = 1 AND c = 3"));
  ASSERT_TRUE(keyed.ok());
  EXPECT_EQ(keyed->key.view().count(), 2u);
  ASSERT_TRUE(keyed->rest.has_value());
  EXPECT_EQ(keyed->rest->tests.size(), 3u);
  const auto bare = TakeKey(kTable, WhereOf("sk = 1 AND pk = 'x' AND sk = 1"));
  ASSERT_TRUE(bare.ok());
  EXPECT_FALSE(bare->rest.has_value());
}

TEST(KeyPlan, ANestedEqualityIsNoKey) {
  EXPECT_FALSE(TakeKey(kTable, WhereOf("pk = 'x' AND (sk = 1 OR a = 1)")).ok());
  EXPECT_FALSE(TakeKey(kTable, WhereOf("a = 1 OR (pk = 'x' AND sk = 1)")).ok());
  EXPECT_FALSE(TakeKey(kTable, WhereOf("pk = 'x' AND NOT sk = 1")).ok());
  EXPECT_FALSE(TakeKey(kTable, WhereOf("pk = 'x' AND sk = 1 AND sk = 2")).ok());
  EXPECT_TRUE(TakeKey(kTable, WhereOf("pk = 'x' AND NOT NOT sk = 1")).ok());
}

}  // namespace
}  // namespace trestle::engine
