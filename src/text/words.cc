#include "text/words.h"

#include <cstdint>
#include <utility>

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include "text/unicode.h"

namespace trestle::text {
namespace {

enum class Class : std::uint8_t {
  kSeparator,
  kLetter,     // or digit
  kIdeograph,  // of scripts without blanks
  kExtender,   // belongs to what is before it: marks, joiners
};

bool IsWithoutBlanks(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(c, &error)) {
    case USCRIPT_HAN:
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_BOPOMOFO:
      return true;
    default:
      // Such as the mark of a long vowel, which several scripts share.
      return uscript_hasScript(c, USCRIPT_KATAKANA) != 0;
  }
}

Class ClassOf(UChar32 c) {
  if (c < 0) return Class::kSeparator;
  if (c < 0x80) return u_isalnum(c) != 0 ? Class::kLetter : Class::kSeparator;
  const auto mask = static_cast<std::uint32_t>(U_GET_GC_MASK(c));
  if ((mask & (U_GC_M_MASK | U_GC_CF_MASK)) != 0) return Class::kExtender;
  if ((mask & (U_GC_L_MASK | U_GC_N_MASK)) == 0) return Class::kSeparator;
  return IsWithoutBlanks(c) ? Class::kIdeograph : Class::kLetter;
}

struct Character {
  std::size_t start;
  std::size_t end;
  Class is;
};

Character TakeCharacter(std::string_view text, std::size_t start) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
  const auto length = static_cast<std::int32_t>(text.size());
  auto next = static_cast<std::int32_t>(start);
  UChar32 c = 0;
  U8_NEXT(bytes, next, length, c);
  return {.start = start, .end = static_cast<std::size_t>(next), .is = ClassOf(c)};
}

// Folding may have made separators, as of a fraction: "1/2".
void AppendFolded(std::string_view text, std::size_t start, std::size_t end,
                  std::vector<Word>& words) {
  const std::string folded = Nfc(Fold(text.substr(start, end - start)));
  Word word{.start = start, .end = end};
  std::size_t letters = 0;
  const auto finish = [&] {
    if (!word.term.empty()) words.push_back(word);
    word.term.clear();
    letters = 0;
  };
  for (std::size_t at = 0; at < folded.size();) {
    const Character character = TakeCharacter(folded, at);
    at = character.end;
    if (character.is == Class::kSeparator) {
      finish();
    } else if (character.is != Class::kExtender && letters < kTermLettersMax) {
      word.term.append(folded, character.start, character.end - character.start);
      ++letters;
    }
  }
  finish();
}

void AppendPairs(std::string_view text, const std::vector<Character>& run,
                 std::vector<Word>& words) {
  std::vector<Word> singles;
  singles.reserve(run.size());
  for (const Character& character : run) {
    std::string term = Nfc(Fold(text.substr(character.start, character.end - character.start)));
    if (!term.empty())
      singles.push_back({.start = character.start, .end = character.end, .term = std::move(term)});
  }
  for (std::size_t i = 0; i + 1 < singles.size(); ++i) {
    words.push_back({.start = singles[i].start,
                     .end = singles[i + 1].end,
                     .term = singles[i].term + singles[i + 1].term,
                     .is_pair = true});
  }
  if (singles.empty()) return;
  words.push_back(std::move(singles.back()));
  words.back().is_run_end = true;
}

}  // namespace

std::vector<Word> Words(std::string_view text) {
  std::vector<Word> words;
  words.reserve(text.size() / 6);
  std::vector<Character> run;  // of ideographs
  for (std::size_t at = 0; at < text.size();) {
    Character first = TakeCharacter(text, at);
    at = first.end;
    if (first.is == Class::kSeparator) continue;
    // Up to the end of what is written without a break, in scripts of one kind.
    run.assign(1, first);
    std::size_t end = first.end;
    while (at < text.size()) {
      const Character next = TakeCharacter(text, at);
      if (next.is == Class::kExtender) {
        run.back().end = next.end;
      } else if (next.is != first.is) {
        if (first.is != Class::kExtender || next.is == Class::kSeparator) break;
        first.is = next.is;
        run.push_back(next);
      } else if (first.is == Class::kIdeograph) {
        run.push_back(next);
      }
      at = end = next.end;
    }
    if (first.is == Class::kIdeograph) {
      AppendPairs(text, run, words);
    } else {
      AppendFolded(text, run.front().start, end, words);
    }
  }
  return words;
}

}  // namespace trestle::text
