#include <compare>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

#include "base/check.h"
#include "base/crypto.h"
#include "base/limits.h"
#include "expr/bind.h"
#include "expr/bind_internal.h"
#include "expr/compare.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::expr {
namespace {

using value::Type;
using value::ValueView;

bool HasOrder(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

// What is known of an operand's type before an item is.
bool IsPath(const Operand& operand) { return operand.kind == Operand::Kind::kPath; }
Type StaticType(const Operand& operand) {
  return operand.kind == Operand::Kind::kSize ? Type::kN : ValueView(operand.value).type();
}

// "AttributeValue: {N:2}". Of values that have an order.
std::string ValueText(ValueView value) {
  std::string text;
  if (value.type() == Type::kN) {
    value::AppendNumberText(value.number(), text);
  } else if (value.type() == Type::kB) {
    AppendBase64(value.text(), text);
  } else {
    text = value.text();
  }
  return fmt::format("AttributeValue: {{{}:{}}}", TypeName(value.type()), text);
}

std::optional<Type> TypeNamed(std::string_view name) {
  for (const Type type : {Type::kS, Type::kN, Type::kB, Type::kBool, Type::kNull, Type::kM,
                          Type::kL, Type::kSs, Type::kNs, Type::kBs}) {
    if (value::TypeName(type) == name) return type;
  }
  return std::nullopt;
}

TestKind TestKindOf(NodeKind kind) {
  switch (kind) {
    case NodeKind::kEqual:
      return TestKind::kEqual;
    case NodeKind::kNotEqual:
      return TestKind::kNotEqual;
    case NodeKind::kLess:
      return TestKind::kLess;
    case NodeKind::kLessOrEqual:
      return TestKind::kLessOrEqual;
    case NodeKind::kGreater:
      return TestKind::kGreater;
    case NodeKind::kGreaterOrEqual:
      return TestKind::kGreaterOrEqual;
    case NodeKind::kBetween:
      return TestKind::kBetween;
    case NodeKind::kIn:
      return TestKind::kIn;
    default:
      UNREACHABLE("a node that compares nothing");
  }
}

bool IsLogical(NodeKind kind) {
  return kind == NodeKind::kAnd || kind == NodeKind::kOr || kind == NodeKind::kNot;
}

bool IsSize(const NodeView& node) {
  return node.kind == NodeKind::kFunction && FunctionOf(node.text) == Function::kSize;
}

class ConditionBinder {
 public:
  ConditionBinder(std::string_view expression_name, const SyntaxView& syntax,
                  Placeholders& placeholders)
      : binder_(expression_name, syntax, placeholders), syntax_(syntax) {}

  Result<ConditionProgram> Bind();

 private:
  using Operands = std::span<const Operand>;

  Status CheckFunctionNames() const;
  Status CheckFunctionUse() const;

  Status BindNode(const NodeView& node);
  Status BindFunction(const NodeView& node);
  Status BindSize(const NodeView& node);
  void AddTest(TestKind kind, std::size_t operand_count, Type type = Type::kNull);
  [[nodiscard]] Operands LastOperands(std::size_t count) const {
    return Operands(program_.operands).last(count);
  }

  Status CheckComparison(const NodeView& node, Operands operands) const;
  Status CheckBounds(Operands operands) const;
  Result<Type> CheckAttributeType(Operands operands) const;
  Status CheckBeginsWith(Operands operands) const;
  Status CheckContains(Operands operands) const;
  Status CheckDistinct(std::string_view operator_name, Operands operands) const;

  void LinkTests();

  Binder binder_;
  const SyntaxView& syntax_;
  ConditionProgram program_;
};

Result<ConditionProgram> ConditionBinder::Bind() {
  TRY(binder_.CheckOperatorCount());
  if (syntax_.has_redundant_parentheses) {
    return binder_.Invalid("The expression has redundant parentheses;");
  }
  TRY(CheckFunctionNames());
  TRY(CheckFunctionUse());
  TRY(binder_.CheckReservedWords());
  program_.operands.reserve(syntax_.nodes.size());
  for (const NodeView& node : syntax_.nodes)
    TRY(BindNode(node));
  LinkTests();
  return std::move(program_);
}

Status ConditionBinder::CheckFunctionNames() const {
  for (const NodeView& node : syntax_.nodes) {
    if (node.kind != NodeKind::kFunction) continue;
    const Function function = FunctionOf(node.text);
    if (function == Function::kNone || function == Function::kIfNotExists ||
        function == Function::kListAppend) {
      return binder_.InvalidFunction(node.text);
    }
  }
  return Ok();
}

// size() is an operand, all other functions are conditions.
Status ConditionBinder::CheckFunctionUse() const {
  const auto misused = [this](const NodeView& node) {
    return binder_.Invalid(fmt::format(
        "The function is not allowed to be used this way in an expression; function: {}",
        node.text));
  };
  const NodeView* bare_size = IsSize(syntax_.nodes.back()) ? &syntax_.nodes.back() : nullptr;
  for (std::size_t i = 0; i < syntax_.nodes.size(); ++i) {
    const NodeView& node = syntax_.nodes[i];
    if (node.kind == NodeKind::kPath || node.kind == NodeKind::kValue) continue;
    std::size_t operand = i;
    for (std::size_t left = node.count; left > 0; --left) {
      operand -= operand == i ? 1 : syntax_.nodes[operand].size;
      const NodeView& used = syntax_.nodes[operand];
      if (used.kind != NodeKind::kFunction) continue;
      if (!IsLogical(node.kind) && !IsSize(used)) return misused(used);
      if (IsLogical(node.kind) && IsSize(used)) bare_size = &used;
    }
  }
  if (bare_size != nullptr) return misused(*bare_size);
  return Ok();
}

Status ConditionBinder::BindNode(const NodeView& node) {
  switch (node.kind) {
    case NodeKind::kPath:
      program_.operands.push_back(
          {.kind = Operand::Kind::kPath, .path = TRY(binder_.BindPath(node)), .value = {}});
      return Ok();
    case NodeKind::kValue:
      program_.operands.push_back(
          {.kind = Operand::Kind::kValue, .path = {}, .value = TRY(binder_.BindValue(node))});
      return Ok();
    case NodeKind::kFunction:
      return BindFunction(node);
    case NodeKind::kAnd:
    case NodeKind::kOr:
    case NodeKind::kNot:
      return Ok();
    default:
      TRY(CheckComparison(node, LastOperands(node.count)));
      AddTest(TestKindOf(node.kind), node.count);
      return Ok();
  }
}

Status ConditionBinder::BindFunction(const NodeView& node) {
  const Function function = FunctionOf(node.text);
  TRY(binder_.CheckOperandCount(function, node));
  const Operands operands = LastOperands(node.count);
  switch (function) {
    case Function::kSize:
      return BindSize(node);
    case Function::kAttributeExists:
    case Function::kAttributeNotExists:
      if (!IsPath(operands[0])) return binder_.RequiresPath(node.text);
      AddTest(function == Function::kAttributeExists ? TestKind::kAttributeExists
                                                     : TestKind::kAttributeNotExists,
              1);
      return Ok();
    case Function::kAttributeType:
      AddTest(TestKind::kAttributeType, 2, TRY(CheckAttributeType(operands)));
      return Ok();
    case Function::kBeginsWith:
      TRY(CheckBeginsWith(operands));
      AddTest(TestKind::kBeginsWith, 2);
      return Ok();
    case Function::kContains:
      TRY(CheckContains(operands));
      AddTest(TestKind::kContains, 2);
      return Ok();
    case Function::kNone:
    case Function::kIfNotExists:
    case Function::kListAppend:
      break;
  }
  UNREACHABLE("functions of other expressions are refused before");
}

// The size of a constant is a constant.
Status ConditionBinder::BindSize(const NodeView& node) {
  Operand& operand = program_.operands.back();
  if (operand.kind == Operand::Kind::kPath) {
    operand.kind = Operand::Kind::kSize;
    return Ok();
  }
  const std::optional<value::Number> size =
      operand.kind == Operand::Kind::kSize ? std::nullopt : SizeOf(ValueView(operand.value));
  if (!size) return binder_.IncorrectOperandType(node.text, TypeName(StaticType(operand)));
  operand.value.clear();
  value::AppendNumber(operand.value, *size);
  return Ok();
}

void ConditionBinder::AddTest(TestKind kind, std::size_t operand_count, Type type) {
  program_.tests.push_back(
      {.kind = kind,
       .type = type,
       .first_operand = static_cast<std::uint32_t>(program_.operands.size() - operand_count),
       .operand_count = static_cast<std::uint32_t>(operand_count),
       .if_true = kMatches,
       .if_false = kDoesNotMatch});
}

Status ConditionBinder::CheckComparison(const NodeView& node, Operands operands) const {
  const std::string_view name = OperatorName(node.kind);
  if (node.kind == NodeKind::kIn) {
    if (operands.size() - 1 <= kInOperandsMax) return Ok();
    return binder_.Invalid(
        fmt::format("The IN operator is provided with too many operands; number of operands: {}",
                    operands.size() - 1));
  }
  if (node.kind != NodeKind::kEqual && node.kind != NodeKind::kNotEqual) {
    for (const Operand& operand : operands) {
      if (IsPath(operand) || HasOrder(StaticType(operand))) continue;
      return binder_.IncorrectOperandType(name, TypeName(StaticType(operand)));
    }
  }
  return node.kind == NodeKind::kBetween ? CheckBounds(operands) : CheckDistinct(name, operands);
}

Status ConditionBinder::CheckBounds(Operands operands) const {
  if (operands[1].kind != Operand::Kind::kValue || operands[2].kind != Operand::Kind::kValue) {
    return Ok();
  }
  const ValueView lower(operands[1].value);
  const ValueView upper(operands[2].value);
  std::string_view problem;
  if (lower.type() != upper.type()) {
    problem = "same data type for lower and upper bounds";
  } else if (std::is_gt(CompareOrdered(lower, upper))) {
    problem = "upper bound to be greater than or equal to lower bound";
  } else {
    return Ok();
  }
  return binder_.Invalid(fmt::format(
      "The BETWEEN operator requires {}; lower bound operand: {}, upper bound operand: {}", problem,
      ValueText(lower), ValueText(upper)));
}

Result<Type> ConditionBinder::CheckAttributeType(Operands operands) const {
  constexpr std::string_view kName = "attribute_type";
  if (!IsPath(operands[0])) return binder_.RequiresPath(kName);
  if (IsPath(operands[1])) {
    return binder_.IncorrectOperandType(kName, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  }
  const Type operand_type = StaticType(operands[1]);
  if (operand_type != Type::kS) return binder_.IncorrectOperandType(kName, TypeName(operand_type));
  const std::string_view type_name = ValueView(operands[1].value).text();
  if (const std::optional<Type> type = TypeNamed(type_name)) return *type;
  return binder_.Invalid(
      fmt::format("Invalid attribute type name found; type: {}, valid types: "
                  "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                  type_name));
}

Status ConditionBinder::CheckBeginsWith(Operands operands) const {
  for (const Operand& operand : operands) {
    if (IsPath(operand)) continue;
    const Type type = StaticType(operand);
    if (type == Type::kS || type == Type::kB) continue;
    return binder_.IncorrectOperandType("begins_with", TypeName(type));
  }
  return CheckDistinct("begins_with", operands);
}

Status ConditionBinder::CheckContains(Operands operands) const {
  if (!IsPath(operands[0])) {
    const Type type = StaticType(operands[0]);
    if (type == Type::kN || type == Type::kBool || type == Type::kNull || type == Type::kM) {
      return binder_.IncorrectOperandType("contains", TypeName(type));
    }
  }
  return CheckDistinct("contains", operands);
}

Status ConditionBinder::CheckDistinct(std::string_view operator_name, Operands operands) const {
  if (!IsPath(operands[0]) || !IsPath(operands[1]) || operands[0].path != operands[1].path) {
    return Ok();
  }
  return binder_.Invalid(
      fmt::format("The first operand must be distinct from the remaining operands for this "
                  "operator or function; operator: {}, first operand: {}",
                  operator_name, PathText(operands[0].path)));
}

// Says where each test leads. From the whole to its parts, each part is told where to go when it
// is true and when it is false; a part that is not the last one of an AND or OR may go on to the
// next part's first test.
void ConditionBinder::LinkTests() {
  if (program_.tests.size() == 1 && syntax_.nodes.back().kind != NodeKind::kNot) return;
  struct Targets {
    std::uint32_t tests_before;  // how many tests the nodes before this one have made
    std::uint32_t if_true;
    std::uint32_t if_false;
  };
  std::vector<Targets> targets(syntax_.nodes.size() + 1);
  const auto is_test = [](const NodeView& node) {
    return node.kind != NodeKind::kPath && node.kind != NodeKind::kValue && !IsLogical(node.kind) &&
           !IsSize(node);
  };
  for (std::size_t i = 0; i < syntax_.nodes.size(); ++i) {
    targets[i + 1].tests_before = targets[i].tests_before + (is_test(syntax_.nodes[i]) ? 1U : 0U);
  }

  targets[syntax_.nodes.size() - 1].if_true = kMatches;
  targets[syntax_.nodes.size() - 1].if_false = kDoesNotMatch;
  for (std::size_t i = syntax_.nodes.size(); i-- > 0;) {
    const NodeView& node = syntax_.nodes[i];
    const auto [before, if_true, if_false] = targets[i];
    if (is_test(node)) {
      program_.tests[before].if_true = if_true;
      program_.tests[before].if_false = if_false;
    } else if (node.kind == NodeKind::kNot) {
      targets[i - 1].if_true = if_false;
      targets[i - 1].if_false = if_true;
    } else if (IsLogical(node.kind)) {
      const std::size_t left = i - 1 - syntax_.nodes[i - 1].size;
      const std::uint32_t first_of_right = targets[left + 1].tests_before;
      const bool is_and = node.kind == NodeKind::kAnd;
      targets[i - 1].if_true = if_true;
      targets[i - 1].if_false = if_false;
      targets[left].if_true = is_and ? first_of_right : if_true;
      targets[left].if_false = is_and ? if_false : first_of_right;
    }
  }
}

}  // namespace

Result<ConditionProgram> BindCondition(std::string_view expression_name, const SyntaxView& syntax,
                                       Placeholders& placeholders) {
  return ConditionBinder(expression_name, syntax, placeholders).Bind();
}

}  // namespace trestle::expr
