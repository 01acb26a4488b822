#include "expr/key_condition.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "expr/ast.h"
#include "expr/bind.h"
#include "expr/parser.h"

namespace trestle::expr {
namespace {

constexpr std::string_view kExpressionName = "KeyConditionExpression";

Error InvalidOperator(std::string_view name) {
  return ValidationError(fmt::format("Invalid operator used in KeyConditionExpression: {}", name));
}

Error InvalidCondition(std::string_view text) {
  return ValidationError(fmt::format("Invalid condition in KeyConditionExpression: {}", text));
}

std::optional<KeyOperator> KeyOperatorOf(TestKind kind) {
  switch (kind) {
    case TestKind::kEqual:
      return KeyOperator::kEqual;
    case TestKind::kLess:
      return KeyOperator::kLess;
    case TestKind::kLessOrEqual:
      return KeyOperator::kLessOrEqual;
    case TestKind::kGreater:
      return KeyOperator::kGreater;
    case TestKind::kGreaterOrEqual:
      return KeyOperator::kGreaterOrEqual;
    case TestKind::kBetween:
      return KeyOperator::kBetween;
    case TestKind::kBeginsWith:
      return KeyOperator::kBeginsWith;
    case TestKind::kNotEqual:
    case TestKind::kIn:
    case TestKind::kAttributeExists:
    case TestKind::kAttributeNotExists:
    case TestKind::kAttributeType:
    case TestKind::kContains:
      return std::nullopt;
  }
  UNREACHABLE("a test that is not in the enum");
}

// ":v < a" says "a > :v".
KeyOperator Mirrored(KeyOperator op) {
  switch (op) {
    case KeyOperator::kLess:
      return KeyOperator::kGreater;
    case KeyOperator::kLessOrEqual:
      return KeyOperator::kGreaterOrEqual;
    case KeyOperator::kGreater:
      return KeyOperator::kLess;
    case KeyOperator::kGreaterOrEqual:
      return KeyOperator::kLessOrEqual;
    case KeyOperator::kEqual:
    case KeyOperator::kBetween:
    case KeyOperator::kBeginsWith:
    case KeyOperator::kNotIndexable:
      return op;
  }
  UNREACHABLE("an operator that is not in the enum");
}

// Whether an operand of the node at `index` is computed, size(:v) included.
bool HasNestedFunction(const SyntaxView& syntax, std::size_t index) {
  const std::size_t first = index + 1 - syntax.nodes[index].size;
  return std::any_of(syntax.nodes.begin() + static_cast<std::ptrdiff_t>(first),
                     syntax.nodes.begin() + static_cast<std::ptrdiff_t>(index),
                     [](const NodeView& node) { return node.kind == NodeKind::kFunction; });
}

// The one operand that is an attribute, by its position.
Result<std::size_t> FindAttribute(std::span<const Operand> operands) {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].kind != Operand::Kind::kPath) continue;
    if (found) return InvalidCondition("Multiple attribute names used in one condition");
    if (!operands[i].path.IsTopLevel()) {
      return ValidationError("KeyConditionExpressions cannot have conditions on nested attributes");
    }
    found = i;
  }
  if (!found) return InvalidCondition("No key attribute specified");
  return *found;
}

Result<KeyTerm> TermOf(const NodeView& node, bool has_nested_function, const Test& test,
                       std::span<const Operand> operands) {
  const std::string_view name =
      node.kind == NodeKind::kFunction ? node.text : OperatorName(node.kind);
  const std::optional<KeyOperator> op = KeyOperatorOf(test.kind);
  if (!op) return InvalidOperator(name);
  if (has_nested_function) {
    return ValidationError("KeyConditionExpressions cannot contain nested operations");
  }
  const bool key_comes_first = *op == KeyOperator::kBetween || *op == KeyOperator::kBeginsWith;
  if (key_comes_first && operands[0].kind != Operand::Kind::kPath) {
    return InvalidCondition(
        fmt::format("{} operator must have the key attribute as its first operand", name));
  }
  const std::size_t attribute = TRY(FindAttribute(operands));
  return KeyTerm{.attribute = operands[attribute].path.attribute(),
                 .op = attribute == 0 ? *op : Mirrored(*op),
                 .value = operands[attribute == 0 ? 1 : 0].value,
                 .second = operands.size() > 2 ? operands[2].value : std::string()};
}

}  // namespace

Result<KeyCondition> KeyCondition::Parse(std::string_view text, Placeholders& placeholders) {
  const SyntaxView syntax = TRY(ParseCondition(kExpressionName, text));
  const ConditionProgram program = TRY(BindCondition(kExpressionName, syntax, placeholders));
  const std::span<const Operand> operands(program.operands);

  // From the whole to its parts, left before right: tests come in the order of the program.
  KeyCondition condition;
  std::vector<std::size_t> pending = {syntax.nodes.size() - 1};
  for (std::size_t next_test = 0; !pending.empty();) {
    const std::size_t index = pending.back();
    pending.pop_back();
    const NodeView& node = syntax.nodes[index];
    if (node.kind == NodeKind::kOr || node.kind == NodeKind::kNot) {
      return InvalidOperator(OperatorName(node.kind));
    }
    if (node.kind == NodeKind::kAnd) {
      pending.push_back(index - 1);
      pending.push_back(index - 1 - syntax.nodes[index - 1].size);
      continue;
    }
    const Test& test = program.tests[next_test++];
    KeyTerm term = TRY(TermOf(node, HasNestedFunction(syntax, index), test,
                              operands.subspan(test.first_operand, test.operand_count)));
    if (std::ranges::find(condition.terms, term.attribute, &KeyTerm::attribute) !=
        condition.terms.end()) {
      return ValidationError("KeyConditionExpressions must only contain one condition per key");
    }
    condition.terms.push_back(std::move(term));
  }
  return condition;
}

}  // namespace trestle::expr
