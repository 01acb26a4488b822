#include "wire/expression_parameters.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "protocol/attribute_json.h"
#include "value/item_size.h"
#include "wire/members.h"

namespace trestle::wire {
namespace {

using Entries = expr::Placeholders::Entries;

std::vector<std::string_view> Present(const json::Object& body,
                                      std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> present;
  for (const std::string_view name : names) {
    if (FindMember(body, name)) present.push_back(name);
  }
  return present;
}

bool HasAny(const json::Object& body, std::initializer_list<std::string_view> names) {
  return std::ranges::any_of(
      names, [&](std::string_view name) { return FindMember(body, name).has_value(); });
}

// KeyConditions go with every expression but the one that replaced them.
Status CheckLegacy(const json::Object& body, const ExpressionParameters& parameters) {
  auto legacy = Present(body, parameters.legacy);
  if (!FindMember(body, "KeyConditionExpression")) std::erase(legacy, "KeyConditions");
  if (legacy.empty()) return Ok();
  return ValidationError(
      fmt::format("Can not use both expression and non-expression parameters in the same "
                  "request: Non-expression parameters: {{{}}} Expression parameters: {{{}}}",
                  fmt::join(legacy, ", "), fmt::join(Present(body, parameters.expressions), ", ")));
}

Result<Entries> ParseNames(const json::Object& body) {
  Entries names;
  const auto map = FindObject(body, "ExpressionAttributeNames");
  if (!map) return names;
  if (map->size() == 0) return ValidationError("ExpressionAttributeNames must not be empty");
  names.reserve(map->size());
  for (const auto& field : *map) {
    names.push_back({.key = std::string(field.key), .text = std::string(AsString(field.value))});
  }
  return names;
}

// A faulty value is remembered in `fault`, because a faulty key is reported first.
Result<Entries> ParseValues(const json::Object& body, std::size_t depth_max,
                            std::optional<Error>& fault) {
  Entries values;
  const auto map = FindObject(body, "ExpressionAttributeValues");
  if (!map) return values;
  if (map->size() == 0) return ValidationError("ExpressionAttributeValues must not be empty");
  values.reserve(map->size());
  for (const auto& field : *map) {
    std::string encoded;
    const Status read = protocol::AppendValue(field.value, encoded, depth_max);
    if (!read.ok() && !fault) {
      if (read.error().code() != ErrorCode::kValidation) return read.error();
      // The service has one text for values that are too deep, wherever they are.
      fault = read.error().message() == value::kTooDeepText
                  ? read.error()
                  : ValidationError(fmt::format(
                        "ExpressionAttributeValues contains invalid value: {} for key {}",
                        read.error().message(), field.key));
    }
    values.push_back({.key = std::string(field.key), .text = std::move(encoded)});
  }
  return values;
}

}  // namespace

Status CheckMix(const json::Object& body, const ExpressionParameters& parameters) {
  const bool has_expression = HasAny(body, parameters.expressions);
  if (has_expression && HasAny(body, parameters.legacy)) TRY(CheckLegacy(body, parameters));
  if (!has_expression && FindMember(body, "ExpressionAttributeNames")) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (!parameters.values_need.empty() && !HasAny(body, parameters.value_expressions) &&
      FindMember(body, "ExpressionAttributeValues")) {
    return ValidationError(
        fmt::format("ExpressionAttributeValues can only be specified when using expressions: {}",
                    parameters.values_need));
  }
  return Ok();
}

Result<expr::Placeholders> ParsePlaceholders(const json::Object& body, std::size_t depth_max) {
  Entries names = TRY(ParseNames(body));
  std::optional<Error> fault;
  Entries values = TRY(ParseValues(body, depth_max, fault));
  expr::Placeholders placeholders(std::move(names), std::move(values));
  TRY(placeholders.CheckSyntax());
  if (fault) return *fault;
  return placeholders;
}

Result<expr::Condition> ParseCondition(const json::Object& body, expr::Placeholders& placeholders) {
  const auto text = FindString(body, "ConditionExpression");
  if (!text) return expr::Condition();
  return expr::Condition::Parse(expr::ConditionKind::kCondition, *text, placeholders);
}

Result<expr::Condition> ParseFilter(const json::Object& body, expr::Placeholders& placeholders) {
  const auto text = FindString(body, "FilterExpression");
  if (!text) return expr::Condition();
  return expr::Condition::Parse(expr::ConditionKind::kFilter, *text, placeholders);
}

Result<expr::Update> ParseUpdate(const json::Object& body, expr::Placeholders& placeholders) {
  const auto text = FindString(body, "UpdateExpression");
  if (!text) return expr::Update();
  return expr::Update::Parse(*text, placeholders);
}

Result<std::optional<expr::Projection>> ParseProjection(const json::Object& body,
                                                        expr::Placeholders& placeholders) {
  if (const auto text = FindString(body, "ProjectionExpression")) {
    return std::optional(TRY(expr::Projection::Parse(*text, placeholders)));
  }
  const auto names = FindArray(body, "AttributesToGet");
  if (!names) return std::optional<expr::Projection>();
  std::vector<value::DocumentPath> paths;
  for (const json::Value name : *names) {
    paths.push_back({.elements = {std::string(AsString(name))}});
  }
  return std::optional(expr::Projection(std::move(paths)));
}

Status CheckAttributesToGet(const json::Object& body) {
  const auto names = FindArray(body, "AttributesToGet");
  if (!names) return Ok();
  std::set<std::string_view> seen;
  for (const json::Value element : *names) {
    const std::string_view name = AsString(element);
    if (!seen.insert(name).second) {
      return ValidationError(fmt::format(
          "One or more parameter values were invalid: Duplicate value in attribute name: {}",
          name));
    }
  }
  return Ok();
}

}  // namespace trestle::wire
