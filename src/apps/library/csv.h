#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace trestle::apps::library {

// The lines of a table of RFC 4180, with or without carriage returns and a byte order mark; empty
// lines are left out. kValidation when a quote is not closed.
[[nodiscard]] Result<std::vector<std::vector<std::string>>> ParseCsv(std::string_view text);

// The parts of a field that has several, such as authors: "Ann; Bob".
[[nodiscard]] std::vector<std::string> SplitList(std::string_view field);

}  // namespace trestle::apps::library
