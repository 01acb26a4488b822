#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/diagnostic.h"

// Cuts the text of a design into tokens. Blanks are dropped, comments are kept beside the tokens.

namespace trestle::design::syntax {

enum class TokenKind : std::uint8_t {
  kEnd,      // of the text
  kNewline,  // the end of a statement: a line's end where the statement does not go on, or ";"
  kName,
  kNumber,  // with its sign
  kText,    // with its quotes, not decoded
  kRegex,   // with its slashes
  kSign,    // one of { } ( ) [ ] < > <= >= <> = : , . .. ? * + ->
  kBroken,  // something that is no token; it has been reported
};

// Looks into the text, which must outlive it.
struct TokenView {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  Position position;
  bool blank_before = false;  // an empty line stands before it
};

struct CommentView {
  std::string_view text;  // without slashes, the blank behind them and blanks at the end
  Position position;
  std::size_t token;          // the token that follows it, by number
  bool blank_before = false;  // an empty line stands before it
};

struct TokensView {
  std::vector<TokenView> tokens;  // the last one is kEnd, the one before it kNewline
  std::vector<CommentView> comments;
};

// Reports with S1 what is no token, and goes on behind it. `text` must be UTF-8.
[[nodiscard]] TokensView Tokenize(std::string_view text, Diagnostics& diagnostics);

[[nodiscard]] constexpr bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] constexpr bool IsDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool IsNameCharacter(char c) { return IsNameStart(c) || IsDigit(c); }

// How many characters (not bytes) a piece of UTF-8 has.
[[nodiscard]] std::uint32_t CountCharacters(std::string_view utf8);

}  // namespace trestle::design::syntax
