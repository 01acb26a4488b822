#include "expr/lexer.h"

#include <cstddef>

namespace trestle::expr {
namespace {

constexpr bool IsBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

template <typename Predicate>
std::size_t LengthOfRun(std::string_view text, std::size_t start, Predicate belongs) {
  std::size_t end = start;
  while (end < text.size() && belongs(text[end]))
    ++end;
  return end;
}

// A character that begins no token is shown whole in error texts, so its UTF-8 bytes stay together.
std::size_t LengthOfCharacter(std::string_view text) {
  const auto is_continuation = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
  };
  return LengthOfRun(text, 1, is_continuation);
}

// "#n" or ":v"; the sign alone is no token.
TokenView Placeholder(TokenKind kind, std::string_view text) {
  const std::size_t length = LengthOfRun(text, 1, IsNameCharacter);
  return {length > 1 ? kind : TokenKind::kUnknown, text.substr(0, length)};
}

// One of `single`, or of `with_equal` when "=" follows.
TokenView Comparator(std::string_view text, TokenKind single, TokenKind with_equal) {
  if (text.size() > 1 && text[1] == '=') return {with_equal, text.substr(0, 2)};
  return {single, text.substr(0, 1)};
}

TokenView Sign(TokenKind kind, std::string_view text) { return {kind, text.substr(0, 1)}; }

bool EqualsIgnoringCase(std::string_view word, std::string_view upper) {
  for (std::size_t i = 0; i < upper.size(); ++i) {
    // Identifiers hold letters, digits and _, of which only a letter can match this way.
    if ((word[i] & ~0x20) != upper[i]) return false;
  }
  return true;
}

}  // namespace

TokenView NextToken(std::string_view text) {
  text.remove_prefix(LengthOfRun(text, 0, IsBlank));
  if (text.empty()) return {TokenKind::kEnd, text};
  const char first = text.front();
  if (IsLetter(first)) {
    return {TokenKind::kIdentifier, text.substr(0, LengthOfRun(text, 1, IsNameCharacter))};
  }
  // No number begins with 0 but 0 itself.
  if (first == '0') return Sign(TokenKind::kDigits, text);
  if (IsDigit(first)) return {TokenKind::kDigits, text.substr(0, LengthOfRun(text, 1, IsDigit))};
  switch (first) {
    case '#':
      return Placeholder(TokenKind::kName, text);
    case ':':
      return Placeholder(TokenKind::kValue, text);
    case '(':
      return Sign(TokenKind::kOpen, text);
    case ')':
      return Sign(TokenKind::kClose, text);
    case '[':
      return Sign(TokenKind::kOpenBracket, text);
    case ']':
      return Sign(TokenKind::kCloseBracket, text);
    case ',':
      return Sign(TokenKind::kComma, text);
    case '.':
      return Sign(TokenKind::kDot, text);
    case '+':
      return Sign(TokenKind::kPlus, text);
    case '-':
      return Sign(TokenKind::kMinus, text);
    case '=':
      return Sign(TokenKind::kEqual, text);
    case '>':
      return Comparator(text, TokenKind::kGreater, TokenKind::kGreaterOrEqual);
    case '<':
      if (text.starts_with("<>")) return {TokenKind::kNotEqual, text.substr(0, 2)};
      return Comparator(text, TokenKind::kLess, TokenKind::kLessOrEqual);
    default:
      return {TokenKind::kUnknown, text.substr(0, LengthOfCharacter(text))};
  }
}

Keyword KeywordOf(std::string_view identifier) {
  const auto is = [&](std::string_view upper) { return EqualsIgnoringCase(identifier, upper); };
  switch (identifier.size()) {
    case 2:
      if (is("OR")) return Keyword::kOr;
      if (is("IN")) return Keyword::kIn;
      return Keyword::kNone;
    case 3:
      if (is("AND")) return Keyword::kAnd;
      if (is("NOT")) return Keyword::kNot;
      if (is("SET")) return Keyword::kSet;
      if (is("ADD")) return Keyword::kAdd;
      return Keyword::kNone;
    case 6:
      if (is("REMOVE")) return Keyword::kRemove;
      if (is("DELETE")) return Keyword::kDelete;
      return Keyword::kNone;
    case 7:
      return is("BETWEEN") ? Keyword::kBetween : Keyword::kNone;
    default:
      return Keyword::kNone;
  }
}

}  // namespace trestle::expr
