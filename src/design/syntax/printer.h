#pragma once

#include <string>

#include "design/syntax/tree.h"

namespace trestle::design::syntax {

// The canonical text of a design: two blanks of indent, attributes in columns, lines of up to 100
// characters where the language lets them be broken, comments and single empty lines where they
// were. Parsing the result gives the same tree.
[[nodiscard]] std::string PrintDesign(const Design& design);

// Parts of statements, as PrintDesign writes them on one line.
[[nodiscard]] std::string Print(const Condition& condition);
[[nodiscard]] std::string Print(const Value& value);
[[nodiscard]] std::string Print(const Template& key_template);

}  // namespace trestle::design::syntax
