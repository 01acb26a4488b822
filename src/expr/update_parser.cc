// The grammar of UpdateExpression:
//
//   update   := section section*               each section once, which is checked later
//   section  := SET set, ... | REMOVE path, ... | ADD change, ... | DELETE change, ...
//   set      := path "=" value
//   change   := path :value
//   value    := sum | "(" sum ")"
//   sum      := operand | operand "+" operand | operand "-" operand
//   operand  := path | :value | function | "(" operand ")"
//   function := identifier "(" operand, ... ")"
//
// Values are read with a stack of open constructs instead of by recursion, as conditions are.

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "expr/parser.h"
#include "expr/parser_internal.h"

namespace trestle::expr {
namespace {

struct Frame {
  enum class Kind : std::uint8_t { kParenthesis, kFunction, kSum };
  Kind kind;
  NodeKind sum;           // of kSum
  std::uint16_t count;    // of kFunction: operands read
  std::string_view name;  // of kFunction
};

class UpdateParser {
 public:
  explicit UpdateParser(std::string_view text) : reader_("UpdateExpression", text) {}

  Result<UpdateSyntaxView> Parse();

 private:
  Status ReadSection(UpdateAction action);
  Status ReadAction(UpdateAction action);
  Status ReadTarget();
  Status ReadConstant();
  Status ReadSum();
  // Each reads one token's worth of a value.
  Status ReadBeforeOperand();
  Status ReadAfterOperand();
  Status ReadSign(NodeKind sum);
  Status ReadClose();

  [[nodiscard]] SyntaxView& syntax() { return update_.syntax; }
  [[nodiscard]] bool AtSection() const;
  [[nodiscard]] bool TopIs(Frame::Kind kind) const {
    return !frames_.empty() && frames_.back().kind == kind;
  }

  TokenReader reader_;
  UpdateSyntaxView update_;
  std::array<bool, 4> seen_ = {};  // by UpdateAction

