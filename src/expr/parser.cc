#include "expr/parser.h"

#include <charconv>
#include <cstdint>
#include <limits>

#include <fmt/format.h>

#include "base/check.h"
#include "base/limits.h"
#include "expr/parser_internal.h"

namespace trestle::expr {

Status CheckExpressionSize(std::string_view expression_name, std::string_view text) {
  if (text.empty()) {
    return ValidationError(
        fmt::format("Invalid {}: The expression can not be empty;", expression_name));
  }
  if (text.size() <= kExpressionBytesMax) return Ok();
  // The service says how long a filter is, and of no other expression.
  return ValidationError(fmt::format(
      "Invalid {}: Expression size has exceeded the maximum allowed size;{}", expression_name,
      expression_name == "FilterExpression" ? fmt::format(" expression size: {}", text.size())
                                            : ""));
}

TokenReader::TokenReader(std::string_view expression_name, std::string_view text)
    : expression_name_(expression_name),
      text_(text),
      previous_{TokenKind::kEnd, text.substr(0, 0)},
      current_(NextToken(text)) {}

void TokenReader::Advance() {
  previous_ = current_;
  const char* const end = current_.text.data() + current_.text.size();
  current_ = NextToken(text_.substr(static_cast<std::size_t>(end - text_.data())));
}

Status TokenReader::Expect(TokenKind kind) {
  if (!At(kind)) return SyntaxError();
  Advance();
  return Ok();
}

// `near` shows the source from the token before to the token after the one that does not fit.
Error TokenReader::SyntaxError() const {
  const bool at_start = previous_.text.empty();
  const char* const begin = at_start ? current_.text.data() : previous_.text.data();
  const char* end = previous_.text.data() + previous_.text.size();
  std::string_view shown = "<EOF>";
  if (!At(TokenKind::kEnd)) {
    TokenReader ahead = *this;
    ahead.Advance();
    const std::string_view last = ahead.At(TokenKind::kEnd) ? current_.text : ahead.current_.text;
    end = last.data() + last.size();
    shown = current_.text;
  }
  const std::string_view near(begin, end > begin ? static_cast<std::size_t>(end - begin) : 0);
  return ValidationError(fmt::format("Invalid {}: Syntax error; token: \"{}\", near: \"{}\"",
                                     expression_name_, shown, near));
}

Status TokenReader::ReadPath(SyntaxView& syntax) {
  if (!At(TokenKind::kIdentifier) && !At(TokenKind::kName)) return SyntaxError();
  const TokenView first = current_;
  Advance();
  return ReadPathAfter(first, syntax);
}

Status TokenReader::ReadPathAfter(const TokenView& first, SyntaxView& syntax) {
  const std::size_t first_part = syntax.parts.size();
  const auto append_name = [&](const TokenView& token) {
    const auto kind = token.kind == TokenKind::kName ? PathPartView::Kind::kName
                                                     : PathPartView::Kind::kIdentifier;
    syntax.parts.push_back({kind, 0, token.text});
  };
  append_name(first);
  while (true) {
    if (At(TokenKind::kDot)) {
      Advance();
      if (!At(TokenKind::kIdentifier) && !At(TokenKind::kName)) return SyntaxError();
      append_name(current_);
      Advance();
    } else if (At(TokenKind::kOpenBracket)) {
      Advance();
      TRY(ReadIndex(syntax));
    } else {
      break;
    }
  }
  syntax.nodes.push_back({.kind = NodeKind::kPath,
                          .count = static_cast<std::uint16_t>(syntax.parts.size() - first_part),
                          .size = 1,
                          .first_part = static_cast<std::uint16_t>(first_part),
                          .text = {}});
  return Ok();
}

// "3]". The service's largest index is one less than 32 bits can hold.
Status TokenReader::ReadIndex(SyntaxView& syntax) {
  if (!At(TokenKind::kDigits)) return SyntaxError();
  const std::string_view digits = current_.text;
  std::uint32_t index = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (parsed.ec != std::errc{} || index == std::numeric_limits<std::uint32_t>::max()) {
    return ValidationError(
        fmt::format("Invalid {}: List index is not within the allowable range; index: [{}]",
                    expression_name_, digits));
  }
  syntax.parts.push_back({PathPartView::Kind::kIndex, index, digits});
  Advance();
  return Expect(TokenKind::kCloseBracket);
}

void AppendNode(SyntaxView& syntax, NodeKind kind, std::size_t count, std::string_view text) {
  std::size_t size = 1;
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(size <= syntax.nodes.size(), "operands before their node");
    size += syntax.nodes[syntax.nodes.size() - size].size;
  }
  syntax.nodes.push_back({.kind = kind,
                          .count = static_cast<std::uint16_t>(count),
                          .size = static_cast<std::uint16_t>(size),
                          .first_part = 0,
                          .text = text});
}

Result<SyntaxView> ParseProjection(std::string_view text) {
  constexpr std::string_view kName = "ProjectionExpression";
  TRY(CheckExpressionSize(kName, text));
  TokenReader reader(kName, text);
  SyntaxView syntax;
  TRY(reader.ReadPath(syntax));
  while (reader.At(TokenKind::kComma)) {
    reader.Advance();
    TRY(reader.ReadPath(syntax));
  }
  if (!reader.At(TokenKind::kEnd)) return reader.SyntaxError();
  return syntax;
}

std::string_view OperatorName(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEqual:
      return "=";
    case NodeKind::kNotEqual:
      return "<>";
    case NodeKind::kLess:
      return "<";
    case NodeKind::kLessOrEqual:
      return "<=";
    case NodeKind::kGreater:
      return ">";
    case NodeKind::kGreaterOrEqual:
      return ">=";
    case NodeKind::kBetween:
      return "BETWEEN";
    case NodeKind::kIn:
      return "IN";
    case NodeKind::kAnd:
      return "AND";
    case NodeKind::kOr:
      return "OR";
    case NodeKind::kNot:
      return "NOT";
    case NodeKind::kPlus:
      return "+";
    case NodeKind::kMinus:
      return "-";
    case NodeKind::kPath:
    case NodeKind::kValue:
    case NodeKind::kFunction:
      break;
  }
  UNREACHABLE("a node that is no operator");
}

std::string_view SectionName(UpdateAction action) {
  switch (action) {
    case UpdateAction::kSet:
      return "SET";
    case UpdateAction::kRemove:
      return "REMOVE";
    case UpdateAction::kAdd:
      return "ADD";
    case UpdateAction::kDelete:
      return "DELETE";
  }
  UNREACHABLE("an action that is not in the enum");
}

}  // namespace trestle::expr
