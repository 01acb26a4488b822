#include "embed/expressions.h"

#include <utility>

#include <fmt/format.h>

#include "embed/value_codec.h"

namespace trestle::embed {

Status CheckUse(const ExpressionUse& use, const ExpressionAttributeNames& names,
                const ExpressionAttributeValues* values) {
  if (!use.has_expression && !names.empty()) {
    return ValidationError("ExpressionAttributeNames can only be specified when using expressions");
  }
  if (values != nullptr && !values->empty() && !use.has_value_expression) {
    return ValidationError(
        fmt::format("ExpressionAttributeValues can only be specified when using expressions: {}",
                    use.values_need));
  }
  return Ok();
}

trestle::Result<expr::Placeholders> MakePlaceholders(const ExpressionAttributeNames& names,
                                                     const ExpressionAttributeValues* values) {
  expr::Placeholders::Entries encoded;
  // A faulty value is remembered, because a faulty key is reported first.
  std::optional<trestle::Error> fault;
  if (values != nullptr) {
    encoded.reserve(values->size());
    for (const auto& [key, value] : *values) {
      encoded.push_back({.key = key, .text = {}});
      const Status appended = AppendValue(value, encoded.back().text);
      if (appended.ok() || fault) continue;
      fault = ValidationError(
          fmt::format("ExpressionAttributeValues contains invalid value: {} for key {}",
                      appended.error().message(), key));
    }
  }
  for (const auto& [key, name] : names)
    TRY(CheckUtf8(name));
  expr::Placeholders placeholders(expr::Placeholders::EntriesOf(names), std::move(encoded));
  TRY(placeholders.CheckSyntax());
  if (fault) return *fault;
  return placeholders;
}

trestle::Result<expr::Condition> ParseCondition(expr::ConditionKind kind,
                                                const std::optional<std::string>& text,
                                                expr::Placeholders& placeholders) {
  if (!text) return expr::Condition();
  return expr::Condition::Parse(kind, *text, placeholders);
}

trestle::Result<std::optional<expr::Projection>> ParseProjection(
    const std::optional<std::string>& text, expr::Placeholders& placeholders) {
  if (!text) return std::optional<expr::Projection>();
  return std::optional(TRY(expr::Projection::Parse(*text, placeholders)));
}

}  // namespace trestle::embed
