// Which key conditions are accepted, and what they become.

#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include "expr/testing_internal.h"

namespace trestle::expr {
namespace {

using testing::Print;
using testing::TestPlaceholders;

const char* OperatorText(KeyOperator op) {
  switch (op) {
    case KeyOperator::kEqual:
      return "=";
    case KeyOperator::kLess:
      return "<";
    case KeyOperator::kLessOrEqual:
      return "<=";
    case KeyOperator::kGreater:
      return ">";
    case KeyOperator::kGreaterOrEqual:
      return ">=";
    case KeyOperator::kBetween:
      return "between";
    case KeyOperator::kBeginsWith:
      return "begins_with";
    case KeyOperator::kNotIndexable:
      return "not indexable";
  }
  return "?";
}

std::string Outcome(std::string_view text) {
  Placeholders placeholders = TestPlaceholders();
  const Result<KeyCondition> condition = KeyCondition::Parse(text, placeholders);
  if (!condition.ok()) return condition.error().message();
  std::string terms;
  for (const KeyTerm& term : condition->terms) {
    if (!terms.empty()) terms += "; ";
    terms +=
        term.attribute + " " + OperatorText(term.op) + " " + Print(value::ValueView(term.value));
    if (!term.second.empty()) terms += " " + Print(value::ValueView(term.second));
  }
  return terms;
}

struct Row {
  const char* text;
  const char* outcome;
};

TEST(KeyCondition, BecomesTerms) {
  const Row rows[] = {
      {"a = :s", R"(a = "x")"},
      {"#a = :s", R"(a = "x")"},
      {":s = a", R"(a = "x")"},
      {"a = :s AND b = :n", R"(a = "x"; b = 1)"},
      {"b < :n and a = :s", R"(b < 1; a = "x")"},
      {"a = :s AND b <= :n", R"(a = "x"; b <= 1)"},
      {"a = :s AND b > :n", R"(a = "x"; b > 1)"},
      {"a = :s AND b >= :n", R"(a = "x"; b >= 1)"},
      {"a = :s AND :n < b", R"(a = "x"; b > 1)"},
      {"a = :s AND :n <= b", R"(a = "x"; b >= 1)"},
      {"a = :s AND :n > b", R"(a = "x"; b < 1)"},
      {"a = :s AND :n >= b", R"(a = "x"; b <= 1)"},
      {"a = :s AND b BETWEEN :n AND :n2", R"(a = "x"; b between 1 2)"},
      {"b BETWEEN :n AND :n2 AND a = :s", R"(b between 1 2; a = "x")"},
      {"a = :s AND begins_with(b, :s2)", R"(a = "x"; b begins_with "y")"},
      {"(a = :s) AND (b = :s)", R"(a = "x"; b = "x")"},
      {"(a = :s AND b = :s)", R"(a = "x"; b = "x")"},
      {"a = :s AND (b = :s AND c = :n)", R"(a = "x"; b = "x"; c = 1)"},
      // The schema decides about these.
      {"a > :s", R"(a > "x")"},
      {"a = :s AND b = :s AND c = :s", R"(a = "x"; b = "x"; c = "x")"},
      {"a = :l", R"(a = ["x"])"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Outcome(row.text), row.outcome) << row.text;
}

TEST(KeyCondition, RefusesWhatAKeyConditionCannotSay) {
  const char* const kNested = "KeyConditionExpressions cannot contain nested operations";
  const char* const kNestedAttribute =
      "KeyConditionExpressions cannot have conditions on nested attributes";
  const char* const kMultiple =
      "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition";
  const char* const kNone =
      "Invalid condition in KeyConditionExpression: No key attribute specified";
  const char* const kTwice = "KeyConditionExpressions must only contain one condition per key";
  const char* const kBeginsWithFirst =
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
      "attribute as its first operand";
  const char* const kBetweenFirst =
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute "
      "as its first operand";
  const Row rows[] = {
      {"a = :s OR b = :s", "Invalid operator used in KeyConditionExpression: OR"},
      {"NOT a = :s", "Invalid operator used in KeyConditionExpression: NOT"},
      {"a <> :s", "Invalid operator used in KeyConditionExpression: <>"},
      {"a IN (:s)", "Invalid operator used in KeyConditionExpression: IN"},
      {"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"attribute_not_exists(a)",
       "Invalid operator used in KeyConditionExpression: attribute_not_exists"},
      {"attribute_type(a, :typeS)",
       "Invalid operator used in KeyConditionExpression: attribute_type"},
      {"contains(a, :s)", "Invalid operator used in KeyConditionExpression: contains"},
      {"size(a) = :n", kNested},
      {"a = size(:s)", kNested},
      {"a BETWEEN size(b) AND :n", kNested},
      {"a.b = :s", kNestedAttribute},
      {"a[0] = :s", kNestedAttribute},
      {":s = a.b", kNestedAttribute},
      {"a = :s AND begins_with(b.c, :s)", kNestedAttribute},
      {"a = b", kMultiple},
      {"a = b.c", kMultiple},
      {"a BETWEEN b AND :s", kMultiple},
      {"begins_with(a, b)", kMultiple},
      {":s = :s2", kNone},
      {"begins_with(:s, a)", kBeginsWithFirst},
      {"begins_with(:s, :s2)", kBeginsWithFirst},
      {":n BETWEEN a AND :n2", kBetweenFirst},
      {"a = :s AND a = :s", kTwice},
      {"a = :s AND b > :s AND b < :s", kTwice},
      {"a = :s AND #a = :n", kTwice},
      // From the whole to the parts, left before right.
      {"a.b = :s OR a <> :s", "Invalid operator used in KeyConditionExpression: OR"},
      {"a.b = :s AND a <> :s", kNestedAttribute},
      {"a <> :s AND (b = :s OR c = :s)", "Invalid operator used in KeyConditionExpression: <>"},
      {"a = :s AND (b = :s OR c = :s)", "Invalid operator used in KeyConditionExpression: OR"},
      {"a = :s AND b = :s AND a = :s AND c <> :s", kTwice},
      {"a.b <> c", "Invalid operator used in KeyConditionExpression: <>"},
      {"size(a) <> :n", "Invalid operator used in KeyConditionExpression: <>"},
      {"a.b = c", kNestedAttribute},
      // What every condition refuses comes before.
      {"", "Invalid KeyConditionExpression: The expression can not be empty;"},
      {"a", R"~(Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "a")~"},
      {"((a = :s))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"},
      {"status = :s OR b = :s",
       "Invalid KeyConditionExpression: Attribute name is a reserved keyword; "
       "reserved keyword: status"},
      {"a = :w",
       "Invalid KeyConditionExpression: An expression attribute value used in expression is not "
       "defined; attribute value: :w"},
      {"a = a",
       "Invalid KeyConditionExpression: The first operand must be distinct from the remaining "
       "operands for this operator or function; operator: =, first operand: [a]"},
      {"a = :s AND begins_with(b, :n)",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
       "operator or function: begins_with, operand type: N"},
      {"a = :s AND b BETWEEN :n2 AND :n",
       "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater "
       "than or equal to lower bound; lower bound operand: AttributeValue: {N:2}, upper bound "
       "operand: AttributeValue: {N:1}"},
  };
  for (const Row& row : rows)
    EXPECT_EQ(Outcome(row.text), row.outcome) << row.text;
}

}  // namespace
}  // namespace trestle::expr
