// Sizes by DynamoDB's rules. Sizes of numbers are in number_test.cc.

#include "value/item_size.h"

#include <string>

#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::B;
using testing::Bool;
using testing::Bs;
using testing::ItemOf;
using testing::L;
using testing::M;
using testing::N;
using testing::Ns;
using testing::Null;
using testing::S;
using testing::Ss;

std::size_t SizeOf(const std::string& value) { return ValueSizeBytes(ValueView(value)); }
std::size_t DepthOf(const std::string& value) { return ValueDepth(ValueView(value)); }

TEST(ValueSize, FollowsTheRulesOfTheService) {
  EXPECT_EQ(SizeOf(S("")), 0U);
  EXPECT_EQ(SizeOf(S("caf\xc3\xa9")), 5U);
  EXPECT_EQ(SizeOf(B("abc")), 3U);
  EXPECT_EQ(SizeOf(N("123")), 3U);
  EXPECT_EQ(SizeOf(Bool(true)), 1U);
  EXPECT_EQ(SizeOf(Null()), 1U);
  EXPECT_EQ(SizeOf(Ss({"a", "bc", ""})), 3U);
  EXPECT_EQ(SizeOf(Bs({"a", "bc"})), 3U);
  EXPECT_EQ(SizeOf(Ns({"1", "-1", "1234"})), 2U + 3U + 3U);
  EXPECT_EQ(SizeOf(L({})), 3U);
  EXPECT_EQ(SizeOf(M({})), 3U);
  EXPECT_EQ(SizeOf(L({S("ab"), Null()})), 3U + 2U + 2U + 1U);
  EXPECT_EQ(SizeOf(M({{"name", S("ab")}})), 3U + 1U + 4U + 2U);
  EXPECT_EQ(SizeOf(M({{"m", L({M({})})}})), 3U + 1U + 1U + (3U + 1U + 3U));
}

TEST(ValueSize, CountsNamesOfAttributes) {
  const std::string value = S("ab");
  EXPECT_EQ(AttributeSizeBytes("name", ValueView(value)), 6U);
  const Item item = ItemOf({{"pk", S("o#1")}, {"total", N("10")}, {"tags", Ss({"x", "yz"})}});
  EXPECT_EQ(item.view().size_bytes(), (2U + 3U) + (5U + 2U) + (4U + 3U));
}

TEST(ValueDepth, CountsTheValueAndWhatIsInIt) {
  EXPECT_EQ(DepthOf(S("a")), 1U);
  EXPECT_EQ(DepthOf(Ss({"a"})), 1U);
  EXPECT_EQ(DepthOf(L({})), 1U);
  EXPECT_EQ(DepthOf(M({{"a", S("a")}})), 2U);
  EXPECT_EQ(DepthOf(L({S("a"), M({{"a", L({})}}), L({})})), 3U);
  EXPECT_EQ(DepthOf(L({S("a"), M({{"a", L({S("a")})}})})), 4U);
}

}  // namespace
}  // namespace trestle::value
