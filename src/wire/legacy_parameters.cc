#include "wire/legacy_parameters.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "expr/ast.h"
#include "expr/compare.h"
#include "protocol/attribute_json.h"
#include "value/item.h"
#include "wire/members.h"

namespace trestle::wire {
namespace {

using value::Type;
using value::ValueView;

constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

constexpr Type kOrderedTypes[] = {Type::kS, Type::kN, Type::kB};
constexpr Type kTextTypes[] = {Type::kS, Type::kB};
constexpr Type kElementTypes[] = {Type::kS, Type::kN, Type::kB, Type::kBool, Type::kNull};

// A ComparisonOperator: the test that it is, and the arguments that it takes.
struct Comparison {
  std::string_view name;
  expr::TestKind test;
  std::size_t min_arguments = 1;
  std::size_t max_arguments = 1;
  std::span<const Type> types;  // empty: all
  bool is_negated = false;
  expr::KeyOperator key_operator = expr::KeyOperator::kNotIndexable;
};

constexpr Comparison kComparisons[] = {
    {.name = "EQ",
     .test = expr::TestKind::kEqual,
     .types = {},
     .key_operator = expr::KeyOperator::kEqual},
    {.name = "NE", .test = expr::TestKind::kNotEqual, .types = {}},
    {.name = "LT",
     .test = expr::TestKind::kLess,
     .types = kOrderedTypes,
     .key_operator = expr::KeyOperator::kLess},
    {.name = "LE",
     .test = expr::TestKind::kLessOrEqual,
     .types = kOrderedTypes,
     .key_operator = expr::KeyOperator::kLessOrEqual},
    {.name = "GT",
     .test = expr::TestKind::kGreater,
     .types = kOrderedTypes,
     .key_operator = expr::KeyOperator::kGreater},
    {.name = "GE",
     .test = expr::TestKind::kGreaterOrEqual,
     .types = kOrderedTypes,
     .key_operator = expr::KeyOperator::kGreaterOrEqual},
    {.name = "BETWEEN",
     .test = expr::TestKind::kBetween,
     .min_arguments = 2,
     .max_arguments = 2,
     .types = kOrderedTypes,
     .key_operator = expr::KeyOperator::kBetween},
    {.name = "BEGINS_WITH",
     .test = expr::TestKind::kBeginsWith,
     .types = kTextTypes,
     .key_operator = expr::KeyOperator::kBeginsWith},
    {.name = "IN",
     .test = expr::TestKind::kIn,
     .max_arguments = kAnyNumber,
     .types = kOrderedTypes},
    {.name = "CONTAINS", .test = expr::TestKind::kContains, .types = kElementTypes},
    {.name = "NOT_CONTAINS",
     .test = expr::TestKind::kContains,
     .types = kElementTypes,
     .is_negated = true},
    {.name = "NULL",
     .test = expr::TestKind::kAttributeNotExists,
     .min_arguments = 0,
     .max_arguments = 0,
     .types = {}},
    {.name = "NOT_NULL",
     .test = expr::TestKind::kAttributeExists,
     .min_arguments = 0,
     .max_arguments = 0,
     .types = {}},
};

const Comparison& FindComparison(std::string_view name) {
  const auto* const found = std::ranges::find(kComparisons, name, &Comparison::name);
  CHECK(found != std::end(kComparisons), "an enum, by CheckConstraints");
  return *found;
}

// One attribute of Expected, a filter or KeyConditions.
struct AttributeCondition {
  std::string attribute;
  const Comparison* comparison;
  std::vector<std::string> arguments;  // encoded
};

Error InvalidParameter(std::string_view reason) {
  return ValidationError(fmt::format("One or more parameter values were invalid: {}", reason));
}

Status CheckArguments(const Comparison& comparison, std::span<const std::string> arguments) {
  if (arguments.size() < comparison.min_arguments || arguments.size() > comparison.max_arguments) {
    return InvalidParameter(fmt::format(
        "Invalid number of argument(s) for the {} ComparisonOperator", comparison.name));
  }
  if (arguments.empty()) return Ok();
  const Type type = ValueView(arguments[0]).type();
  for (const std::string& argument : arguments) {
    if (ValueView(argument).type() == type) continue;
    return InvalidParameter("AttributeValues inside AttributeValueList must be of same type");
  }
  if (!comparison.types.empty() &&
      std::ranges::find(comparison.types, type) == comparison.types.end()) {
    return InvalidParameter(
        fmt::format("ComparisonOperator {} is not valid for {} AttributeValue "
                    "type",
                    comparison.name, value::TypeName(type)));
  }
  if (comparison.test == expr::TestKind::kBetween &&
      std::is_gt(expr::CompareOrdered(ValueView(arguments[0]), ValueView(arguments[1])))) {
    return ValidationError(
        "The BETWEEN condition was provided a range where the lower bound is greater than the "
        "upper bound");
  }
  return Ok();
}

Result<std::string> ParseValue(const json::Value& json) {
  std::string encoded;
  TRY(protocol::AppendValue(json, encoded));
  return encoded;
}

Result<std::vector<std::string>> ParseValueList(const json::Object& condition) {
  std::vector<std::string> values;
  const auto list = FindArray(condition, "AttributeValueList");
  if (!list) return values;
  values.reserve(list->size());
  for (const json::Value element : *list) {
    values.push_back(TRY(ParseValue(element)));
  }
  return values;
}

// A Condition: an element of QueryFilter, ScanFilter or KeyConditions.
Result<AttributeCondition> ParseFilterElement(std::string_view attribute,
                                              const json::Object& condition) {
  AttributeCondition result = {
      .attribute = std::string(attribute),
      .comparison = &FindComparison(FindString(condition, "ComparisonOperator").value_or("")),
      .arguments = TRY(ParseValueList(condition))};
  TRY(CheckArguments(*result.comparison, result.arguments));
  return result;
}

// Which of its four members an ExpectedAttributeValue may have together.
Status CheckExpectedMembers(std::string_view attribute, const json::Object& expected) {
  const auto refusal = [attribute](std::string_view reason) {
    return InvalidParameter(fmt::format("{} for Attribute: {}", reason, attribute));
  };
  const bool has_value = FindMember(expected, "Value").has_value();
  const bool has_list = FindMember(expected, "AttributeValueList").has_value();
  const auto exists = FindBool(expected, "Exists");
  const auto comparison = FindString(expected, "ComparisonOperator");
  if (has_value && has_list) {
    return refusal("Value and AttributeValueList cannot be used together");
  }
  if (comparison) {
    if (exists) return refusal("Exists and ComparisonOperator cannot be used together");
    if (!has_value && !has_list && FindComparison(*comparison).min_arguments > 0) {
      return refusal(
          fmt::format("Value or AttributeValueList must be used with "
                      "ComparisonOperator: {}",
                      *comparison));
    }
    return Ok();
  }
  if (has_list) return refusal("AttributeValueList can only be used with a ComparisonOperator");
  if (!exists && !has_value) return refusal("Value must be provided when Exists is null");
  if (exists == true && !has_value) return refusal("Value must be provided when Exists is true");
  if (exists == false && has_value) return refusal("Value cannot be used when Exists is false");
  return Ok();
}

// Value alone asks for equality, "Exists": false for absence.
Result<AttributeCondition> ParseExpectedElement(std::string_view attribute,
                                                const json::Object& expected) {
  TRY(CheckExpectedMembers(attribute, expected));
  const bool must_be_absent = FindBool(expected, "Exists") == false;
  const std::string_view comparison =
      FindString(expected, "ComparisonOperator").value_or(must_be_absent ? "NULL" : "EQ");
  AttributeCondition result = {.attribute = std::string(attribute),
                               .comparison = &FindComparison(comparison),
                               .arguments = TRY(ParseValueList(expected))};
  if (const auto value = FindMember(expected, "Value")) {
    result.arguments.push_back(TRY(ParseValue(*value)));
  }
  TRY(CheckArguments(*result.comparison, result.arguments));
  return result;
}

using ParseElement = Result<AttributeCondition> (*)(std::string_view attribute,
                                                    const json::Object& condition);

Result<std::vector<AttributeCondition>> ParseConditions(const std::optional<json::Object>& map,
                                                        ParseElement parse) {
  std::vector<AttributeCondition> conditions;
  if (!map) return conditions;
  conditions.reserve(map->size());
  for (const auto& field : *map) {
    conditions.push_back(TRY(parse(field.key, AsObject(field.value))));
  }
  return conditions;
}

// ConditionalOperator joins conditions, so there must be some to join.
Status CheckConditionalOperator(const json::Object& body, const std::optional<json::Object>& map) {
  if (!FindMember(body, "ConditionalOperator")) return Ok();
  if (!map || map->size() == 0) {
    return ValidationError("ConditionalOperator cannot be used without Filter or Expected");
  }
  if (map->size() == 1) {
    return ValidationError(
        "ConditionalOperator can only be used when Filter or Expected has two or more elements");
  }
  return Ok();
}

// One test for each attribute: with AND the first that fails decides, with OR the first that
// passes.
expr::Condition Join(std::vector<AttributeCondition> conditions, bool is_or) {
  if (conditions.empty()) return {};
  expr::ConditionProgram program;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    AttributeCondition& condition = conditions[i];
    const bool is_last = i + 1 == conditions.size();
    const auto next = static_cast<std::uint32_t>(i + 1);
    expr::Test test = {.kind = condition.comparison->test,
                       .type = Type::kNull,
                       .first_operand = static_cast<std::uint32_t>(program.operands.size()),
                       .operand_count = static_cast<std::uint32_t>(condition.arguments.size() + 1),
                       .if_true = is_or || is_last ? expr::kMatches : next,
                       .if_false = is_or && !is_last ? next : expr::kDoesNotMatch};
    if (condition.comparison->is_negated) std::swap(test.if_true, test.if_false);
    program.tests.push_back(test);
    program.operands.push_back({.kind = expr::Operand::Kind::kPath,
                                .path = {.elements = {std::move(condition.attribute)}},
                                .value = {}});
    for (std::string& argument : condition.arguments) {
      program.operands.push_back(
          {.kind = expr::Operand::Kind::kValue, .path = {}, .value = std::move(argument)});
    }
  }
  return expr::Condition(std::move(program));
}

Result<expr::Condition> ParseJoined(const json::Object& body, std::string_view name,
                                    ParseElement parse) {
  const auto map = FindObject(body, name);
  TRY(CheckConditionalOperator(body, map));
  return Join(TRY(ParseConditions(map, parse)), FindString(body, "ConditionalOperator") == "OR");
}

struct AttributeUpdate {
  expr::UpdateAction action;
  std::optional<std::string> value;  // encoded
};

Result<AttributeUpdate> ParseUpdateElement(const json::Object& update) {
  const std::string_view action = FindString(update, "Action").value_or("PUT");
  const auto json = FindMember(update, "Value");
  if (!json) {
    if (action == "DELETE") return AttributeUpdate{expr::UpdateAction::kRemove, std::nullopt};
    return InvalidParameter("Only DELETE action is allowed when no attribute value is specified");
  }
  std::string value = TRY(ParseValue(*json));
  const Type type = ValueView(value).type();
  const bool is_set = type == Type::kSs || type == Type::kNs || type == Type::kBs;
  if (action == "DELETE") {
    if (is_set) return AttributeUpdate{expr::UpdateAction::kDelete, std::move(value)};
    return InvalidParameter(fmt::format("DELETE action with value is not supported for the type {}",
                                        value::TypeName(type)));
  }
  if (action == "PUT") return AttributeUpdate{expr::UpdateAction::kSet, std::move(value)};
  if (is_set || type == Type::kN || type == Type::kL) {
    return AttributeUpdate{expr::UpdateAction::kAdd, std::move(value)};
  }
  return InvalidParameter(
      fmt::format("ADD action is not supported for the type {}", value::TypeName(type)));
}

}  // namespace

