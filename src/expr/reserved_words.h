#pragma once

#include <string_view>

namespace trestle::expr {

// Whether an expression may not use this word as an attribute name, in any case.
[[nodiscard]] bool IsReservedWord(std::string_view word);

}  // namespace trestle::expr
