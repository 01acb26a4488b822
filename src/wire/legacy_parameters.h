#pragma once

#include <string_view>

#include "base/result.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/update.h"
#include "json/json.h"

// The parameters that expressions replaced, as what an expression would have become. Each
// function gives what the parameter's absence means when `body` does not have it.

namespace trestle::wire {

// Expected, with ConditionalOperator.
[[nodiscard]] Result<expr::Condition> ParseExpected(const json::Object& body);

// QueryFilter or ScanFilter, whichever `name` says, with ConditionalOperator.
[[nodiscard]] Result<expr::Condition> ParseLegacyFilter(const json::Object& body,
                                                        std::string_view name);

// KeyConditions, which `body` must have.
[[nodiscard]] Result<expr::KeyCondition> ParseKeyConditions(const json::Object& body);

[[nodiscard]] Result<expr::Update> ParseAttributeUpdates(const json::Object& body);

}  // namespace trestle::wire
