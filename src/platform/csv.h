#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Tables as spreadsheets write them (RFC 4180).

namespace trestle::platform {

using CsvRow = std::vector<std::string>;

// Lines may end with LF or CRLF; empty ones are left out. kValidation when a quote is not closed.
[[nodiscard]] Result<std::vector<CsvRow>> ParseCsv(std::string_view text);

// What a spreadsheet would run as a formula gets a quote in front.
[[nodiscard]] std::string CsvField(std::string_view text);

// The parts of a field that has several, such as authors: "Ann; Bob".
[[nodiscard]] std::vector<std::string> SplitList(std::string_view field);

}  // namespace trestle::platform
