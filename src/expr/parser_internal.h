#pragma once

#include <cstddef>
#include <string_view>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/lexer.h"

namespace trestle::expr {

// Refuses an expression that is empty or too long.
[[nodiscard]] Status CheckExpressionSize(std::string_view expression_name, std::string_view text);

// Reads tokens one ahead and appends what it understood to a SyntaxView.
class TokenReader {
 public:
  TokenReader(std::string_view expression_name, std::string_view text);

  [[nodiscard]] const TokenView& current() const { return current_; }
  [[nodiscard]] bool At(TokenKind kind) const { return current_.kind == kind; }
  // The keyword that stands here; kNone for anything else.
  [[nodiscard]] Keyword AtKeyword() const {
    return At(TokenKind::kIdentifier) ? KeywordOf(current_.text) : Keyword::kNone;
  }

  void Advance();
  // Passes a token of this kind, or fails at what stands there.
  [[nodiscard]] Status Expect(TokenKind kind);

  // "Syntax error; token: ..." for the current token.
  [[nodiscard]] Error SyntaxError() const;

  // Reads a path. The current token must begin one.
  [[nodiscard]] Status ReadPath(SyntaxView& syntax);
  // Reads what follows `first`, a path's first part, which is already passed.
  [[nodiscard]] Status ReadPathAfter(const TokenView& first, SyntaxView& syntax);

 private:
  [[nodiscard]] Status ReadIndex(SyntaxView& syntax);

  const std::string_view expression_name_;
  const std::string_view text_;
  TokenView previous_;
  TokenView current_;
};

// Appends a node whose last `count` operands have been appended already.
void AppendNode(SyntaxView& syntax, NodeKind kind, std::size_t count, std::string_view text = {});

}  // namespace trestle::expr
