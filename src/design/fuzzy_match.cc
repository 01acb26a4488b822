#include "design/fuzzy_match.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/utf8.h"
#include "text/unicode.h"

namespace trestle::design {
namespace {

constexpr std::size_t kOneMistakeLength = 4;
constexpr std::size_t kTwoMistakesLength = 8;
constexpr std::size_t kTypedWordsMax = 16;
constexpr std::size_t kWordLengthMax = 64;  // a longer one is compared by its beginning

using Word = std::u32string;

bool IsPartOfWord(char32_t c) {
  return c >= 0x80 || (c >= U'a' && c <= U'z') || (c >= U'0' && c <= U'9');
}

std::vector<Word> WordsOf(std::string_view text) {
  const std::string folded = text::Fold(text);
  std::string_view rest = folded;
  std::vector<Word> words(1);
  while (!rest.empty()) {
    const char32_t c = TakeCodePoint(rest);
    if (!IsPartOfWord(c)) {
      if (!words.back().empty()) words.emplace_back();
    } else if (words.back().size() < kWordLengthMax) {
      words.back() += c;
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// How many letters must be changed, added or left out to make one of the other.
unsigned EditDistance(const Word& left, const Word& right) {
  std::vector<unsigned> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < left.size(); ++i) {
    unsigned diagonal = row[0];
    row[0] = static_cast<unsigned>(i + 1);
    for (std::size_t k = 0; k < right.size(); ++k) {
      const unsigned changed = diagonal + (left[i] == right[k] ? 0 : 1);
      diagonal = row[k + 1];
      row[k + 1] = std::min({changed, row[k] + 1, row[k + 1] + 1});
    }
  }
  return row.back();
}

std::optional<unsigned> WordDistance(const Word& word, const Word& typed) {
  if (word == typed) return 0;
  if (word.starts_with(typed)) return 1;
  if (word.find(typed) != Word::npos) return 2;
  const unsigned mistakes_max = typed.size() >= kTwoMistakesLength  ? 2
                                : typed.size() >= kOneMistakeLength ? 1
                                                                    : 0;
  if (mistakes_max == 0) return std::nullopt;
  const unsigned mistakes = EditDistance(word, typed);
  if (mistakes > mistakes_max) return std::nullopt;
  return 2 + mistakes;
}

}  // namespace

std::optional<unsigned> FuzzyDistance(std::string_view text, std::string_view typed) {
  const std::vector<Word> words = WordsOf(text);
  std::vector<Word> typed_words = WordsOf(typed);
  if (typed_words.empty()) return std::nullopt;
  if (typed_words.size() > kTypedWordsMax) typed_words.resize(kTypedWordsMax);

  unsigned distance = 0;
  for (const Word& wanted : typed_words) {
    std::optional<unsigned> best;
    for (const Word& word : words) {
      const auto here = WordDistance(word, wanted);
      if (here && (!best || *here < *best)) best = here;
    }
    if (!best) return std::nullopt;
    distance += *best;
  }
  return distance;
}

}  // namespace trestle::design
