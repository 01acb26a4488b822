#include "design/condition.h"

#include <algorithm>
#include <compare>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "expr/compare.h"

namespace trestle::design {
namespace {

using syntax::Comparator;
using syntax::Comparison;
using syntax::Connective;
using syntax::Junction;
using syntax::Negation;
using syntax::Presence;
using value::Type;
using value::ValueView;

// What the right side of a comparison is read as.
const ValueType& ComparedType(const Comparison& it, const ConditionScope& scope) {
  static const ValueType kSizeType{.kind = TypeKind::kInt};
  if (it.of_size) return kSizeType;
  const ValueType& type = TypeAt(scope.attributes, it.path);
  const bool is_element = it.comparator == Comparator::kContains && !type.element.empty();
  return is_element ? type.element.front() : type;
}

// The attribute of the same item that a value names; null when it is another value.
const Path* ItemPath(const syntax::Value& value, const ConditionScope& scope) {
  const auto* name = std::get_if<syntax::NameValue>(&value.is);
  if (name == nullptr || FindParameter(scope.sources.parameters, name->path) != nullptr) {
    return nullptr;
  }
  return &name->path;
}

std::partial_ordering Compare(ValueView left, ValueView right) {
  const Type type = left.type();
  const bool has_order = type == Type::kS || type == Type::kN || type == Type::kB;
  if (type != right.type() || !has_order) return std::partial_ordering::unordered;
  return expr::CompareOrdered(left, right);
}

bool Compares(Comparator comparator, ValueView left, ValueView right) {
  switch (comparator) {
    case Comparator::kEqual:
      return left == right;
    case Comparator::kNotEqual:
      return !(left == right);
    case Comparator::kLess:
      return std::is_lt(Compare(left, right));
    case Comparator::kLessOrEqual:
      return std::is_lteq(Compare(left, right));
    case Comparator::kGreater:
      return std::is_gt(Compare(left, right));
    case Comparator::kGreaterOrEqual:
      return std::is_gteq(Compare(left, right));
    case Comparator::kContains:
      return expr::Contains(left, right);
  }
  return false;
}

struct Evaluator {
  const Record& record;
  const ConditionScope& scope;

  bool operator()(const Presence& it) const {
    return record.Find(it.path).has_value() != it.absent;
  }

  bool operator()(const Comparison& it) const {
    std::string size;
    auto left = record.Find(it.path);
    if (it.of_size && left) {
      const auto number = expr::SizeOf(*left);
      size = number ? EncodeNumber(*number) : std::string();
      left = number ? std::optional<ValueView>(size) : std::nullopt;
    }
    ValueSources sources = scope.sources;
    sources.item = &record;
    const auto right = design::Evaluate(it.value, ComparedType(it, scope), sources);
    if (!left || !right.ok() || !*right) return it.comparator == Comparator::kNotEqual;
    return Compares(it.comparator, *left, ValueView(**right));
  }

  bool operator()(const Junction& it) const {
    const auto holds = [&](const Condition& operand) { return Evaluate(operand, record, scope); };
    return it.connective == Connective::kAnd ? std::ranges::all_of(it.operands, holds)
                                             : std::ranges::any_of(it.operands, holds);
  }

  bool operator()(const Negation& it) const { return !Evaluate(*it.operand, record, scope); }
};

// A comparison with what is absent holds always or never.
std::string WithAbsent(const Comparison& it, ExpressionNames& expressions) {
  return fmt::format("(attribute_exists({0}) {1} attribute_not_exists({0}))",
                     PathAlias(expressions, it.path),
                     it.comparator == Comparator::kNotEqual ? "OR" : "AND");
}

struct Compiler {
  const ConditionScope& scope;
  ExpressionNames& expressions;

  Result<std::string> operator()(const Presence& it) const {
    return PresenceText(expressions, it.path, it.absent);
  }

  Result<std::string> operator()(const Comparison& it) const {
    std::string right;
    if (const Path* path = ItemPath(it.value, scope)) {
      right = PathAlias(expressions, *path);
    } else {
      auto value = TRY(design::Evaluate(it.value, ComparedType(it, scope), scope.sources));
      if (!value) return WithAbsent(it, expressions);
      right = ValueAlias(expressions, *std::move(value));
    }
    const std::string path = PathAlias(expressions, it.path);
    if (it.comparator == Comparator::kContains) return fmt::format("contains({}, {})", path, right);
    return fmt::format("{} {} {}", it.of_size ? "size(" + path + ")" : path, WordOf(it.comparator),
                       right);
  }

