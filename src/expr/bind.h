#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/placeholders.h"
#include "value/document_path.h"

// Syntax to meaning: names and values are looked up, and everything that can be wrong without an
// item is found, in the service's order. See README.md for that order. `expression_name` opens the
// error texts; those of a PartiQL statement have none.

namespace trestle::expr {

[[nodiscard]] Result<ConditionProgram> BindCondition(std::string_view expression_name,
                                                     const SyntaxView& syntax,
                                                     Placeholders& placeholders);

[[nodiscard]] Result<UpdateClauses> BindUpdate(std::string_view expression_name,
                                               const UpdateSyntaxView& update,
                                               Placeholders& placeholders);

// The paths of a ProjectionExpression, in the order of the text.
[[nodiscard]] Result<std::vector<value::DocumentPath>> BindProjection(const SyntaxView& syntax,
                                                                      Placeholders& placeholders);

}  // namespace trestle::expr
