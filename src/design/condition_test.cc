#include "design/condition.h"

#include <gtest/gtest.h>

#include "design/testing_internal.h"
#include "expr/condition.h"

namespace trestle::design {
namespace {

using testing::ParseCondition;
using testing::RecordOf;

constexpr std::int64_t kNow = 1'768'471'200'123;  // 2026-01-15T10:00:00.123Z

struct Row {
  const char* text;
  bool holds;
};

std::vector<Attribute> Attributes() {
  return {{.name = "at", .type = {.kind = TypeKind::kTimestamp}},
          {.name = "day", .type = {.kind = TypeKind::kDate}},
          {.name = "list", .type = {.kind = TypeKind::kList, .element = {ValueType{}}}}};
}

// In memory and as an expression, which must say the same.
TEST(Condition, HoldsAlikeInMemoryAndInTheBackEnd) {
  constexpr std::string_view kItem = R"({s: "abc", n: 5, t: true, none: null, list: ["a", "b"],
      set: <"p", "q">, m: {n: 7, none: null}, at: "2026-01-15T10:00:00.000Z",
      day: "2026-01-14", p: "own", n2: 5})";
  const Row rows[] = {
      {"s", true},
      {"s absent", false},
      {"none", false},
      {"none absent", true},
      {"other absent", true},
      {"m.none absent", true},
      {"m.n", true},
      {"m.n.x absent", true},
      {R"(s = "abc")", true},
      {R"(s <> "abc")", false},
      {R"(s < "abd" and s >= "abc")", true},
      {R"(none = "abc")", false},
      {R"(none <> "abc")", true},
      {R"(other <> "abc")", true},
      {"n = 5.0", true},
      {"n > 5", false},
      {R"(n = "5")", false},
      {R"(n < "9")", false},
      {"t = true", true},
      {"t = false", false},
      {"n = n2", true},
      {"n = other", false},
      {"n <> other", true},
      {"m.n > n", true},
      {R"(list contains "a")", true},
      {R"(list contains "c")", false},
      {R"(set contains "q")", true},
      {R"(s contains "bc")", true},
      {R"(other contains "bc")", false},
      {"size(list) < 3", true},
      {"size(s) = 3", true},
      {"size(other) < 3", false},
      {"size(n) < 3", false},
      {"at <= now()", true},
      {R"(at = "2026-01-15T10:00:00Z")", true},
      {"day < today()", true},
      {"s = param", false},
      {R"(param2 = s)", false},
      {"p = p", false},
      {R"(s = missing)", false},
      {R"(s <> missing)", true},
      {R"(not s = "abc" or n = 5)", true},
      {R"(not (s = "abc" or n = 5))", false},
      {R"(s = "x" or n = 5 and t = true)", true},
      {R"((s = "x" or n = 5) and t = false)", false},
      {"list contains element", true},
  };
  const value::Item item = expr::testing::ItemOf(kItem);
  const Record record(item.view());
  const Record arguments = RecordOf(R"({p: "given", param: "given", element: "b"})");
  const std::vector<Parameter> parameters = {
      {.name = "p"}, {.name = "param"}, {.name = "missing"}, {.name = "element"}};
  const std::vector<Attribute> attributes = Attributes();
  const ConditionScope scope = {
      .attributes = attributes,
      .sources = {.now_unix_ms = kNow, .parameters = parameters, .arguments = &arguments}};
  for (const Row& row : rows) {
    const Condition condition = ParseCondition(row.text);
    EXPECT_EQ(Evaluate(condition, record, scope), row.holds) << row.text;
    ExpressionNames expressions;
    const auto text = CompileCondition(condition, scope, expressions);
    ASSERT_TRUE(text.ok()) << row.text;
    expr::Placeholders placeholders(expr::Placeholders::EntriesOf(expressions.names),
                                    expr::Placeholders::EntriesOf(expressions.values));
    const auto parsed =
        expr::Condition::Parse(expr::ConditionKind::kCondition, *text, placeholders);
    ASSERT_TRUE(parsed.ok()) << *text << ": " << parsed.error().message();
    EXPECT_TRUE(placeholders.CheckAllUsed().ok()) << *text;
    EXPECT_EQ(parsed->Matches(item.view()), row.holds) << row.text << " as " << *text;
  }
}

TEST(Condition, NamesWhatItLooksAt) {
  std::vector<std::string> names;
  AppendAttributes(ParseCondition("a and (b.c = d or not e absent)"), names);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "d", "e"}));
}

TEST(Condition, AliasesEveryNameOnce) {
  ExpressionNames expressions;
  const auto text =
      CompileCondition(ParseCondition("order.order = 1 and order <> 1"), {}, expressions);
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(*text, "(#n0.#n0 = :v0 AND #n0 <> :v0)");
}

}  // namespace
}  // namespace trestle::design
