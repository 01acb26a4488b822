#include "platform/address.h"

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

TEST(PercentCoding, ComesBackAsItWas) {
  for (const std::string_view text : {"", "abc", "a/b#c?d", "100 %", "é 😀", "a+b&c=d", "..", "\n"})
    EXPECT_EQ(PercentDecode(PercentEncode(text)), text);
  EXPECT_EQ(PercentEncode("a/b é~"), "a%2Fb%20%C3%A9~");
}

TEST(PercentCoding, RefusesWhatCannotBeRead) {
  for (const std::string_view text : {"%", "%4", "%zz", "a%4", "%ff", "%c3"})
    EXPECT_EQ(PercentDecode(text), std::nullopt) << text;
  EXPECT_EQ(PercentDecode("a+b%2b"), "a+b+");
}

TEST(SplitPath, KeepsEncodedSlashesInside) {
  using Segments = std::vector<std::string>;
  EXPECT_EQ(SplitPath("/a%2Fb/c"), (Segments{"a/b", "c"}));
  EXPECT_EQ(SplitPath("/"), (Segments{""}));
  EXPECT_EQ(SplitPath("/a/"), (Segments{"a", ""}));
  EXPECT_EQ(SplitPath("//"), (Segments{"", ""}));
  EXPECT_EQ(SplitPath("*"), std::nullopt);
  EXPECT_EQ(SplitPath("/%ff"), std::nullopt);
}

TEST(ParseQuery, ReadsPairsInTheirOrder) {
  const auto query = ParseQuery("a=1&b=x+y%2B&a=2&&c&d==&=e");
  ASSERT_TRUE(query.ok());
  EXPECT_EQ(*query, (QueryParameters{
                        {"a", "1"}, {"b", "x y+"}, {"a", "2"}, {"c", ""}, {"d", "="}, {"", "e"}}));
  EXPECT_FALSE(ParseQuery("a=%f").ok());
  EXPECT_FALSE(ParseQuery("%ff=a").ok());
}

}  // namespace
}  // namespace trestle::platform
