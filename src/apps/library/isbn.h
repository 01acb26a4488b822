#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle::apps::library {

// The digits of an ISBN as people write it, with or without hyphens and blanks: "978-3-16-148410-0"
// is "9783161484100". Nothing when it has not 10 or 13 of them, or its check digit is wrong.
[[nodiscard]] std::optional<std::string> NormalisedIsbn(std::string_view text);

}  // namespace trestle::apps::library
