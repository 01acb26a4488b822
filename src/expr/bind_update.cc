#include <cstddef>
#include <utility>

#include "base/check.h"
#include "expr/bind.h"
#include "expr/bind_internal.h"

namespace trestle::expr {
namespace {

using value::Type;
using value::ValueView;

// ADD and DELETE name types in words of their own.
std::string_view LongTypeName(Type type) {
  switch (type) {
    case Type::kS:
      return "STRING";
    case Type::kN:
      return "NUMBER";
    case Type::kB:
      return "BINARY";
    case Type::kBool:
      return "BOOLEAN";
    case Type::kNull:
      return "NULL";
    case Type::kM:
      return "MAP";
    case Type::kL:
      return "LIST";
    case Type::kSs:
      return "STRING_SET";
    case Type::kNs:
      return "NUMBER_SET";
    case Type::kBs:
      return "BINARY_SET";
  }
  UNREACHABLE("a type that is not in the enum");
}

bool IsSet(Type type) { return type == Type::kSs || type == Type::kNs || type == Type::kBs; }

UpdateStep::Kind StepKindOf(const NodeView& node) {
  switch (node.kind) {
    case NodeKind::kPath:
      return UpdateStep::Kind::kPath;
    case NodeKind::kValue:
      return UpdateStep::Kind::kValue;
    case NodeKind::kPlus:
      return UpdateStep::Kind::kPlus;
    case NodeKind::kMinus:
      return UpdateStep::Kind::kMinus;
    case NodeKind::kFunction:
      return FunctionOf(node.text) == Function::kListAppend ? UpdateStep::Kind::kListAppend
                                                            : UpdateStep::Kind::kIfNotExists;
    default:
      UNREACHABLE("a node that updates do not have");
  }
}

class UpdateBinder {
 public:
  UpdateBinder(std::string_view expression_name, const UpdateSyntaxView& update,
               Placeholders& placeholders)
      : binder_(expression_name, update.syntax, placeholders),
        update_(update),
        nodes_(update.syntax.nodes) {}

  Result<UpdateClauses> Bind();

 private:
  Status CheckFunctionNames() const;
  Status BindNames();
  Status BindValues();
  Status CheckConstants() const;
  Status CheckFunctions() const;
  Status CheckOperandTypes(std::size_t node, std::string_view name, Type type) const;

  // The last operand of the node at `index`, and the one before it.
  [[nodiscard]] std::size_t LastOperand(std::size_t index) const { return index - 1; }
  [[nodiscard]] std::size_t FirstOperand(std::size_t index) const {
    return index - 1 - nodes_[index - 1].size;
  }

  Binder binder_;
  const UpdateSyntaxView& update_;
  const std::vector<NodeView>& nodes_;
  std::vector<UpdateStep> steps_;  // one for each node, targets included
};

Result<UpdateClauses> UpdateBinder::Bind() {
  TRY(binder_.CheckOperatorCount());
  TRY(binder_.CheckReservedWords());
  TRY(CheckFunctionNames());
  if (!update_.repeated_section.empty()) {
    return binder_.Invalid(
        fmt::format("The \"{}\" section can only be used once in an update expression;",
                    update_.repeated_section));
  }
  TRY(BindNames());
  TRY(BindValues());
  UpdateClauses clauses;
  clauses.targets.reserve(update_.actions.size());
  for (const ActionView& action : update_.actions) {
    clauses.targets.push_back(std::move(steps_[action.target].path));
  }
  TRY(binder_.CheckOverlap(clauses.targets));
  TRY(CheckConstants());
  TRY(CheckFunctions());

  clauses.actions.reserve(update_.actions.size());
  clauses.steps.reserve(nodes_.size() - update_.actions.size());
  for (const ActionView& action : update_.actions) {
    const std::size_t first = action.target + std::size_t{1};
    clauses.actions.push_back({.action = action.action,
                               .first_step = static_cast<std::uint32_t>(clauses.steps.size()),
                               .step_count = static_cast<std::uint32_t>(action.end - first)});
    for (std::size_t i = first; i < action.end; ++i)
      clauses.steps.push_back(std::move(steps_[i]));
  }
  return clauses;
}

Status UpdateBinder::CheckFunctionNames() const {
  for (const NodeView& node : nodes_) {
    if (node.kind != NodeKind::kFunction) continue;
    const Function function = FunctionOf(node.text);
    if (function != Function::kIfNotExists && function != Function::kListAppend) {
      return binder_.InvalidFunction(node.text);
    }
  }
  return Ok();
}

Status UpdateBinder::BindNames() {
  steps_.reserve(nodes_.size());
  for (const NodeView& node : nodes_) {
    steps_.push_back({.kind = StepKindOf(node), .path = {}, .value = {}});
    if (node.kind == NodeKind::kPath) steps_.back().path = TRY(binder_.BindPath(node));
  }
  return Ok();
}

Status UpdateBinder::BindValues() {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].kind == NodeKind::kValue) steps_[i].value = TRY(binder_.BindValue(nodes_[i]));
  }
  return Ok();
}

// ADD takes a number or a set, DELETE a set.
Status UpdateBinder::CheckConstants() const {
  for (const ActionView& action : update_.actions) {
    if (action.action != UpdateAction::kAdd && action.action != UpdateAction::kDelete) continue;
    const Type type = ValueView(steps_[action.target + std::size_t{1}].value).type();
    const bool is_add = action.action == UpdateAction::kAdd;
    if (IsSet(type) || (is_add && type == Type::kN)) continue;
    return binder_.Invalid(
        fmt::format("Incorrect operand type for operator or function; operator: {}, operand type: "
                    "{}, typeSet: ALLOWED_FOR_{}_OPERAND",
                    SectionName(action.action), LongTypeName(type), SectionName(action.action)));
  }
  return Ok();
}

Status UpdateBinder::CheckFunctions() const {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const NodeView& node = nodes_[i];
    if (node.kind == NodeKind::kPlus || node.kind == NodeKind::kMinus) {
      TRY(CheckOperandTypes(i, OperatorName(node.kind), Type::kN));
    } else if (node.kind == NodeKind::kFunction) {
      const Function function = FunctionOf(node.text);
      TRY(binder_.CheckOperandCount(function, node));
      if (function == Function::kListAppend) {
        TRY(CheckOperandTypes(i, node.text, Type::kL));
      } else if (nodes_[FirstOperand(i)].kind != NodeKind::kPath) {
        return binder_.RequiresPath(node.text);
      }
    }
  }
  return Ok();
}

Status UpdateBinder::CheckOperandTypes(std::size_t node, std::string_view name, Type type) const {
  for (const std::size_t operand : {FirstOperand(node), LastOperand(node)}) {
    if (nodes_[operand].kind != NodeKind::kValue) continue;
    const Type operand_type = ValueView(steps_[operand].value).type();
    if (operand_type != type) return binder_.IncorrectOperandType(name, TypeName(operand_type));
  }
  return Ok();
}

}  // namespace

Result<UpdateClauses> BindUpdate(std::string_view expression_name, const UpdateSyntaxView& update,
                                 Placeholders& placeholders) {
  return UpdateBinder(expression_name, update, placeholders).Bind();
}

}  // namespace trestle::expr
