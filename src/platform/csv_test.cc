#include "platform/csv.h"

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

using Rows = std::vector<CsvRow>;

Rows Parsed(std::string_view text) {
  auto rows = ParseCsv(text);
  EXPECT_TRUE(rows.ok());
  return rows.ok() ? *std::move(rows) : Rows{};
}

TEST(CsvTest, ReadsWhatSpreadsheetsWrite) {
  EXPECT_EQ(Parsed("a,b\r\nc,d\r\n"), (Rows{{"a", "b"}, {"c", "d"}}));
  EXPECT_EQ(Parsed("\xEF\xBB\xBF"
                   "a\n\n\"x, \"\"y\"\"\nz\",\n"),
            (Rows{{"a"}, {"x, \"y\"\nz", ""}}));
  EXPECT_EQ(Parsed("a,b,"), (Rows{{"a", "b", ""}}));
  EXPECT_EQ(Parsed(""), Rows{});
  EXPECT_FALSE(ParseCsv("a,\"b").ok());
}

TEST(CsvTest, ListsAreDividedBySemicolons) {
  EXPECT_EQ(SplitList(" Ann ; Bob;; "), (std::vector<std::string>{"Ann", "Bob"}));
  EXPECT_TRUE(SplitList("").empty());
}

TEST(CsvTest, WritesNoFormulas) {
  EXPECT_EQ(CsvField("plain"), "plain");
  EXPECT_EQ(CsvField("=1+1"), "'=1+1");
  EXPECT_EQ(CsvField("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_EQ(Parsed(CsvField("x\ny, \"z\"")), (Rows{{"x\ny, \"z\""}}));
}

}  // namespace
}  // namespace trestle::platform
