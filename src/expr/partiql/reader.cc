#include <charconv>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "expr/bind.h"
#include "expr/parser_internal.h"
#include "expr/partiql/reader_internal.h"

namespace trestle::expr::partiql {
namespace {

// What error texts call a token that was expected.
std::string_view KindName(TokenKind kind) {
  switch (kind) {
    case TokenKind::kOpen:
      return "LEFT_PAREN";
    case TokenKind::kClose:
      return "RIGHT_PAREN";
    case TokenKind::kOpenBracket:
      return "LEFT_BRACKET";
    case TokenKind::kCloseBracket:
      return "RIGHT_BRACKET";
    case TokenKind::kOpenBrace:
      return "LEFT_CURLY";
    case TokenKind::kCloseBrace:
      return "RIGHT_CURLY";
    case TokenKind::kCloseBag:
      return "RIGHT_DOUBLE_ANGLE_BRACKET";
    case TokenKind::kComma:
      return "COMMA";
    case TokenKind::kColon:
      return "COLON";
    case TokenKind::kStar:
      return "STAR";
    case TokenKind::kEqual:
      return "EQUALS";
    default:
      UNREACHABLE("a token that no place asks for");
  }
}

// What a node of a condition joins or tests; nothing for an operand.
std::optional<Connective> ConnectiveOf(const NodeView& node) {
  switch (node.kind) {
    case NodeKind::kPath:
    case NodeKind::kValue:
      return std::nullopt;
    case NodeKind::kFunction:
      return node.text == "size" ? std::nullopt : std::optional(Connective::kTest);
    case NodeKind::kAnd:
      return Connective::kAnd;
    case NodeKind::kOr:
      return Connective::kOr;
    case NodeKind::kNot:
      return Connective::kNot;
    default:
      return Connective::kTest;
  }
}

}  // namespace

Error NotWellFormed(std::string_view text) {
  return ValidationError(fmt::format("Statement wasn't well formed, can't be processed: {}", text));
}

TokenReader::TokenReader(std::string_view text, const std::vector<std::string>& parameters)
    : text_(text), parameters_(parameters), current_(NextToken(text)) {}

std::string_view TokenReader::Rest() const {
  const char* const end = current_.text.data() + current_.text.size();
  return text_.substr(static_cast<std::size_t>(end - text_.data()));
}

bool TokenReader::Take(TokenKind kind) {
  if (!At(kind)) return false;
  Advance();
  return true;
}

bool TokenReader::TakeWord(std::string_view keyword) {
  if (!AtWord(keyword)) return false;
  Advance();
  return true;
}

Status TokenReader::Expect(TokenKind kind) {
  if (!Take(kind)) return NotWellFormed(fmt::format("Expected {}", KindName(kind)));
  return Ok();
}

Status TokenReader::ExpectWord(std::string_view keyword) {
  if (!TakeWord(keyword)) return NotWellFormed(fmt::format("Expected {} keyword", keyword));
  return Ok();
}

Error TokenReader::Unexpected() const {
  const bool is_keyword = At(TokenKind::kWord) && IsKeyword(current_.text);
  return NotWellFormed(is_keyword ? "Unexpected keyword" : "Unexpected term");
}

Error TokenReader::UnknownFunction() const {
  if (IsKeyword(current_.text)) return Unexpected();
  return ValidationError(fmt::format("Invalid function name; function: {}", current_.text));
}

Error TokenReader::ErrorAt(std::string_view text, std::string_view token) const {
  return ValidationError(fmt::format("{} at {}", text, PositionOf(text_, token)));
}

Result<std::string> TokenReader::ReadName() {
  std::string name;
  if (At(TokenKind::kQuotedName)) {
    name = Unquoted(current_.text);
    if (name.empty()) return ValidationError("Path component cannot be an empty string");
  } else if (At(TokenKind::kWord) && !IsKeyword(current_.text)) {
    name = current_.text;
  } else {
    return Unexpected();
  }
  Advance();
  return name;
}

Result<value::DocumentPath> TokenReader::ReadPath() {
  value::DocumentPath path;
  path.elements.emplace_back(TRY(ReadName()));
  while (true) {
    if (Take(TokenKind::kDot)) {
      if (At(TokenKind::kWord) && IsKeyword(current_.text)) {
        return NotWellFormed("Invalid path dot component");
      }
      path.elements.emplace_back(TRY(ReadName()));
    } else if (Take(TokenKind::kOpenBracket)) {
      if (At(TokenKind::kString)) {
        path.elements.emplace_back(Unquoted(current_.text));
        Advance();
      } else {
        path.elements.emplace_back(TRY(ReadIndex()));
      }
      TRY(Expect(TokenKind::kCloseBracket));
    } else {
      return path;
    }
  }
}

Result<std::size_t> TokenReader::ReadIndex() {
  const bool is_negative = Take(TokenKind::kMinus);
  if (!At(TokenKind::kNumber)) return NotWellFormed("Invalid path component");
  const std::string_view digits = current_.text;
  std::uint32_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (end != digits.data() + digits.size()) return NotWellFormed("Invalid path component");
  if (is_negative || error != std::errc{} || index > std::numeric_limits<std::int32_t>::max()) {
    return ErrorAt(fmt::format("List index is not within the allowable range; index: [{}{}]",
                               is_negative ? "-" : "", digits),
                   digits);
  }
  Advance();
  return std::size_t{index};
}

Result<std::string> TokenReader::TakeParameter() {
  if (parameters_used_ == parameters_.size()) {
    return ValidationError("Number of parameters in request and statement don't match.");
  }
  Advance();
  return parameters_[parameters_used_++];
}

Status TokenReader::CheckParameters() const {
  if (parameters_used_ == parameters_.size()) return Ok();
  return ValidationError("Number of parameters in request and statement don't match.");
}

void SyntaxBuilder::AddPath(const value::DocumentPath& path) {
  const std::size_t first_part = syntax_.parts.size();
  for (const value::PathElement& element : path.elements) {
    if (const auto* index = std::get_if<std::size_t>(&element)) {
      syntax_.parts.push_back({PathPartView::Kind::kIndex, static_cast<std::uint32_t>(*index), {}});
      continue;
    }
    const auto added =
        names_.emplace(fmt::format("#{}", names_.size()), std::get<std::string>(element)).first;
    syntax_.parts.push_back({PathPartView::Kind::kName, 0, added->first});
  }
  syntax_.nodes.push_back({.kind = NodeKind::kPath,
                           .count = static_cast<std::uint16_t>(path.elements.size()),
                           .size = 1,
                           .first_part = static_cast<std::uint16_t>(first_part),
                           .text = {}});
}

void SyntaxBuilder::AddValue(std::string value) {
  const auto added = values_.emplace(fmt::format(":{}", values_.size()), std::move(value)).first;
  AppendNode(syntax_, NodeKind::kValue, 0, added->first);
}

void SyntaxBuilder::Add(NodeKind kind, std::size_t count, std::string_view text) {
  AppendNode(syntax_, kind, count, text);
}

Result<Where> SyntaxBuilder::BindCondition() {
  Placeholders placeholders(Placeholders::EntriesOf(names_), Placeholders::EntriesOf(values_));
  Where where{.program = TRY(expr::BindCondition({}, syntax_, placeholders)), .shape = {}};
  for (const NodeView& node : syntax_.nodes) {
    if (const auto connective = ConnectiveOf(node)) where.shape.push_back(*connective);
  }
  return where;
}

Result<UpdateClauses> SyntaxBuilder::BindUpdate(std::vector<ActionView> actions) {
  Placeholders placeholders(Placeholders::EntriesOf(names_), Placeholders::EntriesOf(values_));
  return expr::BindUpdate(
      {}, {.syntax = std::move(syntax_), .actions = std::move(actions), .repeated_section = {}},
      placeholders);
}

}  // namespace trestle::expr::partiql
