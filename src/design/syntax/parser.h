#pragma once

#include <cstddef>
#include <string_view>

#include "design/diagnostic.h"
#include "design/syntax/tree.h"

namespace trestle::design::syntax {

inline constexpr std::size_t kDesignBytesMax = 1024 * 1024;

struct ParsedDesign {
  Design design;            // whole when there are no diagnostics; else without what they are about
  Diagnostics diagnostics;  // in the order of the text
};

// Reads the text of a design. A statement that cannot be read is reported, and reading goes on with
// the next one.
[[nodiscard]] ParsedDesign ParseDesign(std::string_view text);

}  // namespace trestle::design::syntax
