#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "base/limits.h"
#include "base/result.h"
#include "expr/condition.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "json/json.h"

// The parameters that hold expressions, and those that came before expressions. An operation
// calls these in the order of this file: that is the order in which the service finds faults.

namespace trestle::wire {

// The expressions that an operation takes, and how the service's message lists them when there
// are values but none of the expressions that could use them.
struct ExpressionParameters {
  std::initializer_list<std::string_view> legacy;       // in the order of the service's message
  std::initializer_list<std::string_view> expressions;  // likewise
  // "ConditionExpression is null"; empty when the operation takes no values.
  std::string_view values_need;
  std::initializer_list<std::string_view> value_expressions;
};

// Refuses expressions together with the older parameters, and names or values without an
// expression.
[[nodiscard]] Status CheckMix(const json::Object& body, const ExpressionParameters& parameters);

// ExpressionAttributeNames and ExpressionAttributeValues, whose values nest `depth_max` levels.
[[nodiscard]] Result<expr::Placeholders> ParsePlaceholders(
    const json::Object& body, std::size_t depth_max = kDocumentDepthMax);

// Each is what its parameter says, or what its absence means.
[[nodiscard]] Result<expr::Condition> ParseCondition(const json::Object& body,
                                                     expr::Placeholders& placeholders);
[[nodiscard]] Result<expr::Condition> ParseFilter(const json::Object& body,
                                                  expr::Placeholders& placeholders);
[[nodiscard]] Result<expr::Update> ParseUpdate(const json::Object& body,
                                               expr::Placeholders& placeholders);
// From ProjectionExpression or AttributesToGet; CheckMix has refused both together.
[[nodiscard]] Result<std::optional<expr::Projection>> ParseProjection(
    const json::Object& body, expr::Placeholders& placeholders);

// Refuses an attribute that AttributesToGet names twice.
[[nodiscard]] Status CheckAttributesToGet(const json::Object& body);

}  // namespace trestle::wire
