#include "base/utf8.h"

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

}  // namespace trestle
