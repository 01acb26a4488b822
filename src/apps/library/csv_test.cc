#include "apps/library/csv.h"

#include <gtest/gtest.h>

namespace trestle::apps::library {
namespace {

using Lines = std::vector<std::vector<std::string>>;

TEST(CsvTest, FieldsMayHoldAnything) {
  EXPECT_EQ(*ParseCsv("type,title\r\nbook,\"Foo, \"\"Bar\"\"\nand more\"\r\n\r\nvideo,\n"),
            (Lines{{"type", "title"}, {"book", "Foo, \"Bar\"\nand more"}, {"video", ""}}));
  EXPECT_EQ(*ParseCsv("\xEF\xBB\xBF"
                      "a,b,"),
            (Lines{{"a", "b", ""}}));
  EXPECT_TRUE(ParseCsv("")->empty());
}

TEST(CsvTest, AQuoteIsClosed) { EXPECT_FALSE(ParseCsv("a,\"b\nc").ok()); }

TEST(CsvTest, ListsAreDividedBySemicolons) {
  EXPECT_EQ(SplitList(" Ann ; Bob;; "), (std::vector<std::string>{"Ann", "Bob"}));
  EXPECT_TRUE(SplitList("").empty());
}

}  // namespace
}  // namespace trestle::apps::library
