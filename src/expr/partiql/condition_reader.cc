// The condition of a WHERE clause:
//
//   condition := condition OR condition | condition AND condition | NOT condition
//              | "(" condition ")" | function
//              | operand comparator operand | operand [NOT] BETWEEN operand AND operand
//              | operand [NOT] IN "[" operand, ... "]" | operand IS [NOT] (MISSING | NULL | type)
//   operand   := path | value | SIZE "(" operand ")" | "(" operand ")"
//
// A condition may be compared with TRUE and FALSE.

#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "expr/partiql/reader_internal.h"
#include "value/item_codec.h"

namespace trestle::expr::partiql {
namespace {

// The functions of a condition, in the words of ConditionExpression. In PartiQL their names have
// any case.
struct Function {
  std::string_view keyword;
  std::string_view name;
  bool is_condition;
};
constexpr std::array kFunctions = {
    Function{"ATTRIBUTE_EXISTS", "attribute_exists", true},
    Function{"ATTRIBUTE_NOT_EXISTS", "attribute_not_exists", true},
    Function{"ATTRIBUTE_TYPE", "attribute_type", true},
    Function{"BEGINS_WITH", "begins_with", true},
    Function{"CONTAINS", "contains", true},
    Function{"SIZE", "size", false},
};

// What IS may ask for, and what attribute_type calls it.
struct TypeWord {
  std::string_view keyword;
  std::string_view type;
};
constexpr std::array kTypeWords = {
    TypeWord{"NULL", "NULL"}, TypeWord{"BOOLEAN", "BOOL"}, TypeWord{"STRING", "S"},
    TypeWord{"NUMERIC", "N"}, TypeWord{"BLOB", "B"},       TypeWord{"STRUCT", "M"},
    TypeWord{"TUPLE", "M"},   TypeWord{"LIST", "L"},
};

std::optional<NodeKind> ComparatorOf(TokenKind kind) {
  switch (kind) {
    case TokenKind::kEqual:
      return NodeKind::kEqual;
    case TokenKind::kNotEqual:
      return NodeKind::kNotEqual;
    case TokenKind::kLess:
      return NodeKind::kLess;
    case TokenKind::kLessOrEqual:
      return NodeKind::kLessOrEqual;
    case TokenKind::kGreater:
      return NodeKind::kGreater;
    case TokenKind::kGreaterOrEqual:
      return NodeKind::kGreaterOrEqual;
    default:
      return std::nullopt;
  }
}

class ConditionReader {
 public:
  explicit ConditionReader(TokenReader& reader) : reader_(reader) {}

  Result<Where> Read() {
    TRY(RequireCondition(ReadOr()));
    return builder_.BindCondition();
  }

 private:
  // What was read, as far as it decides where it may stand.
  enum class Part : std::uint8_t { kOperand, kCondition };

  Result<Part> ReadOr();
  Result<Part> ReadAnd();
  Result<Part> ReadNot();
  Result<Part> ReadComparison();
  Result<Part> ReadTruth(NodeKind comparator);
  Result<Part> ReadPrimary();
  Result<Part> ReadCall();
  Status ReadOperand();
  Status ReadBetween();
  Status ReadIn();
  Result<Part> ReadIs();

  static Status RequireCondition(const Result<Part>& part) {
    if (!part.ok()) return part.error();
    if (*part != Part::kCondition) return NotWellFormed("Unexpected term");
    return Ok();
  }
  static Status RequireOperand(const Result<Part>& part) {
    if (!part.ok()) return part.error();
    if (*part != Part::kOperand) return NotWellFormed("Unexpected term");
    return Ok();
  }

