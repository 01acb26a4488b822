#pragma once

#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/operation.h"
#include "wire/shapes.h"

// PartiQL statements as members of a request.

namespace trestle::wire {

inline constexpr Shape kStatementShape = {
    .kind = Kind::kString, .min = 1, .max = kStatementLengthMax};
inline constexpr Shape kParametersShape = {
    .kind = Kind::kList, .min = 1, .element = &kAttributeValueShape};

// Statement, Parameters, ConsistentRead and ReturnValuesOnConditionCheckFailure of a request, or of
// one statement of several.
[[nodiscard]] Result<engine::StatementRequest> ParseStatement(const json::Object& body,
                                                              const CallContext& context);

}  // namespace trestle::wire
