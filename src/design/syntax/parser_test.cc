// What the parser says about texts that are not designs, and where. Whole files, good and bad, are
// in testdata/ and run by golden_test.py.

#include "design/syntax/parser.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "design/syntax/printer.h"

namespace trestle::design::syntax {
namespace {

// Every diagnostic on a line of its own, for a design with `text` behind its header.
std::string Complaints(std::string_view text) {
  std::string all;
  for (const Diagnostic& diagnostic :
       ParseDesign("design D version 1\n" + std::string(text)).diagnostics) {
    all += Print(diagnostic, "f") + "\n";
  }
  return all;
}

TEST(Parser, NeedsAHeader) {
  EXPECT_EQ(Print(ParseDesign("").diagnostics.at(0), "f"),
            "f:1:1: error S2: a design begins with its name: `design Name version 1`");
  EXPECT_EQ(Complaints("design D version 2\n"), "f:2:1: error S4: `design` is given twice\n");
}

TEST(Parser, SuggestsTheWordThatWasMeant) {
  EXPECT_EQ(Complaints("entty E {\n}\n"),
            "f:2:1: error S3: `entty` is not a declaration; did you mean `entity`?\n");
  EXPECT_EQ(Complaints("entity E {\n  a : strnig\n}\n"),
            "f:3:7: error S3: `strnig` is not a type; did you mean `string`?\n");
  EXPECT_EQ(Complaints("access a() -> E = query table pk \"x\" oder desc\n"),
            "f:2:38: error S3: `oder` is not a part of a query; did you mean `order`?\n");
}

TEST(Parser, GoesOnWithTheNextStatement) {
  EXPECT_EQ(Complaints("entity A {\n  key pk\n  a : int(1..\n}\ntenant 5\ngroup G A\n"),
            "f:3:9: error S2: expected a template in quotes, not the end of the line\n"
            "f:4:14: error S2: expected a number, not the end of the line\n"
            "f:6:8: error S2: expected the name of an attribute, not `5`\n"
            "f:7:9: error S2: expected `=`, not `A`\n");
}

// The body is read for its own mistakes although nobody will see the entity.
TEST(Parser, ReadsTheBlockBehindAHeaderThatFailed) {
  EXPECT_EQ(Complaints("entity A usses B {\n  a :\n}\n"),
            "f:2:10: error S2: expected `uses`, `append_only` or `{`, not `usses`\n"
            "f:3:6: error S2: expected a type (string, int, number, binary, bool, id, email, url, "
            "date, moment, any, timestamp, enum, list, set, map), not the end of the line\n");
}

TEST(Parser, FindsTheBraceThatIsNotClosed) {
  EXPECT_EQ(Complaints("entity A {\n  a : int\n\nentity B {\n  b : int\n}\n"),
            "f:2:10: error S2: this `{` has no `}`\n");
  EXPECT_EQ(Complaints("tenant a\n}\n"), "f:3:1: error S2: this `}` closes nothing\n");
}

// A mistake inside braces that belong to the statement does not end the block around it.
TEST(Parser, SkipsAllOfAStatementWithBracesOfItsOwn) {
  EXPECT_EQ(Complaints("operation o(a) {\n  update E(a) { a = }\n  delete E(a)\n  drop E\n}\n"),
            "f:3:21: error S2: expected a value, not `}`\n"
            "f:5:3: error S3: `drop` is not a step of an operation; there are create, upsert, "
            "update, delete, increment, check, each\n");
}

TEST(Parser, CountsCharactersNotBytes) {
  EXPECT_EQ(Complaints("param Ä = \"x\"\n"),
            "f:2:7: error S1: `Ä` begins nothing that a design can hold\n");
  EXPECT_EQ(Complaints("param A = \"äöü\" x\n"),
            "f:2:17: error S2: expected the end of the line, not `x`\n");
}

TEST(Parser, PointsIntoTemplates) {
  EXPECT_EQ(Complaints("table \"a{b:epsc}\" {\n}\n"),
            "f:2:12: error S5: `epsc` is no format; did you mean `esc`?\n");
  EXPECT_EQ(Complaints("table \"\\\"{b\" {\n}\n"),
            "f:2:10: error S5: `{` opens a placeholder that is not closed; write `{{` for a "
            "brace\n");
}

TEST(Parser, RefusesWhatIsTooDeepOrTooLarge) {
  const std::string deep = "access a() -> E = query table pk \"x\" filter ";
  EXPECT_EQ(Complaints(deep + std::string(31, '(') + "a" + std::string(31, ')') + "\n"), "");
  EXPECT_EQ(Complaints(deep + std::string(500, '(') + "a" + std::string(500, ')') + "\n"),
            "f:2:77: error S7: this is nested more than 32 deep\n");
  EXPECT_EQ(Complaints("access a() -> E = query table pk \"x\" limit 1000000000000\n"),
            "f:2:44: error S6: `1000000000000` should be the number of items: a whole number from "
            "0 to 999999999999\n");
  EXPECT_EQ(ParseDesign(std::string(2000, '\'')).diagnostics.size(), kDiagnosticsMax);
  EXPECT_EQ(Print(ParseDesign(std::string(kDesignBytesMax + 1, ' ')).diagnostics.at(0), "f"),
            "f: error S7: a design has at most 1048576 bytes");
  EXPECT_EQ(Print(ParseDesign("design D version 1\n\xff").diagnostics.at(0), "f"),
            "f:2:1: error S1: this line is not UTF-8");
}

// No word is reserved: attributes may be called like parts of the language.
TEST(Parser, TakesItsOwnWordsAsNames) {
  const ParsedDesign parsed = ParseDesign(
      "design D version 1\nentity E {\n  type \"E\"\n  type : int\n  key : id\n  index : id\n"
      "  belongs_to : bool\n}\n");
  ASSERT_TRUE(parsed.diagnostics.empty());
  const auto& entity = std::get<Entity>(parsed.design.declarations.statements.at(0).content);
  EXPECT_TRUE(std::holds_alternative<TypeTag>(entity.members.statements.at(0).content));
  for (std::size_t i = 1; i < 5; ++i) {
    EXPECT_TRUE(std::holds_alternative<Attribute>(entity.members.statements.at(i).content));
  }
  EXPECT_EQ(entity.members.statements.at(1).position.line, 4U);
  EXPECT_EQ(entity.members.statements.at(1).position.column, 3U);
}

}  // namespace
}  // namespace trestle::design::syntax