  Result<std::string> operator()(const Junction& it) const {
    std::string text;
    for (const Condition& operand : it.operands) {
      if (!text.empty()) text += it.connective == Connective::kAnd ? " AND " : " OR ";
      text += TRY(CompileCondition(operand, scope, expressions));
    }
    return "(" + text + ")";
  }

  Result<std::string> operator()(const Negation& it) const {
    return fmt::format("(NOT {})", TRY(CompileCondition(*it.operand, scope, expressions)));
  }
};

std::string_view WordOf(expr::KeyOperator op) {
  switch (op) {
    case expr::KeyOperator::kEqual:
      return "=";
    case expr::KeyOperator::kLess:
      return "<";
    case expr::KeyOperator::kLessOrEqual:
      return "<=";
    case expr::KeyOperator::kGreater:
      return ">";
    case expr::KeyOperator::kGreaterOrEqual:
      return ">=";
    default:
      UNREACHABLE("an operator that is no word between a name and a value");
  }
}

std::string Alias(std::map<std::string, std::string, std::less<>>& aliases, char prefix, char kind,
                  std::string of) {
  for (const auto& [alias, meaning] : aliases)
    if (meaning == of) return alias;
  std::string alias = std::string{prefix, kind} + std::to_string(aliases.size());
  aliases.emplace(alias, std::move(of));
  return alias;
}

struct AttributeCollector {
  std::vector<std::string>& names;

  void operator()(const Presence& it) const { names.push_back(it.path.parts.front()); }
  void operator()(const Comparison& it) const {
    names.push_back(it.path.parts.front());
    const auto* name = std::get_if<syntax::NameValue>(&it.value.is);
    if (name != nullptr) names.push_back(name->path.parts.front());
  }
  void operator()(const Junction& it) const {
    for (const Condition& operand : it.operands)
      AppendAttributes(operand, names);
  }
  void operator()(const Negation& it) const { AppendAttributes(*it.operand, names); }
};

}  // namespace

bool Evaluate(const Condition& condition, const Record& record, const ConditionScope& scope) {
  return std::visit(Evaluator{record, scope}, condition.is);
}

bool Holds(const std::optional<Condition>& condition, const Record& record,
           std::span<const Attribute> attributes) {
  return !condition || Evaluate(*condition, record, ConditionScope{.attributes = attributes});
}

Result<std::string> CompileCondition(const Condition& condition, const ConditionScope& scope,
                                     ExpressionNames& expressions) {
  return std::visit(Compiler{scope, expressions}, condition.is);
}

std::string NameAlias(ExpressionNames& expressions, std::string_view name) {
  return Alias(expressions.names, '#', 'n', std::string(name));
}

std::string PathAlias(ExpressionNames& expressions, const Path& path) {
  std::string text;
  for (const std::string& part : path.parts) {
    if (!text.empty()) text += '.';
    text += NameAlias(expressions, part);
  }
  return text;
}

std::string ValueAlias(ExpressionNames& expressions, std::string value) {
  return Alias(expressions.values, ':', 'v', std::move(value));
}

std::string KeyConditionText(ExpressionNames& expressions, const expr::KeyCondition& condition) {
  std::string text;
  for (const expr::KeyTerm& term : condition.terms) {
    if (!text.empty()) text += " AND ";
    const std::string name = NameAlias(expressions, term.attribute);
    const std::string value = ValueAlias(expressions, term.value);
    if (term.op == expr::KeyOperator::kBeginsWith) {
      text += fmt::format("begins_with({}, {})", name, value);
    } else if (term.op == expr::KeyOperator::kBetween) {
      text +=
          fmt::format("{} BETWEEN {} AND {}", name, value, ValueAlias(expressions, term.second));
    } else {
      text += fmt::format("{} {} {}", name, WordOf(term.op), value);
    }
  }
  return text;
}

std::string PresenceText(ExpressionNames& expressions, const Path& path, bool is_absent) {
  const std::string alias = PathAlias(expressions, path);
  const std::string null = ValueAlias(expressions, EncodeText("NULL"));
  return is_absent
             ? fmt::format("(attribute_not_exists({0}) OR attribute_type({0}, {1}))", alias, null)
             : fmt::format("(attribute_exists({0}) AND NOT attribute_type({0}, {1}))", alias, null);
}

void AppendAttributes(const Condition& condition, std::vector<std::string>& names) {
  std::visit(AttributeCollector{names}, condition.is);
}

}  // namespace trestle::design
