#pragma once

#include <string>
#include <string_view>

// What needs to know Unicode's tables: ICU, wrapped. All texts are UTF-8, in and out.

namespace trestle::text {

// In lower case, whatever the language.
[[nodiscard]] std::string Lower(std::string_view text);
// For comparing without regard to case and accents: "Étranger" is "etranger".
[[nodiscard]] std::string Fold(std::string_view text);
// Normalization Form C: what looks the same has the same bytes.
[[nodiscard]] std::string Nfc(std::string_view text);
// Without blanks of any kind at both ends.
[[nodiscard]] std::string_view Trim(std::string_view text);

// An e-mail address as addresses are compared: trimmed, in NFC and lower case, its domain in ASCII:
// "Ann@Bücher.example" is "ann@xn--bcher-kva.example".
[[nodiscard]] std::string EmailKey(std::string_view email);

}  // namespace trestle::text
