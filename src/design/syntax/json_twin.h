#pragma once

#include <string>
#include <string_view>

#include "design/syntax/parser.h"
#include "design/syntax/tree.h"

// A design as JSON, for programs that make or read designs: docs/design/json.md and its schema
// docs/design/design.schema.json. Everything is kept, comments and empty lines too, except where
// in a text it stood.

namespace trestle::design::syntax {

[[nodiscard]] std::string ToJson(const Design& design);

// Reads what ToJson writes. The positions in the tree are those in its canonical text. What is
// wrong is reported with S8 and names the place in the JSON.
[[nodiscard]] ParsedDesign FromJson(std::string_view json);

}  // namespace trestle::design::syntax