  TokenReader& reader_;
  SyntaxBuilder builder_;
  std::size_t depth_ = 0;
};

Result<ConditionReader::Part> ConditionReader::ReadOr() {
  if (++depth_ > kStatementDepthMax) return NotWellFormed("Expression is nested too deeply");
  Part part = TRY(ReadAnd());
  while (reader_.TakeWord("OR")) {
    TRY(RequireCondition(part));
    TRY(RequireCondition(ReadAnd()));
    builder_.Add(NodeKind::kOr, 2);
  }
  --depth_;
  return part;
}

Result<ConditionReader::Part> ConditionReader::ReadAnd() {
  const Part part = TRY(ReadNot());
  while (reader_.TakeWord("AND")) {
    TRY(RequireCondition(part));
    TRY(RequireCondition(ReadNot()));
    builder_.Add(NodeKind::kAnd, 2);
  }
  return part;
}

Result<ConditionReader::Part> ConditionReader::ReadNot() {
  std::size_t count = 0;
  while (reader_.TakeWord("NOT"))
    ++count;
  const Part part = TRY(ReadComparison());
  if (count > 0) TRY(RequireCondition(part));
  for (; count > 0; --count)
    builder_.Add(NodeKind::kNot, 1);
  return part;
}

Result<ConditionReader::Part> ConditionReader::ReadComparison() {
  const Part left = TRY(ReadPrimary());
  if (const auto comparator = ComparatorOf(reader_.current().kind)) {
    reader_.Advance();
    if (left == Part::kCondition) return ReadTruth(*comparator);
    TRY(ReadOperand());
    builder_.Add(*comparator, 2);
    return Part::kCondition;
  }
  if (reader_.AtWord("IS")) {
    TRY(RequireOperand(left));
    return ReadIs();
  }
  const bool is_negated = reader_.AtWord("NOT");
  if (is_negated) reader_.Advance();
  if (reader_.TakeWord("BETWEEN")) {
    TRY(RequireOperand(left));
    TRY(ReadBetween());
  } else if (reader_.TakeWord("IN")) {
    TRY(RequireOperand(left));
    TRY(ReadIn());
  } else if (is_negated) {
    return reader_.Unexpected();
  } else {
    return left;
  }
  if (is_negated) builder_.Add(NodeKind::kNot, 1);
  return Part::kCondition;
}

// "= TRUE" and the like behind a condition.
Result<ConditionReader::Part> ConditionReader::ReadTruth(NodeKind comparator) {
  const bool is_true = reader_.AtWord("TRUE");
  const bool is_equal = comparator == NodeKind::kEqual;
  if ((!is_true && !reader_.AtWord("FALSE")) || (!is_equal && comparator != NodeKind::kNotEqual)) {
    return reader_.Unexpected();
  }
  reader_.Advance();
  if (is_true != is_equal) builder_.Add(NodeKind::kNot, 1);
  return Part::kCondition;
}

Result<ConditionReader::Part> ConditionReader::ReadPrimary() {
  Part part = Part::kOperand;
  if (reader_.Take(TokenKind::kOpen)) {
    part = TRY(ReadOr());
    TRY(reader_.Expect(TokenKind::kClose));
  } else if (reader_.AtValue()) {
    builder_.AddValue(TRY(reader_.ReadValue()));
  } else if (reader_.AtCall()) {
    part = TRY(ReadCall());
  } else if (reader_.AtPath()) {
    builder_.AddPath(TRY(reader_.ReadPath()));
  } else if (!reader_.At(TokenKind::kPlus) && !reader_.At(TokenKind::kMinus)) {
    return reader_.Unexpected();
  }
  if (reader_.At(TokenKind::kPlus) || reader_.At(TokenKind::kMinus)) {
    return ValidationError(fmt::format("Unsupported operator in Condition Expression. Operator: {}",
                                       reader_.current().text));
  }
  return part;
}

Result<ConditionReader::Part> ConditionReader::ReadCall() {
  const Function* function = nullptr;
  for (const Function& it : kFunctions) {
    if (IsWord(reader_.current().text, it.keyword)) function = &it;
  }
  if (function == nullptr) return reader_.UnknownFunction();
  const std::size_t count = TRY(reader_.ReadArguments([this] { return ReadOperand(); }));
  builder_.Add(NodeKind::kFunction, count, function->name);
  return function->is_condition ? Part::kCondition : Part::kOperand;
}

Status ConditionReader::ReadOperand() {
  if (++depth_ > kStatementDepthMax) return NotWellFormed("Expression is nested too deeply");
  TRY(RequireOperand(ReadPrimary()));
  --depth_;
  return Ok();
}

Status ConditionReader::ReadBetween() {
  TRY(ReadOperand());
  TRY(reader_.ExpectWord("AND"));
  TRY(ReadOperand());
  builder_.Add(NodeKind::kBetween, 3);
  return Ok();
}

Status ConditionReader::ReadIn() {
  const TokenKind end = reader_.At(TokenKind::kOpen) ? TokenKind::kClose : TokenKind::kCloseBracket;
  if (!reader_.Take(TokenKind::kOpen)) TRY(reader_.Expect(TokenKind::kOpenBracket));
  std::size_t count = 0;
  do {
    TRY(ReadOperand());
    ++count;
  } while (reader_.Take(TokenKind::kComma));
  TRY(reader_.Expect(end));
  builder_.Add(NodeKind::kIn, count + 1);
  return Ok();
}

Result<ConditionReader::Part> ConditionReader::ReadIs() {
  reader_.Advance();
  const bool is_negated = reader_.TakeWord("NOT");
  if (reader_.TakeWord("MISSING")) {
    builder_.Add(NodeKind::kFunction, 1, is_negated ? "attribute_exists" : "attribute_not_exists");
    return Part::kCondition;
  }
  for (const TypeWord& word : kTypeWords) {
    if (!reader_.TakeWord(word.keyword)) continue;
    std::string type;
    value::AppendString(type, word.type);
    builder_.AddValue(std::move(type));
    builder_.Add(NodeKind::kFunction, 2, "attribute_type");
    if (is_negated) builder_.Add(NodeKind::kNot, 1);
    return Part::kCondition;
  }
  return reader_.Unexpected();
}

}  // namespace

Result<Where> ReadCondition(TokenReader& reader) { return ConditionReader(reader).Read(); }

}  // namespace trestle::expr::partiql
