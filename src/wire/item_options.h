#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/operation.h"

// The parameters that several item operations share. Enums have passed CheckConstraints.

namespace trestle::wire {

// A table's name, given as it is or as an ARN of a table of this account and region.
[[nodiscard]] Result<std::string> ParseTableName(std::string_view text, const CallContext& context);
[[nodiscard]] Result<std::string> ParseTableName(const json::Object& body,
                                                 const CallContext& context);

// A required map of attribute values under `name`.
[[nodiscard]] Result<value::Item> ParseItemMember(const json::Object& body, std::string_view name);

[[nodiscard]] engine::ReturnConsumedCapacity ParseReturnConsumedCapacity(const json::Object& body);
[[nodiscard]] engine::ReturnItemCollectionMetrics ParseReturnItemCollectionMetrics(
    const json::Object& body);
[[nodiscard]] engine::ReturnValues ParseReturnValues(const json::Object& body);
// Of PutItem and DeleteItem, which know only some of them.
[[nodiscard]] Result<engine::ReturnValues> ParseOldReturnValues(const json::Object& body);
// ReturnValuesOnConditionCheckFailure.
[[nodiscard]] bool WantsItemOnConditionFailure(const json::Object& body);
[[nodiscard]] engine::Consistency ParseConsistentRead(const json::Object& body);

}  // namespace trestle::wire
