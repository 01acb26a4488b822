#include "design/syntax/token_reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "design/spelling.h"

namespace trestle::design::syntax {
namespace {

constexpr std::array<std::string_view, 11> kDeclarationWords = {
    "tenant", "param",  "table",    "entity", "shape",    "group",
    "mirror", "access", "external", "load",   "operation"};

std::string Describe(const TokenView& token) {
  if (token.kind == TokenKind::kEnd) return "the end of the file";
  if (token.kind == TokenKind::kNewline && token.text.empty()) return "the end of the line";
  return fmt::format("`{}`", token.text);
}

}  // namespace

bool TokenReader::AtStatementEnd() const {
  return At(TokenKind::kNewline) || At(TokenKind::kEnd) || AtSign("}");
}

bool TokenReader::AtNextDeclaration() const {
  if (!At(TokenKind::kName) || current().position.column != 1) return false;
  if (std::ranges::find(kDeclarationWords, current().text) == kDeclarationWords.end()) return false;
  const TokenView& behind = next();
  return behind.kind == TokenKind::kName || behind.kind == TokenKind::kText || behind.text == "{";
}

TokenView TokenReader::Take() {
  const TokenView token = current();
  if (AtSign("{")) ++open_braces_;
  if (AtSign("}")) --open_braces_;
  if (at_ + 1 < source_.tokens.size()) ++at_;
  return token;
}

bool TokenReader::TakeSign(std::string_view sign) {
  if (!AtSign(sign)) return false;
  Take();
  return true;
}

bool TokenReader::TakeWord(std::string_view word) {
  if (!AtWord(word)) return false;
  Take();
  return true;
}

void TokenReader::SkipNewlines() {
  while (At(TokenKind::kNewline))
    Take();
}

Status TokenReader::ExpectSign(std::string_view sign) {
  if (TakeSign(sign)) return Ok();
  return Expected(fmt::format("`{}`", sign));
}

Status TokenReader::ExpectWord(std::string_view word) {
  if (TakeWord(word)) return Ok();
  return Expected(fmt::format("`{}`", word));
}

Error TokenReader::Expected(std::string_view what) {
  // What is no token has been reported already.
  if (At(TokenKind::kBroken)) return ValidationError("no token");
  return Fail("S2", current().position,
              fmt::format("expected {}, not {}", what, Describe(current())));
}

Error TokenReader::UnknownWord(std::string_view what, std::span<const std::string_view> words) {
  const std::string list = fmt::format("{}", fmt::join(words, ", "));
  if (!At(TokenKind::kName)) return Expected(fmt::format("{} ({})", what, list));
  const std::string_view word = current().text;
  const std::string_view near = ClosestWord(word, words);
  return Fail("S3", current().position,
              near.empty() ? fmt::format("`{}` is not {}; there are {}", word, what, list)
                           : fmt::format("`{}` is not {}; did you mean `{}`?", word, what, near));
}

Error TokenReader::Fail(std::string_view code, Position position, std::string message) {
  AddError(diagnostics_, code, position, message);
  return ValidationError(std::move(message));
}

std::vector<Comment> TokenReader::TakeComments() {
  std::vector<Comment> taken;
  for (; comment_at_ < source_.comments.size(); ++comment_at_) {
    const CommentView& comment = source_.comments[comment_at_];
    if (comment.token > at_) break;
    taken.push_back({.text = std::string(comment.text), .blank_before = comment.blank_before});
  }
  return taken;
}

void TokenReader::BeginStatement() {
  statements_.push_back({.comments = TakeComments(),
                         .blank_before = current().blank_before,
                         .open_comment = {},
                         .end_comment = {},
                         .open_braces = open_braces_});
}

std::string TokenReader::TakeLineComment(Surroundings& surroundings) {
  std::string line_comment;
  std::vector<Comment> taken = TakeComments();
  if (!taken.empty() && source_.comments[comment_at_ - 1].token == at_) {
    line_comment = std::move(taken.back().text);
    taken.pop_back();
  }
  for (Comment& comment : taken) {
    comment.blank_before = false;
    surroundings.comments.push_back(std::move(comment));
  }
  return line_comment;
}

void TokenReader::OpenBlock() {
  Surroundings& statement = statements_.back();
  statement.open_comment = TakeLineComment(statement);
}

Surroundings TokenReader::EndStatement() {
  Surroundings statement = std::move(statements_.back());
  statements_.pop_back();
  statement.end_comment = TakeLineComment(statement);
  return statement;
}

void TokenReader::SkipStatement() {
  const int open_braces = statements_.back().open_braces;
  statements_.pop_back();
  while (!At(TokenKind::kEnd)) {
    const bool is_outside = open_braces_ <= open_braces;
    if (is_outside && AtSign("}")) break;
    if (at_ > 0 && source_.tokens[at_ - 1].kind == TokenKind::kNewline && AtNextDeclaration()) {
      break;
    }
    if (Take().kind == TokenKind::kNewline && is_outside) break;
  }
  static_cast<void>(TakeComments());
}

bool TokenReader::SkipToSign(std::string_view sign) {
  while (!At(TokenKind::kNewline) && !At(TokenKind::kEnd) && !AtSign(sign))
    Take();
  return AtSign(sign);
}

Status TokenReader::CheckNesting() {
  if (nesting_ < kNestingMax) return Ok();
  return Fail("S7", current().position,
              fmt::format("this is nested more than {} deep", kNestingMax));
}

}  // namespace trestle::design::syntax
