#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/partiql/lexer.h"
#include "expr/partiql/statement.h"
#include "value/document_path.h"

namespace trestle::expr::partiql {

// Parentheses and NOT inside one another; more would be deep recursion.
inline constexpr std::size_t kStatementDepthMax = 128;

// "Statement wasn't well formed, can't be processed: <text>".
[[nodiscard]] Error NotWellFormed(std::string_view text);

// Reads a statement's tokens one ahead, and the parts that all statements have.
class TokenReader {
 public:
  // Both must outlive it.
  TokenReader(std::string_view text, const std::vector<std::string>& parameters);

  [[nodiscard]] const TokenView& current() const { return current_; }
  // The token after the current one.
  [[nodiscard]] TokenView Following() const { return NextToken(Rest()); }
  [[nodiscard]] bool At(TokenKind kind) const { return current_.kind == kind; }
  [[nodiscard]] bool AtWord(std::string_view keyword) const {
    return At(TokenKind::kWord) && IsWord(current_.text, keyword);
  }
  // Whether a call of a function begins here.
  [[nodiscard]] bool AtCall() const {
    return At(TokenKind::kWord) && Following().kind == TokenKind::kOpen;
  }

  void Advance() { current_ = NextToken(Rest()); }
  // Passes the token if it is this one.
  bool Take(TokenKind kind);
  bool TakeWord(std::string_view keyword);
  [[nodiscard]] Status Expect(TokenKind kind);
  [[nodiscard]] Status ExpectWord(std::string_view keyword);

  // The refusal of what stands here in place of a name or a value.
  [[nodiscard]] Error Unexpected() const;
  // The refusal of the function whose call begins here.
  [[nodiscard]] Error UnknownFunction() const;
  // "... at 1:27:3".
  [[nodiscard]] Error ErrorAt(std::string_view text, std::string_view token) const;

  // A name that is quoted or no keyword.
  [[nodiscard]] Result<std::string> ReadName();
  [[nodiscard]] Result<value::DocumentPath> ReadPath();
  [[nodiscard]] bool AtPath() const { return At(TokenKind::kWord) || At(TokenKind::kQuotedName); }

  // Passes a call of a function, reading each argument with `read_one`. How many there were.
  template <typename ReadOne>
  [[nodiscard]] Result<std::size_t> ReadArguments(ReadOne read_one) {
    Advance();
    Advance();
    std::size_t count = 0;
    while (!At(TokenKind::kClose)) {
      if (count > 0) TRY(Expect(TokenKind::kComma));
      TRY(read_one());
      ++count;
    }
    Advance();
    return count;
  }

  // A literal or a parameter, encoded.
  [[nodiscard]] bool AtValue() const;
  [[nodiscard]] Result<std::string> ReadValue();
  // {'name': value, ...}, as an item.
  [[nodiscard]] Result<value::Item> ReadItem();
  // That every parameter was used.
  [[nodiscard]] Status CheckParameters() const;

 private:
  [[nodiscard]] std::string_view Rest() const;
  [[nodiscard]] Result<std::size_t> ReadIndex();
  [[nodiscard]] Result<std::string> TakeParameter();

  // `place` is where a value stands, as error texts say: "root.a[0]". Empty: in no other value.
  [[nodiscard]] Result<std::string> ReadValueAt(const std::string& place, std::size_t depth);
  [[nodiscard]] Result<std::string> ReadList(const std::string& place, std::size_t depth);
  [[nodiscard]] Result<std::string> ReadTuple(const std::string& place, std::size_t depth);
  [[nodiscard]] Result<std::string> ReadBag(const std::string& place, std::size_t depth);
  [[nodiscard]] Result<std::string> ReadNumber();
  [[nodiscard]] Result<std::map<std::string, std::string, std::less<>>> ReadMembers(
      const std::string& place, std::size_t depth);

  const std::string_view text_;
  const std::vector<std::string>& parameters_;
  std::size_t parameters_used_ = 0;
  TokenView current_;
};

// Syntax (ast.h) from a statement, whose names and values need no placeholders: they are given
// some here, so that bind.h can look them up.
class SyntaxBuilder {
 public:
  void AddPath(const value::DocumentPath& path);
  void AddValue(std::string value);
  // A node whose operands have been added. `text` is a constant.
  void Add(NodeKind kind, std::size_t count, std::string_view text = {});

  [[nodiscard]] std::size_t size() const { return syntax_.nodes.size(); }

  [[nodiscard]] Result<Where> BindCondition();
  [[nodiscard]] Result<UpdateClauses> BindUpdate(std::vector<ActionView> actions);

 private:
  using Entries = std::map<std::string, std::string, std::less<>>;

  // The syntax looks into their keys, which stay where they are.
  Entries names_;
  Entries values_;
  SyntaxView syntax_;
};

[[nodiscard]] Result<Where> ReadCondition(TokenReader& reader);
[[nodiscard]] Result<UpdateClauses> ReadUpdate(TokenReader& reader);

}  // namespace trestle::expr::partiql
