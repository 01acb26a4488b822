// What UPDATE changes:
//
//   update  := (SET target "=" (sum | set function), ... | REMOVE path, ...)...
//   sum     := operand (("+" | "-") operand)...
//   operand := path | value | LIST_APPEND "(" sum "," sum ")" | "(" sum ")"
//   set function := (SET_ADD | SET_DELETE) "(" target "," value ")"
//
// A set function changes its own target; it becomes the ADD or DELETE of an UpdateExpression.

#include <utility>

#include <fmt/format.h>

#include "expr/partiql/reader_internal.h"
#include "value/item.h"

namespace trestle::expr::partiql {
namespace {

bool IsSet(value::Type type) {
  return type == value::Type::kSs || type == value::Type::kNs || type == value::Type::kBs;
}

class UpdateReader {
 public:
  explicit UpdateReader(TokenReader& reader) : reader_(reader) {}

  Result<UpdateClauses> Read();

 private:
  Status ReadAssignment();
  Status ReadRemoval();
  Status ReadSetFunction(const value::DocumentPath& target, UpdateAction action);
  Status ReadSum();
  Status ReadOperand();
  Status ReadCall();
  // Adds the action whose target was added at `target`.
  void AddAction(UpdateAction action, std::size_t target) {
    actions_.push_back({.action = action,
                        .target = static_cast<std::uint16_t>(target),
                        .end = static_cast<std::uint16_t>(builder_.size())});
  }

  TokenReader& reader_;
  SyntaxBuilder builder_;
  std::vector<ActionView> actions_;
  std::size_t depth_ = 0;
};

Result<UpdateClauses> UpdateReader::Read() {
  while (true) {
    const bool is_set = reader_.AtWord("SET");
    if (!is_set && !reader_.AtWord("REMOVE")) break;
    reader_.Advance();
    do {
      TRY(is_set ? ReadAssignment() : ReadRemoval());
    } while (reader_.Take(TokenKind::kComma));
  }
  if (actions_.empty()) return NotWellFormed("Expected data manipulation");
  return builder_.BindUpdate(std::move(actions_));
}

Status UpdateReader::ReadRemoval() {
  const std::size_t target = builder_.size();
  builder_.AddPath(TRY(reader_.ReadPath()));
  AddAction(UpdateAction::kRemove, target);
  return Ok();
}

Status UpdateReader::ReadAssignment() {
  const value::DocumentPath path = TRY(reader_.ReadPath());
  TRY(reader_.Expect(TokenKind::kEqual));
  if (reader_.AtCall() && IsWord(reader_.current().text, "SET_ADD")) {
    return ReadSetFunction(path, UpdateAction::kAdd);
  }
  if (reader_.AtCall() && IsWord(reader_.current().text, "SET_DELETE")) {
    return ReadSetFunction(path, UpdateAction::kDelete);
  }
  const std::size_t target = builder_.size();
  builder_.AddPath(path);
  TRY(ReadSum());
  AddAction(UpdateAction::kSet, target);
  return Ok();
}

Status UpdateReader::ReadSetFunction(const value::DocumentPath& target, UpdateAction action) {
  const std::string_view name = action == UpdateAction::kAdd ? "SET_ADD" : "SET_DELETE";
  const std::string_view function = reader_.current().text;
  reader_.Advance();
  reader_.Advance();
  const std::string_view first_argument = reader_.current().text;
  if (!reader_.AtPath() || TRY(reader_.ReadPath()) != target) {
    return reader_.ErrorAt(
        fmt::format("The first argument to {} must equal the assignment value", name), function);
  }
  TRY(reader_.Expect(TokenKind::kComma));
  const auto not_a_set = [&] {
    return reader_.ErrorAt(
        fmt::format("The second argument to {} must be a value with type SET", name),
        first_argument);
  };
  if (!reader_.AtValue()) return not_a_set();
  std::string value = TRY(reader_.ReadValue());
  TRY(reader_.Expect(TokenKind::kClose));
  if (!IsSet(value::ValueView(value).type())) return not_a_set();
  const std::size_t first = builder_.size();
  builder_.AddPath(target);
  builder_.AddValue(std::move(value));
  AddAction(action, first);
  return Ok();
}

Status UpdateReader::ReadSum() {
  if (++depth_ > kStatementDepthMax) return NotWellFormed("Expression is nested too deeply");
  TRY(ReadOperand());
  while (reader_.At(TokenKind::kPlus) || reader_.At(TokenKind::kMinus)) {
    const NodeKind kind = reader_.At(TokenKind::kPlus) ? NodeKind::kPlus : NodeKind::kMinus;
    reader_.Advance();
    TRY(ReadOperand());
    builder_.Add(kind, 2);
  }
  --depth_;
  return Ok();
}

Status UpdateReader::ReadOperand() {
  if (reader_.Take(TokenKind::kOpen)) {
    TRY(ReadSum());
    return reader_.Expect(TokenKind::kClose);
  }
  if (reader_.AtValue()) {
    builder_.AddValue(TRY(reader_.ReadValue()));
    return Ok();
  }
  if (reader_.AtCall()) return ReadCall();
  if (reader_.At(TokenKind::kPlus) || reader_.At(TokenKind::kMinus)) {
    return ValidationError(fmt::format("Unsupported operator in Update Expression. Operator: {}",
                                       reader_.current().text));
  }
  if (!reader_.AtPath()) return reader_.Unexpected();
  builder_.AddPath(TRY(reader_.ReadPath()));
  return Ok();
}

Status UpdateReader::ReadCall() {
  if (!IsWord(reader_.current().text, "LIST_APPEND")) return reader_.UnknownFunction();
  const std::size_t count = TRY(reader_.ReadArguments([this] { return ReadSum(); }));
  builder_.Add(NodeKind::kFunction, count, "list_append");
  return Ok();
}

}  // namespace

Result<UpdateClauses> ReadUpdate(TokenReader& reader) { return UpdateReader(reader).Read(); }

}  // namespace trestle::expr::partiql
