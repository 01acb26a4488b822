#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace trestle::expr::partiql {

enum class TokenKind : std::uint8_t {
  kEnd,
  kWord,        // a letter or _, then letters, digits, _ and $: a name, a function or a keyword
  kQuotedName,  // "a name", with "" for one "
  kString,      // 'text', with '' for one '
  kNumber,      // 1, 1.5, .5, 1e10; a sign is a token of its own
  kParameter,   // ?
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kOpenBrace,
  kCloseBrace,
  kOpenBag,   // <<
  kCloseBag,  // >>
  kComma,
  kColon,
  kSemicolon,
  kDot,
  kStar,
  kPlus,
  kMinus,
  kEqual,
  kNotEqual,  // <> or !=
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kUnknown,  // a character that begins no token, or a quote or comment that does not end
};

// A piece of the statement's text, which must outlive it. kEnd is empty and stands at the end.
struct TokenView {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

// The token at the front of `text`, with blanks and comments (-- to the end of the line, /* */)
// before it skipped.
[[nodiscard]] TokenView NextToken(std::string_view text);

// What a kQuotedName or kString says: without its quotes, doubled ones made single.
[[nodiscard]] std::string Unquoted(std::string_view text);

// Whether `word` is `keyword`, which is given in upper case, in any case.
[[nodiscard]] bool IsWord(std::string_view word, std::string_view keyword);

// Whether a word, in any case, cannot name an attribute or table without quotes.
[[nodiscard]] bool IsKeyword(std::string_view word);

// "1:27:3": the line, the column and the length of a token of `statement`, as the service points
// at it.
[[nodiscard]] std::string PositionOf(std::string_view statement, std::string_view token);

}  // namespace trestle::expr::partiql
