#pragma once

#include <string_view>

#include "base/result.h"
#include "expr/ast.h"

// Text to syntax. Only what the grammar refuses fails here; what the words mean is bind.h's
// question. `expression_name` ("FilterExpression") opens every error text.

namespace trestle::expr {

[[nodiscard]] Result<SyntaxView> ParseCondition(std::string_view expression_name,
                                                std::string_view text);
[[nodiscard]] Result<UpdateSyntaxView> ParseUpdate(std::string_view text);
[[nodiscard]] Result<SyntaxView> ParseProjection(std::string_view text);

}  // namespace trestle::expr
