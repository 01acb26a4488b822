#include "base/utf8.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace trestle {
namespace {

// How many bytes follow the first of a UTF-8 character; nothing when none starts so.
std::optional<std::size_t> ContinuationCount(std::uint8_t first) {
  if (first < 0x80) return 0;
  if (first >= 0xc2 && first <= 0xdf) return 1;
  if (first >= 0xe0 && first <= 0xef) return 2;
  if (first >= 0xf0 && first <= 0xf4) return 3;
  return std::nullopt;
}

}  // namespace

bool IsUtf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto first = static_cast<std::uint8_t>(text[i++]);
    const std::optional<std::size_t> count = ContinuationCount(first);
    if (!count || *count > text.size() - i) return false;
    for (std::size_t k = 0; k < *count; ++k, ++i) {
      const auto byte = static_cast<std::uint8_t>(text[i]);
      if ((byte & 0xc0) != 0x80) return false;
      if (k > 0) continue;
      // The second byte rules out overlong forms, surrogates and what is past U+10FFFF.
      if ((first == 0xe0 && byte < 0xa0) || (first == 0xed && byte > 0x9f)) return false;
      if ((first == 0xf0 && byte < 0x90) || (first == 0xf4 && byte > 0x8f)) return false;
    }
  }
  return true;
}

char32_t TakeCodePoint(std::string_view& text) {
  constexpr std::uint8_t kFirstByteMasks[] = {0x7f, 0x1f, 0x0f, 0x07};
  const auto first = static_cast<std::uint8_t>(text.front());
  const std::size_t count = std::min(ContinuationCount(first).value_or(0), text.size() - 1);
  char32_t code_point = first & kFirstByteMasks[count];
  for (std::size_t i = 1; i <= count; ++i) {
    code_point = (code_point << 6) | (static_cast<std::uint8_t>(text[i]) & 0x3f);
  }
  text.remove_prefix(count + 1);
  return code_point;
}

void AppendCodePoint(std::string& out, char32_t code_point) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto tail = [&](int shift) { return byte(0x80 | ((code_point >> shift) & 0x3f)); };
  if (code_point < 0x80) {
    out += byte(code_point);
  } else if (code_point < 0x800) {
    out += {byte(0xc0 | (code_point >> 6)), tail(0)};
  } else if (code_point < 0x10000) {
    out += {byte(0xe0 | (code_point >> 12)), tail(6), tail(0)};
  } else {
    out += {byte(0xf0 | (code_point >> 18)), tail(12), tail(6), tail(0)};
  }
}

}  // namespace trestle