  // The value that is being read.
  std::vector<Frame> frames_;
  bool needs_operand_ = true;
  bool complete_is_sum_ = false;
  bool is_complete_ = false;
};

bool UpdateParser::AtSection() const {
  switch (reader_.AtKeyword()) {
    case Keyword::kSet:
    case Keyword::kRemove:
    case Keyword::kAdd:
    case Keyword::kDelete:
      return true;
    default:
      return false;
  }
}

Result<UpdateSyntaxView> UpdateParser::Parse() {
  do {
    switch (reader_.AtKeyword()) {
      case Keyword::kSet:
        TRY(ReadSection(UpdateAction::kSet));
        break;
      case Keyword::kRemove:
        TRY(ReadSection(UpdateAction::kRemove));
        break;
      case Keyword::kAdd:
        TRY(ReadSection(UpdateAction::kAdd));
        break;
      case Keyword::kDelete:
        TRY(ReadSection(UpdateAction::kDelete));
        break;
      default:
        return reader_.SyntaxError();
    }
  } while (!reader_.At(TokenKind::kEnd));
  return std::move(update_);
}

Status UpdateParser::ReadSection(UpdateAction action) {
  bool& seen = seen_[static_cast<std::size_t>(action)];
  if (seen && update_.repeated_section.empty()) update_.repeated_section = SectionName(action);
  seen = true;
  reader_.Advance();
  TRY(ReadAction(action));
  while (reader_.At(TokenKind::kComma)) {
    reader_.Advance();
    TRY(ReadAction(action));
  }
  return Ok();
}

Status UpdateParser::ReadAction(UpdateAction action) {
  TRY(ReadTarget());
  const std::size_t target = syntax().nodes.size() - 1;
  if (action == UpdateAction::kSet) {
    TRY(reader_.Expect(TokenKind::kEqual));
    TRY(ReadSum());
  } else if (action != UpdateAction::kRemove) {
    TRY(ReadConstant());
  }
  update_.actions.push_back({.action = action,
                             .target = static_cast<std::uint16_t>(target),
                             .end = static_cast<std::uint16_t>(syntax().nodes.size())});
  return Ok();
}

Status UpdateParser::ReadTarget() {
  if (AtSection()) return reader_.SyntaxError();
  return reader_.ReadPath(syntax());
}

Status UpdateParser::ReadConstant() {
  if (!reader_.At(TokenKind::kValue)) return reader_.SyntaxError();
  AppendNode(syntax(), NodeKind::kValue, 0, reader_.current().text);
  reader_.Advance();
  return Ok();
}

Status UpdateParser::ReadSum() {
  needs_operand_ = true;
  complete_is_sum_ = false;
  is_complete_ = false;
  while (!is_complete_) {
    if (needs_operand_) {
      TRY(ReadBeforeOperand());
    } else {
      TRY(ReadAfterOperand());
    }
  }
  return Ok();
}

Status UpdateParser::ReadBeforeOperand() {
  if (reader_.At(TokenKind::kOpen)) {
    frames_.push_back({Frame::Kind::kParenthesis, NodeKind::kPlus, 0, {}});
    reader_.Advance();
    return Ok();
  }
  if (reader_.At(TokenKind::kValue)) {
    TRY(ReadConstant());
  } else {
    if (AtSection() || (!reader_.At(TokenKind::kIdentifier) && !reader_.At(TokenKind::kName))) {
      return reader_.SyntaxError();
    }
    const TokenView first = reader_.current();
    reader_.Advance();
    if (first.kind == TokenKind::kIdentifier && reader_.At(TokenKind::kOpen)) {
      frames_.push_back({Frame::Kind::kFunction, NodeKind::kPlus, 0, first.text});
      reader_.Advance();
      return Ok();
    }
    TRY(reader_.ReadPathAfter(first, syntax()));
  }
  needs_operand_ = false;
  return Ok();
}

Status UpdateParser::ReadAfterOperand() {
  if (TopIs(Frame::Kind::kSum)) {
    AppendNode(syntax(), frames_.back().sum, 2);
    frames_.pop_back();
    complete_is_sum_ = true;
  }
  if (reader_.At(TokenKind::kPlus)) return ReadSign(NodeKind::kPlus);
  if (reader_.At(TokenKind::kMinus)) return ReadSign(NodeKind::kMinus);
  if (reader_.At(TokenKind::kClose)) return ReadClose();
  if (reader_.At(TokenKind::kComma) && TopIs(Frame::Kind::kFunction)) {
    ++frames_.back().count;
    needs_operand_ = true;
    reader_.Advance();
    return Ok();
  }
  const bool value_may_end =
      reader_.At(TokenKind::kComma) || reader_.At(TokenKind::kEnd) || AtSection();
  if (!frames_.empty() || !value_may_end) return reader_.SyntaxError();
  is_complete_ = true;
  return Ok();
}

// One sum a value, and only as the whole of it.
Status UpdateParser::ReadSign(NodeKind sum) {
  const bool is_whole =
      frames_.empty() || (frames_.size() == 1 && TopIs(Frame::Kind::kParenthesis));
  if (complete_is_sum_ || !is_whole) return reader_.SyntaxError();
  frames_.push_back({Frame::Kind::kSum, sum, 0, {}});
  needs_operand_ = true;
  reader_.Advance();
  return Ok();
}

Status UpdateParser::ReadClose() {
  if (frames_.empty()) return reader_.SyntaxError();
  const Frame closed = frames_.back();
  frames_.pop_back();
  if (closed.kind == Frame::Kind::kFunction) {
    AppendNode(syntax(), NodeKind::kFunction, closed.count + 1U, closed.name);
  }
  reader_.Advance();
  return Ok();
}

}  // namespace

Result<UpdateSyntaxView> ParseUpdate(std::string_view text) {
  TRY(CheckExpressionSize("UpdateExpression", text));
  return UpdateParser(text).Parse();
}

}  // namespace trestle::expr
