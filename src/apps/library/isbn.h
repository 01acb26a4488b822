#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle::apps::library {

// The digits of an ISBN as people write it, with or without hyphens and blanks: "978-3-16-148410-0"
// is "9783161484100". Nothing when it has not 10 or 13 of them, or its check digit is wrong.
[[nodiscard]] std::optional<std::string> NormalisedIsbn(std::string_view text);

// The same number with 13 digits. `isbn` is normalised.
[[nodiscard]] std::string IsbnWith13(const std::string& isbn);

// The 13 digits of what is printed below a barcode: those of an EAN, the 12 of a UPC with a 0 in
// front. Short ones of 8 digits stay short. Nothing when the check digit is wrong.
[[nodiscard]] std::optional<std::string> NormalisedEan(std::string_view text);

}  // namespace trestle::apps::library