Result<expr::Condition> ParseExpected(const json::Object& body) {
  return ParseJoined(body, "Expected", ParseExpectedElement);
}

Result<expr::Condition> ParseLegacyFilter(const json::Object& body, std::string_view name) {
  return ParseJoined(body, name, ParseFilterElement);
}

Result<expr::KeyCondition> ParseKeyConditions(const json::Object& body) {
  std::vector<AttributeCondition> conditions =
      TRY(ParseConditions(FindObject(body, "KeyConditions"), ParseFilterElement));
  if (conditions.empty() || conditions.size() > 2) {
    return ValidationError("Conditions can be of length 1 or 2 only");
  }
  expr::KeyCondition result;
  for (AttributeCondition& condition : conditions) {
    expr::KeyTerm term = {.attribute = std::move(condition.attribute),
                          .op = condition.comparison->key_operator,
                          .value = {},
                          .second = {}};
    if (!condition.arguments.empty()) term.value = std::move(condition.arguments[0]);
    if (condition.arguments.size() > 1) term.second = std::move(condition.arguments[1]);
    result.terms.push_back(std::move(term));
  }
  return result;
}

Result<expr::Update> ParseAttributeUpdates(const json::Object& body) {
  const auto map = FindObject(body, "AttributeUpdates");
  if (!map || map->size() == 0) return expr::Update();
  expr::UpdateClauses clauses;
  clauses.is_attribute_updates = true;
  for (const auto& field : *map) {
    AttributeUpdate update = TRY(ParseUpdateElement(AsObject(field.value)));
    clauses.actions.push_back({.action = update.action,
                               .first_step = static_cast<std::uint32_t>(clauses.steps.size()),
                               .step_count = update.value ? 1U : 0U});
    clauses.targets.push_back({.elements = {std::string(field.key)}});
    if (update.value) {
      clauses.steps.push_back(
          {.kind = expr::UpdateStep::Kind::kValue, .path = {}, .value = *std::move(update.value)});
    }
  }
  return expr::Update(std::move(clauses));
}

}  // namespace trestle::wire
