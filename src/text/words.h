#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace trestle::text {

// A word of a text in the form that is compared: without case and accents, compatibility forms as
// their plain ones. At most kTermLettersMax characters; the rest of a longer one does not count.
struct Word {
  std::size_t start = 0;  // bytes of the text that it is made of
  std::size_t end = 0;
  std::string term;
  // Chinese, Japanese and Korean texts have no blanks between words: each two neighbours are one
  // word, and the last character of such a run is one more, so that it can be found alone.
  bool is_pair = false;
  bool is_run_end = false;
};
inline constexpr std::size_t kTermLettersMax = 64;

// The words of a text, in their order: what is between characters that are neither letters nor
// digits. Bytes that are not UTF-8 separate words too.
[[nodiscard]] std::vector<Word> Words(std::string_view text);

}  // namespace trestle::text
