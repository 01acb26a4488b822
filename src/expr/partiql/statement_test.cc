#include "expr/partiql/statement.h"

#include <optional>

#include <gtest/gtest.h>

#include "expr/condition.h"
#include "expr/partiql/lexer.h"
#include "expr/testing_internal.h"

namespace trestle::expr::partiql {
namespace {

std::string Value(std::string_view text) { return testing::ValueReader(text).Read(); }

value::Item Item(std::string_view text) { return testing::ValueReader(text).ReadItem(); }

Statement Parsed(std::string_view text, const std::vector<std::string>& parameters = {}) {
  auto statement = Parse(text, parameters);
  EXPECT_TRUE(statement.ok()) << text << ": " << statement.error().message();
  return statement.ok() ? *statement : Statement();
}

std::string Refusal(std::string_view text) {
  const auto statement = Parse(text, {});
  return statement.ok() ? "" : statement.error().message();
}

std::string Malformed(std::string_view detail) {
  return "Statement wasn't well formed, can't be processed: " + std::string(detail);
}

bool Matches(std::string_view where, std::string_view item) {
  const Statement statement = Parsed("SELECT * FROM t WHERE " + std::string(where));
  const value::Item it = Item(item);
  return Condition(statement.where->program).Matches(it.view());
}

TEST(PartiqlLexer, SkipsBlanksAndComments) {
  EXPECT_EQ(NextToken(" \n-- no\n/* no */ word, ").text, "word");
  EXPECT_EQ(NextToken("/* open").kind, TokenKind::kUnknown);
  EXPECT_EQ(NextToken("'open").kind, TokenKind::kUnknown);
  EXPECT_EQ(NextToken("--").kind, TokenKind::kEnd);
}

TEST(PartiqlLexer, ReadsQuotesAndNumbers) {
  EXPECT_EQ(NextToken("'it''s' x").text, "'it''s'");
  EXPECT_EQ(Unquoted("'it''s'"), "it's");
  EXPECT_EQ(Unquoted("\"a\"\"\""), "a\"");
  EXPECT_EQ(NextToken("1.5e-3e").text, "1.5e-3");
  EXPECT_EQ(NextToken(".5").text, ".5");
  EXPECT_EQ(NextToken("<<=").kind, TokenKind::kOpenBag);
}

TEST(PartiqlLexer, KnowsKeywordsInAnyCase) {
  EXPECT_TRUE(IsKeyword("select"));
  EXPECT_TRUE(IsKeyword("Date"));
  EXPECT_FALSE(IsKeyword("name"));
  EXPECT_FALSE(IsKeyword("selected"));
}

TEST(PartiqlLexer, PointsAtTokens) {
  const std::string_view text = "SELECT\n  abc";
  EXPECT_EQ(PositionOf(text, text.substr(9)), "2:3:3");
  EXPECT_EQ(PositionOf(text, text.substr(0, 6)), "1:1:6");
}

TEST(PartiqlStatement, Select) {
  const Statement statement =
      Parsed("select a, b.\"c d\"[0] from \"t\".\"i\" where a = 1 order by a desc, b");
  EXPECT_EQ(statement.kind, StatementKind::kSelect);
  EXPECT_EQ(statement.table, "t");
  EXPECT_EQ(statement.index, "i");
  ASSERT_EQ(statement.columns.size(), 2u);
  EXPECT_EQ(value::PathText(statement.columns[1]), "[b, c d, [0]]");
  EXPECT_EQ(ColumnName(statement.columns[1]), "c d[0]");
  ASSERT_EQ(statement.order.size(), 2u);
  EXPECT_TRUE(statement.order[0].is_descending);
  EXPECT_FALSE(statement.order[1].is_descending);
}

TEST(PartiqlStatement, InsertTakesEveryValue) {
  const Statement statement = Parsed(
      "INSERT INTO t VALUE {'s': 'x', \"n\": - 1.50, 'l': [TRUE, NULL], 'm': {'a': {}}, "
      "'ss': <<'b', 'a'>>, 'p': ?};",
      {Value("<1, 2>")});
  EXPECT_EQ(statement.item, Item("{s: \"x\", n: -1.5, l: [true, null], m: {a: {}}, "
                                 "ss: <\"a\", \"b\">, p: <1, 2>}"));
}

TEST(PartiqlStatement, UpdateBecomesActions) {
  const Statement statement = Parsed(
      "UPDATE t SET n = n + 5 - (1 + m), l = list_append(l, [2]) REMOVE o.p SET s = SET_ADD(s, "
      "<<3>>), d = set_delete(d, <<1>>) WHERE a = 1 RETURNING MODIFIED OLD *");
  EXPECT_EQ(statement.returning, Returning::kModifiedOld);
  const value::Item old = Item("{n: 1, m: 2, l: [1], o: {p: 1, q: 1}, s: <1>, d: <1, 2>}");
  const auto updated = statement.update.Apply(old.view(), old.view());
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(*updated, Item("{n: 3, m: 2, l: [1, 2], o: {q: 1}, s: <1, 3>, d: <2>}"));
}

TEST(PartiqlStatement, Conditions) {
  EXPECT_TRUE(Matches("a = 1 OR b = 1 AND c = 1", "{a: 1}"));
  EXPECT_FALSE(Matches("(a = 1 OR b = 1) AND c = 1", "{a: 1}"));
  EXPECT_TRUE(Matches("NOT NOT a = 1 AND NOT (b = 1)", "{a: 1}"));
  EXPECT_TRUE(Matches("a IS NULL AND b IS MISSING AND a IS NOT MISSING", "{a: null}"));
  EXPECT_FALSE(Matches("b IS NULL", "{a: null}"));
  EXPECT_TRUE(Matches("a IS LIST AND b IS STRUCT AND b IS NOT STRING", "{a: [], b: {}}"));
  EXPECT_TRUE(Matches("a IN [2, 1] AND a NOT IN (3) AND a NOT BETWEEN 2 AND 3", "{a: 1}"));
  EXPECT_TRUE(Matches("SIZE(a) = 2 AND Contains(a, 'b')", "{a: \"ab\"}"));
  EXPECT_TRUE(Matches("begins_with(a, 'a') = TRUE AND begins_with(a, 'b') <> TRUE", "{a: \"ab\"}"));
  EXPECT_TRUE(Matches("1 < a.b[0]", "{a: {b: [2]}}"));
}

TEST(PartiqlStatement, RefusesWhatIsMalformed) {
  EXPECT_EQ(Refusal(""), Malformed("Expected data manipulation"));
  EXPECT_EQ(Refusal("SELECT FROM t"), Malformed("Cannot have empty SELECT list"));
  EXPECT_EQ(Refusal("SELECT * t"), Malformed("Expected FROM keyword"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE a"), Malformed("Unexpected term"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE a = 1 AND"), Malformed("Unexpected term"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE a = 'x"), Malformed("Unexpected term"));
  EXPECT_EQ(Refusal("SELECT * FROM t WHERE select = 1"), Malformed("Unexpected keyword"));
  EXPECT_EQ(Refusal("UPDATE t WHERE a = 1"), Malformed("Expected data manipulation"));
  EXPECT_EQ(Refusal("SELECT * FROM t; x"), Malformed("Unexpected token after expression"));
  EXPECT_EQ(Refusal("SELECT a[1.5] FROM t"), Malformed("Invalid path component"));
  EXPECT_EQ(Refusal("SELECT a.size FROM t"), Malformed("Invalid path dot component"));
  EXPECT_EQ(Refusal("SELECT COUNT(*) FROM t"), "Unexpected path component at 1:8:5");
}

TEST(PartiqlStatement, NestsOnlySoDeep) {
  const auto nested = [](std::size_t depth) {
    return "SELECT * FROM t WHERE " + std::string(depth, '(') + "a = 1" + std::string(depth, ')');
  };
  EXPECT_EQ(Refusal(nested(100)), "");
  EXPECT_EQ(Refusal(nested(4000)), Malformed("Expression is nested too deeply"));
  const auto list = [](std::size_t depth) {
    return "UPDATE t SET a = " + std::string(depth, '[') + "1" + std::string(depth, ']');
  };
  EXPECT_EQ(Refusal(list(31)), "");
  EXPECT_TRUE(Refusal(list(32)).starts_with("Nesting Levels have exceeded supported limits under"));
}

TEST(PartiqlStatement, CountsParameters) {
  const std::string mismatch = "Number of parameters in request and statement don't match.";
  EXPECT_TRUE(Parse("SELECT * FROM t WHERE a = ?", {Value("1")}).ok());
  EXPECT_EQ(Parse("SELECT * FROM t WHERE a = ?", {}).error().message(), mismatch);
  EXPECT_EQ(Parse("SELECT * FROM t", {Value("1")}).error().message(), mismatch);
  // Inside quotes it is none.
  EXPECT_TRUE(Parse("SELECT * FROM t WHERE a = '?'", {}).ok());
}

TEST(PartiqlStatement, DigestsTextAndParameters) {
  const auto digest = [](std::string_view value) {
    return Parsed("SELECT * FROM t WHERE a = ?", {Value(value)}).digest;
  };
  EXPECT_EQ(digest("1"), digest("1"));
  EXPECT_NE(digest("1"), digest("2"));
  EXPECT_NE(Parsed("SELECT * FROM t").digest, Parsed("SELECT  * FROM t").digest);
}

}  // namespace
}  // namespace trestle::expr::partiql
