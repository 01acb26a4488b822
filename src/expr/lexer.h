#pragma once

#include <cstdint>
#include <string_view>

namespace trestle::expr {

enum class TokenKind : std::uint8_t {
  kEnd,
  kIdentifier,  // a letter, then letters, digits and _: a name, a function or a keyword
  kName,        // #n
  kValue,       // :v
  kDigits,
  kOpen,
  kClose,
  kOpenBracket,
  kCloseBracket,
  kComma,
  kDot,
  kPlus,
  kMinus,
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kUnknown,  // one character that begins no token
};

// A piece of the expression's text, which must outlive it. kEnd is empty and stands at the end.
struct TokenView {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
};

// The token at the front of `text`, with blanks before it skipped.
[[nodiscard]] TokenView NextToken(std::string_view text);

// Words that the grammar knows, in any case. Elsewhere they are names, and reserved.
enum class Keyword : std::uint8_t {
  kNone,
  kAnd,
  kOr,
  kNot,
  kIn,
  kBetween,
  kSet,
  kRemove,
  kAdd,
  kDelete
};

[[nodiscard]] Keyword KeywordOf(std::string_view identifier);

[[nodiscard]] constexpr bool IsLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool IsNameCharacter(char c) {
  return IsLetter(c) || IsDigit(c) || c == '_';
}

}  // namespace trestle::expr
