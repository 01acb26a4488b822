// Which parts of an item a projection keeps, and which projections are refused.

#include "expr/projection.h"

#include <gtest/gtest.h>

#include "expr/testing_internal.h"

namespace trestle::expr {
namespace {

using testing::ItemOf;
using testing::Print;
using testing::TestPlaceholders;

std::string Outcome(std::string_view text) {
  static constexpr std::string_view kItem =
      R"({a: 1, b: "x", l: [10, [20, 21], {k: 30, j: 31}],
          m: {k: 1, l: [5, 6], z: {y: 2}}, x.y: 9})";
  Placeholders placeholders = TestPlaceholders();
  const Result<Projection> projection = Projection::Parse(text, placeholders);
  if (!projection.ok()) return projection.error().message();
  return Print(projection->Apply(ItemOf(kItem).view()).view());
}

struct Row {
  const char* text;
  const char* outcome;
};

TEST(Projection, KeepsWhatIsNamedAndExists) {
  const Row rows[] = {
      {"a", "{a: 1}"},
      {"b, a", R"({a: 1, b: "x"})"},
      {"zz", "{}"},
      {"zz, a", "{a: 1}"},
      {"#a,#b", R"({a: 1, b: "x"})"},
      {"#dot", "{x.y: 9}"},
      {"m", "{m: {k: 1, l: [5, 6], z: {y: 2}}}"},
      {"m.k", "{m: {k: 1}}"},
      {"m.z.y, m.k", "{m: {k: 1, z: {y: 2}}}"},
      {"m.l[1]", "{m: {l: [6]}}"},
      {"l[0]", "{l: [10]}"},
      {"l[2], l[0]", "{l: [10, {j: 31, k: 30}]}"},
      {"l[1][1], l[1][0]", "{l: [[20, 21]]}"},
      {"l[2].k", "{l: [{k: 30}]}"},
      {"l[2].k, l[2].j, l[0]", "{l: [10, {j: 31, k: 30}]}"},
      {"l[9]", "{}"},
      {"l[9], l[1][0]", "{l: [[20]]}"},
      {"m.zz", "{}"},
      {"m.zz, m.k", "{m: {k: 1}}"},
      {"m.z.zz", "{}"},
      {"m[0]", "{}"},
      {"l.k", "{}"},
      {"a.b", "{}"},
      {"a[0]", "{}"},
      {" m . z , a ", "{a: 1, m: {z: {y: 2}}}"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Outcome(row.text), row.outcome) << row.text;
}

TEST(Projection, RefusesWhatTheServiceRefuses) {
  const Row rows[] = {
      {"", "The expression can not be empty;"},
      {"  ", R"~(Syntax error; token: "<EOF>", near: "")~"},
      {"a,", R"~(Syntax error; token: "<EOF>", near: ",")~"},
      {",a", R"~(Syntax error; token: ",", near: ",a")~"},
      {"a,,b", R"~(Syntax error; token: ",", near: ",,b")~"},
      {"a b", R"~(Syntax error; token: "b", near: "a b")~"},
      {":s", R"~(Syntax error; token: ":s", near: ":s")~"},
      {"size(a)", R"~(Syntax error; token: "(", near: "size(a")~"},
      {"(a)", R"~(Syntax error; token: "(", near: "(a")~"},
      {"a[b]", R"~(Syntax error; token: "b", near: "[b]")~"},
      {"a[0][", R"~(Syntax error; token: "<EOF>", near: "[")~"},
      {"a[01]", R"~(Syntax error; token: "1", near: "01]")~"},
      {"my-attr", R"~(Syntax error; token: "-", near: "my-attr")~"},
      {"a[99999999999999]",
       "List index is not within the allowable range; index: [99999999999999]"},
      {"status", "Attribute name is a reserved keyword; reserved keyword: status"},
      {"c, c, #w, a.Name", "Attribute name is a reserved keyword; reserved keyword: Name"},
      {"c, c, #w",
       "An expression attribute name used in the document path is not defined; attribute name: #w"},
      {"a, a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a], path two: [a]"},
      {"a.b, c, #a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [a, b], path two: [a]"},
      {"a.b, c, a[0]",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; "
       "path one: [a, b], path two: [a, [0]]"},
      {"a.b[0], a.b.c, d, d.e",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; "
       "path one: [d], path two: [d, e]"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(Outcome(row.text), std::string("Invalid ProjectionExpression: ") + row.outcome)
        << row.text;
  }
}

// Attribute lists of the legacy parameters come as paths.
TEST(Projection, TakesPathsInAnyOrder) {
  using Path = value::DocumentPath;
  const Projection projection({Path{{"c"}}, Path{{"a"}}});
  EXPECT_EQ(Print(projection.Apply(ItemOf("{a: 1, b: 2, c: 3}").view()).view()), "{a: 1, c: 3}");
}

// A projected item must be as well formed as any other, its size included.
TEST(Projection, MakesWholeItems) {
  Placeholders placeholders = TestPlaceholders();
  const auto projection = Projection::Parse("m.k, l[1]", placeholders);
  const value::Item item = (*projection).Apply(ItemOf("{l: [1, 2], m: {k: 3, z: 4}}").view());
  EXPECT_EQ(item, ItemOf("{l: [2], m: {k: 3}}"));
  EXPECT_TRUE(value::CheckItem(item.bytes()).ok());
}

}  // namespace
}  // namespace trestle::expr
