#include "expr/condition.h"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <span>

#include "base/check.h"
#include "expr/ast.h"
#include "expr/bind.h"
#include "expr/compare.h"
#include "expr/fingerprint.h"
#include "expr/parser.h"
#include "value/document_path.h"

namespace trestle::expr {
namespace {

using value::ItemView;
using value::Type;
using value::ValueView;

// What an operand is for one item, or nothing.
class OperandValue {
 public:
  OperandValue(const Operand& operand, const std::optional<ItemView>& item) {
    if (operand.kind == Operand::Kind::kValue) {
      value_ = ValueView(operand.value);
      return;
    }
    if (!item) return;
    value_ = value::Resolve(*item, operand.path);
    if (operand.kind == Operand::Kind::kSize && value_) TakeSize(*value_);
  }
  OperandValue(const OperandValue&) = delete;
  OperandValue& operator=(const OperandValue&) = delete;

  [[nodiscard]] explicit operator bool() const { return value_.has_value(); }
  [[nodiscard]] ValueView operator*() const { return *value_; }

 private:
  void TakeSize(ValueView of) {
    const std::optional<value::Number> size = SizeOf(of);
    value_.reset();
    if (!size) return;
    const std::string_view number = size->encoded();
    bytes_[0] = 'N';
    bytes_[1] = static_cast<char>(number.size());
    std::ranges::copy(number, bytes_.begin() + 2);
    value_ = ValueView(std::string_view(bytes_.data(), number.size() + 2));
  }

  std::optional<ValueView> value_;
  std::array<char, 32> bytes_;  // of a size, which is nowhere in the item
};

// Values of different types, and of types without an order, are in no order.
std::partial_ordering Compare(ValueView left, ValueView right) {
  const Type type = left.type();
  if (type != right.type()) return std::partial_ordering::unordered;
  if (type != Type::kS && type != Type::kN && type != Type::kB) {
    return std::partial_ordering::unordered;
  }
  return CompareOrdered(left, right);
}

// An attribute that is not there differs from everything, and compares with nothing.
bool CompareOperands(TestKind kind, const OperandValue& left, const OperandValue& right) {
  if (!left || !right) return kind == TestKind::kNotEqual;
  switch (kind) {
    case TestKind::kEqual:
      return *left == *right;
    case TestKind::kNotEqual:
      return !(*left == *right);
    case TestKind::kLess:
      return std::is_lt(Compare(*left, *right));
    case TestKind::kLessOrEqual:
      return std::is_lteq(Compare(*left, *right));
    case TestKind::kGreater:
      return std::is_gt(Compare(*left, *right));
    case TestKind::kGreaterOrEqual:
      return std::is_gteq(Compare(*left, *right));
    default:
      UNREACHABLE("a test that compares no two operands");
  }
}

bool Passes(const Test& test, std::span<const Operand> operands,
            const std::optional<ItemView>& item) {
  const OperandValue first(operands[0], item);
  switch (test.kind) {
    case TestKind::kAttributeExists:
      return static_cast<bool>(first);
    case TestKind::kAttributeNotExists:
      return !first;
    case TestKind::kAttributeType:
      return first && (*first).type() == test.type;
    case TestKind::kBeginsWith:
    case TestKind::kContains: {
      const OperandValue second(operands[1], item);
      if (!first || !second) return false;
      return test.kind == TestKind::kContains ? Contains(*first, *second)
                                              : BeginsWith(*first, *second);
    }
    case TestKind::kBetween:
      return CompareOperands(TestKind::kGreaterOrEqual, first, OperandValue(operands[1], item)) &&
             CompareOperands(TestKind::kLessOrEqual, first, OperandValue(operands[2], item));
    case TestKind::kIn:
      return std::ranges::any_of(operands.subspan(1), [&](const Operand& operand) {
        return CompareOperands(TestKind::kEqual, first, OperandValue(operand, item));
      });
    default:
      return CompareOperands(test.kind, first, OperandValue(operands[1], item));
  }
}

std::string_view ExpressionName(ConditionKind kind) {
  return kind == ConditionKind::kCondition ? "ConditionExpression" : "FilterExpression";
}

}  // namespace

Result<Condition> Condition::Parse(ConditionKind kind, std::string_view text,
                                   Placeholders& placeholders) {
  const std::string_view name = ExpressionName(kind);
  const SyntaxView syntax = TRY(ParseCondition(name, text));
  return Condition(TRY(BindCondition(name, syntax, placeholders)));
}

Condition::Condition(ConditionProgram program)
    : program_(std::make_shared<const ConditionProgram>(std::move(program))) {}

bool Condition::Matches(const std::optional<ItemView>& item) const {
  if (empty()) return true;
  const std::span<const Operand> operands(program_->operands);
  std::uint32_t at = 0;
  while (at < program_->tests.size()) {
    const Test& test = program_->tests[at];
    const bool passes =
        Passes(test, operands.subspan(test.first_operand, test.operand_count), item);
    at = passes ? test.if_true : test.if_false;
  }
  return at == kMatches;
}

std::set<std::string> Condition::Attributes() const {
  return empty() ? std::set<std::string>() : AttributesOf(*program_);
}

std::set<std::string> AttributesOf(const ConditionProgram& program) {
  std::set<std::string> attributes;
  for (const Operand& operand : program.operands) {
    if (operand.kind != Operand::Kind::kValue) attributes.insert(operand.path.attribute());
  }
  return attributes;
}

std::string Condition::Fingerprint() const {
  FingerprintWriter writer;
  if (empty()) return writer.Finish();
  for (const Test& test : program_->tests) {
    writer.AddNumber(static_cast<std::uint64_t>(test.kind));
    writer.AddNumber(static_cast<std::uint64_t>(test.type));
    writer.AddNumber(test.operand_count);
    writer.AddNumber(test.if_true);
    writer.AddNumber(test.if_false);
  }
  for (const Operand& operand : program_->operands) {
    writer.AddNumber(static_cast<std::uint64_t>(operand.kind));
    writer.AddPath(operand.path);
    writer.AddBytes(operand.value);
  }
  return writer.Finish();
}

}  // namespace trestle::expr
