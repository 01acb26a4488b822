#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/syntax/lexer.h"
#include "design/syntax/tree.h"

namespace trestle::design::syntax {

// How deep types, values and conditions may contain each other.
inline constexpr int kNestingMax = 32;

// What a person wrote around a statement that is being read.
struct Surroundings {
  std::vector<Comment> comments;
  bool blank_before = false;
  std::string open_comment;  // behind the brace that opens its block
  std::string end_comment;   // at its end
  int open_braces = 0;       // when it began
};

// The parser's place in the tokens. A failure is reported where it is found; the Error that comes
// back only says that there was one, and takes the way up to the statement, which is skipped.
class TokenReader {
 public:
  TokenReader(const TokensView& source, Diagnostics& diagnostics)
      : source_(source), diagnostics_(diagnostics) {}

  [[nodiscard]] const TokenView& current() const { return source_.tokens[at_]; }
  [[nodiscard]] const TokenView& next() const {
    return source_.tokens[std::min(at_ + 1, source_.tokens.size() - 1)];
  }
  [[nodiscard]] Diagnostics& diagnostics() { return diagnostics_; }

  [[nodiscard]] bool At(TokenKind kind) const { return current().kind == kind; }
  [[nodiscard]] bool AtSign(std::string_view sign) const {
    return At(TokenKind::kSign) && current().text == sign;
  }
  [[nodiscard]] bool AtWord(std::string_view word) const {
    return At(TokenKind::kName) && current().text == word;
  }
  // At a newline, a closing brace or the end of the file.
  [[nodiscard]] bool AtStatementEnd() const;
  // At a word that begins a declaration and stands where only those do. A block that reaches one
  // has lost its closing brace.
  [[nodiscard]] bool AtNextDeclaration() const;

  // Passes the current token, and gives it.
  TokenView Take();
  // Passes this sign or word when it is here.
  [[nodiscard]] bool TakeSign(std::string_view sign);
  [[nodiscard]] bool TakeWord(std::string_view word);
  void SkipNewlines();

  [[nodiscard]] Status ExpectSign(std::string_view sign);
  [[nodiscard]] Status ExpectWord(std::string_view word);

  // Reports that `what` should stand here.
  [[nodiscard]] Error Expected(std::string_view what);
  // Reports that the word that stands here is not one of `words`, which are called `what`.
  [[nodiscard]] Error UnknownWord(std::string_view what, std::span<const std::string_view> words);
  [[nodiscard]] Error Fail(std::string_view code, Position position, std::string message);

  // Around the reading of one statement, and when its block opens.
  void BeginStatement();
  [[nodiscard]] Surroundings EndStatement();
  void OpenBlock();
  // The comments before the current token that nobody took.
  [[nodiscard]] std::vector<Comment> TakeComments();

  // Passes what is left of a statement that failed.
  void SkipStatement();
  // Passes tokens up to this sign on the same line; false when it does not come.
  [[nodiscard]] bool SkipToSign(std::string_view sign);

  [[nodiscard]] Status CheckNesting();

 private:
  friend class Nesting;

  // Gives the comment at the end of the line. Earlier ones move before the statement.
  [[nodiscard]] std::string TakeLineComment(Surroundings& surroundings);

  const TokensView& source_;
  Diagnostics& diagnostics_;
  std::vector<Surroundings> statements_;  // that are being read, outermost first
  std::size_t at_ = 0;
  std::size_t comment_at_ = 0;
  int open_braces_ = 0;
  int nesting_ = 0;
};

// One level of nesting, for as long as it lives. CheckNesting comes before it.
class Nesting {
 public:
  explicit Nesting(TokenReader& reader) : reader_(reader) { ++reader_.nesting_; }
  ~Nesting() { --reader_.nesting_; }
  Nesting(const Nesting&) = delete;
  Nesting& operator=(const Nesting&) = delete;

 private:
  TokenReader& reader_;
};

}  // namespace trestle::design::syntax
