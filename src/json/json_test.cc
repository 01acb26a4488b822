#include "json/json.h"

#include <utility>

#include <gtest/gtest.h>

#include "json/tail.h"

namespace trestle::json {
namespace {

TEST(Writer, PutsCommasBetweenMembersAndElements) {
  std::string out;
  Writer writer(out);
  writer.BeginObject();
  writer.Key("a");
  writer.BeginArray();
  writer.Integer(1);
  writer.Bool(false);
  writer.EndArray();
  writer.Key("b");
  writer.Null();
  writer.EndObject();
  EXPECT_EQ(out, R"({"a":[1,false],"b":null})");
}

TEST(Writer, EscapesWhatJsonCannotHold) {
  std::string out;
  AppendQuoted(out, std::string_view("a\"\\\n\x01\0z\xc3\xa9", 9));
  EXPECT_EQ(out, "\"a\\\"\\\\\\n\\u0001\\u0000z\xc3\xa9\"");
}

// At every place of a text that is read four, eight and sixteen bytes at a time.
TEST(Writer, EscapesWhereverTheByteIs) {
  const std::pair<char, std::string> rows[] = {
      {'"', "\\\""}, {'\\', "\\\\"},   {'\n', "\\n"}, {'\0', "\\u0000"}, {'\x1f', "\\u001f"},
      {' ', " "},    {'\x7f', "\x7f"}, {'!', "!"},    {'\x80', "\x80"}};
  for (const auto& [byte, escaped] : rows) {
    for (std::size_t size = 1; size < 40; ++size) {
      for (std::size_t at = 0; at < size; ++at) {
        std::string text(size, '\xff');
        text[at] = byte;
        std::string out = "before";
        AppendQuoted(out, text);
        EXPECT_EQ(out, "before\"" + text.replace(at, 1, escaped) + '"');
      }
    }
  }
}

TEST(Tail, WritesPiecesOfAnySizeBehindWhatIsThere) {
  for (const std::size_t step : {0U, 1U, 7U, 1000U}) {
    std::string out = "before ";
    std::string expected = out;
    {
      Tail tail(out, step);
      for (std::size_t size = 0; size < 50; ++size) {
        const std::string piece(size, static_cast<char>('a' + size % 26));
        tail.Put(piece);
        tail.Put(',');
        tail.PutQuoted(piece + "\t");
        tail.Put("literal");
        expected += piece + ",\"" + piece + "\\t\"literal";
      }
    }
    EXPECT_EQ(out, expected);
  }
  std::string untouched = "before";
  { const Tail tail(untouched, 100); }
  EXPECT_EQ(untouched, "before");
}

TEST(Writer, PrintsDoublesShortAndWithAPoint) {
  std::string out;
  Writer writer(out);
  writer.BeginArray();
  writer.Double(0.5);
  writer.Double(2);
  writer.Double(1700000000.123);
  writer.EndArray();
  EXPECT_EQ(out, "[0.5,2.0,1700000000.123]");
}

TEST(Parser, RefusesWhatIsNotOneWholeDocument) {
  Parser parser;
  for (const std::string_view text : {"", "{", "{} {}", "{\"a\":01}", "{\"a\":\"\xff\"}", "nul"}) {
    const auto parsed = parser.Parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kSerialization);
  }
}

TEST(Parser, RefusesHostileNestingWithoutExhaustingTheStack) {
  Parser parser;
  EXPECT_FALSE(parser.Parse(std::string(200'000, '[')).ok());
}

TEST(Parser, CanBeUsedAgainAfterAFailure) {
  Parser parser;
  EXPECT_FALSE(parser.Parse("{").ok());
  const auto parsed = parser.Parse(R"({"a": 1})");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(std::int64_t((*parsed)["a"]), 1);
}

TEST(Indented, GivesEachMemberALine) {
  EXPECT_EQ(Indented(R"({"a":[1,{"b":"x,\"{"}],"c":{},"d":[]})"),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": \"x,\\\"{\"\n    }\n  ],\n"
            "  \"c\": {},\n  \"d\": []\n}");
}

}  // namespace
}  // namespace trestle::json
