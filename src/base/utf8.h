#pragma once

#include <string>
#include <string_view>

namespace trestle {

// Whether a text is well-formed UTF-8: nothing overlong, cut off, of surrogates or past U+10FFFF.
[[nodiscard]] bool IsUtf8(std::string_view text);

// Takes the first character of a text that is well-formed and not empty.
[[nodiscard]] char32_t TakeCodePoint(std::string_view& text);
void AppendCodePoint(std::string& out, char32_t code_point);

}  // namespace trestle
