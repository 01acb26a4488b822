// The grammar of ConditionExpression, FilterExpression and KeyConditionExpression:
//
//   condition := condition OR condition | condition AND condition | NOT condition
//              | "(" condition ")" | function
//              | operand comparator operand | operand BETWEEN operand AND operand
//              | operand IN "(" operand, ... ")"
//   operand   := path | :value | function | "(" operand ")"
//   function  := identifier "(" operand, ... ")"
//
// Read with a stack of open constructs instead of by recursion, so that no text can exhaust the
// thread's stack. An opening parenthesis does not say whether a condition or an operand follows;
// what it held is known when it closes.

#include <cstdint>
#include <utility>
#include <vector>

#include "base/check.h"
#include "expr/parser.h"
#include "expr/parser_internal.h"

namespace trestle::expr {
namespace {

enum class FrameKind : std::uint8_t {
  kParenthesis,
  kFunction,
  kInList,
  kComparator,
  kBetweenLower,  // waits for the lower bound
  kBetweenUpper,
  kNot,
  kAnd,
  kOr,
};

// A construct that is not complete.
struct Frame {
  FrameKind kind;
  bool operands_only;     // of kParenthesis: a condition cannot stand here
  NodeKind comparator;    // of kComparator
  std::uint16_t count;    // of kFunction and kInList: operands read
  std::string_view name;  // of kFunction
};

class ConditionParser {
 public:
  ConditionParser(std::string_view expression_name, std::string_view text)
      : reader_(expression_name, text) {}

  Result<SyntaxView> Parse();

 private:
  // What the last complete construct may be used as. A function call may be both.
  enum class Complete : std::uint8_t { kOperand, kCondition, kFunction };

  Status ReadBeforeOperand();
  Status ReadAfterOperand();
  Status ReadIdentifier();
  Status ReadComparator(NodeKind comparator);
  Status ReadBetween();
  Status ReadIn();
  Status ReadLogical(FrameKind frame);
  Status ReadComma();
  Status ReadClose();
  Status ReadEnd();

  void Push(FrameKind kind) { frames_.push_back({kind, false, NodeKind::kEqual, 0, {}}); }
  [[nodiscard]] bool TopIs(FrameKind kind) const {
    return !frames_.empty() && frames_.back().kind == kind;
  }
  [[nodiscard]] bool ConditionMayStandHere() const;
  // Closes comparisons that have their last operand.
  void ReduceComparison();
  // Closes NOT, and AND and OR that bind at least as tightly as `frame`.
  Status ReduceLogical(FrameKind frame);

