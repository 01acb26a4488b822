#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/condition.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "trestle/items.h"

// The expressions of a request. An operation calls these in the order of this file: that is the
// order in which the service finds faults.

namespace trestle::embed {

struct ExpressionUse {
  bool has_expression;                // of any kind
  bool has_value_expression = false;  // of a kind that can use values
  // How the service's message lists the latter: "ConditionExpression is null".
  std::string_view values_need = {};
};

// Refuses names or values without an expression that could use them. `values` may be null.
[[nodiscard]] Status CheckUse(const ExpressionUse& use, const ExpressionAttributeNames& names,
                              const ExpressionAttributeValues* values);

[[nodiscard]] trestle::Result<expr::Placeholders> MakePlaceholders(
    const ExpressionAttributeNames& names, const ExpressionAttributeValues* values);

// Each is what its text says, or what its absence means.
[[nodiscard]] trestle::Result<expr::Condition> ParseCondition(
    expr::ConditionKind kind, const std::optional<std::string>& text,
    expr::Placeholders& placeholders);
[[nodiscard]] trestle::Result<std::optional<expr::Projection>> ParseProjection(
    const std::optional<std::string>& text, expr::Placeholders& placeholders);

}  // namespace trestle::embed
