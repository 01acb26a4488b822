// The strict tree: what it keeps, and that it agrees with the other parser about what JSON is.

#include "json/tree.h"

#include <gtest/gtest.h>

#include "json/json.h"

namespace trestle::json {
namespace {

Tree Parsed(std::string_view text) {
  auto tree = ParseTree(text);
  EXPECT_TRUE(tree.ok()) << text << (tree.ok() ? "" : tree.error().message());
  return tree.ok() ? *std::move(tree) : Tree{};
}

TEST(Tree, KeepsNumbersAsTheyAreWritten) {
  for (const std::string text :
       {"0", "-0", "12345678901234567890123456789012345678", "0.10", "1E+125", "-1.5e-130"}) {
    const Tree tree = Parsed(" " + text + "\n");
    ASSERT_NE(tree.As<Tree::Number>(), nullptr) << text;
    EXPECT_EQ(tree.As<Tree::Number>()->text, text);
  }
}

TEST(Tree, ReadsObjectsInTheirOrder) {
  const Tree tree = Parsed(R"({"b": [true, null, {}], "a": "x", "": false})");
  const auto& members = *tree.As<Tree::Object>();
  ASSERT_EQ(members.size(), 3U);
  EXPECT_EQ(members[0].name, "b");
  EXPECT_EQ(members[0].value.As<Tree::Array>()->size(), 3U);
  EXPECT_TRUE(members[0].value.As<Tree::Array>()->at(1).IsNull());
  EXPECT_EQ(*members[1].value.As<std::string>(), "x");
  EXPECT_EQ(*members[2].value.As<bool>(), false);
}

TEST(Tree, DecodesStrings) {
  EXPECT_EQ(*Parsed(R"("\"\\\/\b\f\n\r\t\u00e9\u4E2D\ud83d\ude00")").As<std::string>(),
            "\"\\/\b\f\n\r\té中😀");
  EXPECT_EQ(*Parsed(R"("\u0000")").As<std::string>(), std::string(1, '\0'));
  EXPECT_EQ(*Parsed("\"\x7f é 😀\"").As<std::string>(), "\x7f é 😀");
}

// Whatever is refused here is refused by simdjson too, and the other way round.
TEST(Tree, AgreesAboutWhatIsJson) {
  const std::string_view documents[] = {
      "",
      " ",
      "{",
      "}",
      "[1,]",
      "[,1]",
      "{\"a\"}",
      "{\"a\":}",
      "{\"a\":1,}",
      "{a:1}",
      "'a'",
      "\"a",
      "\"\x01\"",
      "\"\\x\"",
      "\"\\u12\"",
      "\"\\ud800\"",
      "\"\\udc00\"",
      "\"\\ud800\\u0041\"",
      "01",
      "-",
      "+1",
      ".5",
      "1.",
      "1e",
      "1e+",
      "0x1",
      "NaN",
      "Infinity",
      "tru",
      "nul",
      "truex",
      "[1 2]",
      "[]]",
      "{} {}",
      "// a\n1",
      "\xff",
      "\"\xc3\"",
      "\"\xed\xa0\x80\"",
      "[1\v]",
      "\xef\xbb\xbf{}",
      "[]",
      "{}",
      "0",
      "-0",
      "\"\"",
      "null",
      "[[[]]]",
      "\t[ 1 , 2 ]\r\n",
      "1.0E-5",
      "{\"a\":{\"a\":1}}",
      "\"\\u0000\"",
  };
  Parser parser;
  for (const std::string_view document : documents)
    EXPECT_EQ(ParseTree(document).ok(), parser.Parse(document).ok()) << document;
}

TEST(Tree, RefusesANameThatStandsTwice) {
  const auto tree = ParseTree(R"({"a": {"x": 1, "\u0078": 2}})");
  ASSERT_FALSE(tree.ok());
  EXPECT_EQ(tree.error().code(), ErrorCode::kSerialization);
  EXPECT_EQ(tree.error().message(), "the name \"x\" stands twice in one object (at byte 28)");
}

TEST(Tree, HasBounds) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(ParseTree(nested(kTreeDepthMax)).ok());
  EXPECT_FALSE(ParseTree(nested(kTreeDepthMax + 1)).ok());
  EXPECT_FALSE(ParseTree(std::string(1'000'000, '[')).ok());

  const auto long_list = [](std::size_t count) {
    std::string text = "[0";
    for (std::size_t i = 1; i < count; ++i)
      text += ",0";
    return text + "]";
  };
  EXPECT_TRUE(ParseTree(long_list(kTreeValuesMax - 1)).ok());
  EXPECT_FALSE(ParseTree(long_list(kTreeValuesMax)).ok());
}

}  // namespace
}  // namespace trestle::json