  TokenReader reader_;
  SyntaxView syntax_;
  std::vector<Frame> frames_;
  bool needs_operand_ = true;
  Complete complete_ = Complete::kOperand;
  bool complete_is_parenthesised_ = false;
  bool at_end_ = false;
};

Result<SyntaxView> ConditionParser::Parse() {
  syntax_.nodes.reserve(8);
  while (!at_end_) {
    if (needs_operand_) {
      TRY(ReadBeforeOperand());
    } else {
      TRY(ReadAfterOperand());
    }
  }
  return std::move(syntax_);
}

bool ConditionParser::ConditionMayStandHere() const {
  if (frames_.empty()) return true;
  switch (frames_.back().kind) {
    case FrameKind::kNot:
    case FrameKind::kAnd:
    case FrameKind::kOr:
      return true;
    case FrameKind::kParenthesis:
      return !frames_.back().operands_only;
    case FrameKind::kFunction:
    case FrameKind::kInList:
    case FrameKind::kComparator:
    case FrameKind::kBetweenLower:
    case FrameKind::kBetweenUpper:
      return false;
  }
  UNREACHABLE("a frame that is not in the enum");
}

Status ConditionParser::ReadBeforeOperand() {
  switch (reader_.current().kind) {
    case TokenKind::kOpen: {
      const bool operands_only = !ConditionMayStandHere();
      Push(FrameKind::kParenthesis);
      frames_.back().operands_only = operands_only;
      reader_.Advance();
      return Ok();
    }
    case TokenKind::kIdentifier:
      return ReadIdentifier();
    case TokenKind::kName:
      TRY(reader_.ReadPath(syntax_));
      break;
    case TokenKind::kValue:
      AppendNode(syntax_, NodeKind::kValue, 0, reader_.current().text);
      reader_.Advance();
      break;
    default:
      return reader_.SyntaxError();
  }
  complete_ = Complete::kOperand;
  complete_is_parenthesised_ = false;
  needs_operand_ = false;
  return Ok();
}

Status ConditionParser::ReadIdentifier() {
  switch (reader_.AtKeyword()) {
    case Keyword::kNot:
      if (!ConditionMayStandHere()) return reader_.SyntaxError();
      Push(FrameKind::kNot);
      reader_.Advance();
      return Ok();
    case Keyword::kAnd:
    case Keyword::kOr:
    case Keyword::kIn:
    case Keyword::kBetween:
      return reader_.SyntaxError();
    case Keyword::kNone:
    case Keyword::kSet:
    case Keyword::kRemove:
    case Keyword::kAdd:
    case Keyword::kDelete:
      break;
  }
  const TokenView first = reader_.current();
  reader_.Advance();
  if (reader_.At(TokenKind::kOpen)) {
    Push(FrameKind::kFunction);
    frames_.back().name = first.text;
    reader_.Advance();
    return Ok();
  }
  TRY(reader_.ReadPathAfter(first, syntax_));
  complete_ = Complete::kOperand;
  complete_is_parenthesised_ = false;
  needs_operand_ = false;
  return Ok();
}

Status ConditionParser::ReadAfterOperand() {
  ReduceComparison();
  switch (reader_.current().kind) {
    case TokenKind::kEqual:
      return ReadComparator(NodeKind::kEqual);
    case TokenKind::kNotEqual:
      return ReadComparator(NodeKind::kNotEqual);
    case TokenKind::kLess:
      return ReadComparator(NodeKind::kLess);
    case TokenKind::kLessOrEqual:
      return ReadComparator(NodeKind::kLessOrEqual);
    case TokenKind::kGreater:
      return ReadComparator(NodeKind::kGreater);
    case TokenKind::kGreaterOrEqual:
      return ReadComparator(NodeKind::kGreaterOrEqual);
    case TokenKind::kComma:
      return ReadComma();
    case TokenKind::kClose:
      return ReadClose();
    case TokenKind::kEnd:
      return ReadEnd();
    default:
      break;
  }
  switch (reader_.AtKeyword()) {
    case Keyword::kBetween:
      return ReadBetween();
    case Keyword::kIn:
      return ReadIn();
    case Keyword::kAnd:
      return ReadLogical(FrameKind::kAnd);
    case Keyword::kOr:
      return ReadLogical(FrameKind::kOr);
    default:
      return reader_.SyntaxError();
  }
}

void ConditionParser::ReduceComparison() {
  if (frames_.empty()) return;
  const Frame& top = frames_.back();
  if (top.kind == FrameKind::kComparator) {
    AppendNode(syntax_, top.comparator, 2);
  } else if (top.kind == FrameKind::kBetweenUpper) {
    AppendNode(syntax_, NodeKind::kBetween, 3);
  } else {
    return;
  }
  frames_.pop_back();
  complete_ = Complete::kCondition;
  complete_is_parenthesised_ = false;
}

Status ConditionParser::ReadComparator(NodeKind comparator) {
  if (complete_ == Complete::kCondition || !ConditionMayStandHere()) return reader_.SyntaxError();
  Push(FrameKind::kComparator);
  frames_.back().comparator = comparator;
  needs_operand_ = true;
  reader_.Advance();
  return Ok();
}

Status ConditionParser::ReadBetween() {
  if (complete_ == Complete::kCondition || !ConditionMayStandHere()) return reader_.SyntaxError();
  Push(FrameKind::kBetweenLower);
  needs_operand_ = true;
  reader_.Advance();
  return Ok();
}

Status ConditionParser::ReadIn() {
  if (complete_ == Complete::kCondition || !ConditionMayStandHere()) return reader_.SyntaxError();
  reader_.Advance();
  TRY(reader_.Expect(TokenKind::kOpen));
  Push(FrameKind::kInList);
  needs_operand_ = true;
  return Ok();
}

Status ConditionParser::ReadLogical(FrameKind frame) {
  if (frame == FrameKind::kAnd && TopIs(FrameKind::kBetweenLower)) {
    frames_.back().kind = FrameKind::kBetweenUpper;
  } else {
    TRY(ReduceLogical(frame));
    if (!ConditionMayStandHere()) return reader_.SyntaxError();
    Push(frame);
  }
  needs_operand_ = true;
  reader_.Advance();
  return Ok();
}

Status ConditionParser::ReduceLogical(FrameKind frame) {
  if (TopIs(FrameKind::kBetweenLower) || complete_ == Complete::kOperand) {
    return reader_.SyntaxError();
  }
  while (!frames_.empty()) {
    const FrameKind top = frames_.back().kind;
    if (top == FrameKind::kNot) {
      AppendNode(syntax_, NodeKind::kNot, 1);
    } else if (top == FrameKind::kAnd) {
      AppendNode(syntax_, NodeKind::kAnd, 2);
    } else if (top == FrameKind::kOr && frame == FrameKind::kOr) {
      AppendNode(syntax_, NodeKind::kOr, 2);
    } else {
      break;
    }
    frames_.pop_back();
    complete_ = Complete::kCondition;
    complete_is_parenthesised_ = false;
  }
  return Ok();
}

Status ConditionParser::ReadComma() {
  if (complete_ == Complete::kCondition) return reader_.SyntaxError();
  if (!TopIs(FrameKind::kFunction) && !TopIs(FrameKind::kInList)) return reader_.SyntaxError();
  ++frames_.back().count;
  needs_operand_ = true;
  reader_.Advance();
  return Ok();
}

Status ConditionParser::ReadClose() {
  if (TopIs(FrameKind::kFunction) || TopIs(FrameKind::kInList)) {
    const Frame closed = frames_.back();
    frames_.pop_back();
    const std::size_t count = closed.count + 1U;
    const bool is_function = closed.kind == FrameKind::kFunction;
    if (is_function) {
      AppendNode(syntax_, NodeKind::kFunction, count, closed.name);
    } else {
      AppendNode(syntax_, NodeKind::kIn, count + 1);
    }
    complete_ = is_function ? Complete::kFunction : Complete::kCondition;
    complete_is_parenthesised_ = false;
  } else {
    // "(a)" is an operand; anything with a logical operator in it must be whole conditions.
    if (!TopIs(FrameKind::kParenthesis)) {
      if (frames_.empty()) return reader_.SyntaxError();
      TRY(ReduceLogical(FrameKind::kOr));
      if (!TopIs(FrameKind::kParenthesis)) return reader_.SyntaxError();
    }
    frames_.pop_back();
    if (complete_is_parenthesised_) syntax_.has_redundant_parentheses = true;
    complete_is_parenthesised_ = true;
  }
  reader_.Advance();
  return Ok();
}

Status ConditionParser::ReadEnd() {
  TRY(ReduceLogical(FrameKind::kOr));
  if (!frames_.empty()) return reader_.SyntaxError();
  at_end_ = true;
  return Ok();
}

}  // namespace

Result<SyntaxView> ParseCondition(std::string_view expression_name, std::string_view text) {
  TRY(CheckExpressionSize(expression_name, text));
  return ConditionParser(expression_name, text).Parse();
}

}  // namespace trestle::expr
