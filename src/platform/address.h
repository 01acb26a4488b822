#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

// The parts of a request's address as texts.

namespace trestle::platform {

// Decodes %41. Nothing when a % has not two digits behind it, or the text is not UTF-8.
[[nodiscard]] std::optional<std::string> PercentDecode(std::string_view text);

// Encodes all but letters, digits and -._~, so that the text is one segment of a path or one value
// of a query.
[[nodiscard]] std::string PercentEncode(std::string_view text);

// "/a%20b/c" as {"a b", "c"}: a / that is encoded divides nothing. Nothing when it cannot be read.
[[nodiscard]] std::optional<std::vector<std::string>> SplitPath(std::string_view path);

using QueryParameters = std::vector<std::pair<std::string, std::string>>;

// "a=1&b=x+y" in its order; a name may stand several times. kValidation when it cannot be read.
[[nodiscard]] Result<QueryParameters> ParseQuery(std::string_view query);

}  // namespace trestle::platform
