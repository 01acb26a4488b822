#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle::text {

// Bytes that sort as people expect their texts to: "angelo" before "Zebra", "Éa" among the E's.
[[nodiscard]] std::string CollationKey(std::string_view text);

// The letter under which a text stands in an alphabetical list: "É…" under "E"; "#" for what does
// not begin with a letter.
[[nodiscard]] std::string IndexLetter(std::string_view text);

// How many digits amounts of a currency have behind the point; nothing for what ISO 4217 does not
// know.
[[nodiscard]] std::optional<int> CurrencyDigits(std::string_view code);

}  // namespace trestle::text
