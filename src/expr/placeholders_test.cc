// The names and values of a request, and the words that need a name.

#include "expr/placeholders.h"

#include <gtest/gtest.h>

#include "expr/condition.h"
#include "expr/projection.h"
#include "expr/reserved_words.h"
#include "expr/testing_internal.h"

namespace trestle::expr {
namespace {

using testing::ValueOf;

std::string MessageOf(const Status& status) {
  return status.ok() ? "ok" : status.error().message();
}

TEST(Placeholders, MustLookLikePlaceholders) {
  const std::string value = ValueOf("1");
  EXPECT_EQ(
      MessageOf(
          Placeholders({{"#a", "a"}, {"#1_B", "b"}}, {{":a", value}, {":_", value}}).CheckSyntax()),
      "ok");
  for (const char* key : {"", "#", "a", ":a", "#a-b", "#a.b", "#é", "# a"}) {
    EXPECT_EQ(MessageOf(Placeholders({{key, "a"}}, {}).CheckSyntax()),
              "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" +
                  std::string(key) + "\"");
  }
  for (const char* key : {"", ":", "a", "#a", ":a-b"}) {
    EXPECT_EQ(MessageOf(Placeholders({}, {{key, value}}).CheckSyntax()),
              "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" +
                  std::string(key) + "\"");
  }
  EXPECT_EQ(MessageOf(Placeholders({{"x", "a"}}, {{"y", value}}).CheckSyntax()),
            "ExpressionAttributeNames contains invalid key: Syntax error; key: \"x\"");
  const std::string longest = "#" + std::string(254, 'a');
  EXPECT_EQ(MessageOf(Placeholders({{longest, "a"}}, {}).CheckSyntax()), "ok");
  EXPECT_EQ(MessageOf(Placeholders({{longest + "a", "a"}}, {}).CheckSyntax()),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains "
            "a key that is too long; size of key: 256");
  EXPECT_EQ(MessageOf(Placeholders({}, {{":" + longest, value}}).CheckSyntax()),
            "ExpressionAttributeValues contains invalid key: The expression attribute map contains "
            "a key that is too long;");
}

TEST(Placeholders, NameAttributesThatCanBe) {
  EXPECT_EQ(MessageOf(Placeholders({{"#a", std::string(65535, 'n')}}, {}).CheckSyntax()), "ok");
  EXPECT_EQ(MessageOf(Placeholders({{"#a", std::string(65536, 'n')}}, {}).CheckSyntax()),
            "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be "
            "less than 65536 bytes for key #a");
  EXPECT_EQ(MessageOf(Placeholders({{"#a", "a"}, {"#b", ""}}, {}).CheckSyntax()),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #b");
}

TEST(Placeholders, MustAllBeUsedByTheExpressionsTogether) {
  Placeholders placeholders({{"#a", "a"}, {"#b", "b"}, {"#c", "c"}},
                            {{":x", ValueOf("1")}, {":y", ValueOf("2")}});
  EXPECT_TRUE(placeholders.has_names());
  EXPECT_TRUE(placeholders.has_values());
  EXPECT_EQ(MessageOf(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: "
            "keys: {#a, #b, #c}");
  ASSERT_TRUE(Condition::Parse(ConditionKind::kFilter, "#a = :x OR #a = d", placeholders).ok());
  EXPECT_EQ(MessageOf(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}");
  ASSERT_TRUE(Projection::Parse("#b, d.#c", placeholders).ok());
  EXPECT_EQ(MessageOf(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y}");
  ASSERT_TRUE(Condition::Parse(ConditionKind::kCondition, ":y = d", placeholders).ok());
  EXPECT_EQ(MessageOf(placeholders.CheckAllUsed()), "ok");
  EXPECT_EQ(MessageOf(Placeholders().CheckAllUsed()), "ok");
}

TEST(Placeholders, ComeInAnyOrderAndTheLastOfAKeyCounts) {
  Placeholders placeholders({{"#c", "c"}, {"#a", "first"}, {"#b", "b"}, {"#a", "last"}}, {});
  EXPECT_EQ(MessageOf(placeholders.CheckAllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: "
            "keys: {#a, #b, #c}");
  ASSERT_NE(placeholders.FindName("#a"), nullptr);
  EXPECT_EQ(*placeholders.FindName("#a"), "last");
  EXPECT_EQ(placeholders.FindName("#aa"), nullptr);
  EXPECT_EQ(placeholders.FindName("#d"), nullptr);
}

TEST(ReservedWords, AreKnownInAnyCase) {
  for (const char* word : {"ABORT", "abort", "Status", "name", "DATE", "ttl", "Zone", "year", "set",
                           "LOCALTIMESTAMP", "flattern", "authorization"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
  for (const char* word : {"", "a", "abor", "aborts", "pk", "Id", "title", "names_", "_name",
                           "zones", "LOCALTIMESTAMPS", "averyveryverylongnameindeed", "NAM"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

TEST(Placeholders, MayHaveTwoMegabytesTogether) {
  const std::string value(2 * 1024 * 1024 - 6, 'v');
  EXPECT_EQ(MessageOf(Placeholders({{"#n", "nn"}}, {{":v", value}}).CheckSyntax()), "ok");
  EXPECT_EQ(MessageOf(Placeholders({{"#n", "nnn"}}, {{":v", value}}).CheckSyntax()),
            "The expression attribute names and values have exceeded the maximum allowed size; "
            "size: 2097153");
}

}  // namespace
}  // namespace trestle::expr
