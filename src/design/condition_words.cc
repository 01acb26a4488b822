#include "design/condition_words.h"

#include <variant>

#include <fmt/format.h>

#include "design/syntax/template_text.h"

namespace trestle::design {
namespace {

std::string ValueWords(const syntax::Value& value) {
  struct Words {
    std::string operator()(const syntax::Text& it) const { return it.text; }
    std::string operator()(const syntax::Number& it) const { return it.digits; }
    std::string operator()(const syntax::BoolValue& it) const {
      return it.value ? "true" : "false";
    }
    std::string operator()(const syntax::NameValue& it) const { return PathText(it.path); }
    std::string operator()(const syntax::CallValue& it) const {
      return it.function == syntax::Function::kToday ? "today" : "now";
    }
    std::string operator()(const syntax::ListValue&) const { return "a list"; }
  };
  return std::visit(Words{}, value.is);
}

std::string_view ComparatorWords(syntax::Comparator comparator) {
  switch (comparator) {
    case syntax::Comparator::kEqual:
      return "is";
    case syntax::Comparator::kNotEqual:
      return "is not";
    case syntax::Comparator::kLess:
      return "is less than";
    case syntax::Comparator::kLessOrEqual:
      return "is at most";
    case syntax::Comparator::kGreater:
      return "is more than";
    case syntax::Comparator::kGreaterOrEqual:
      return "is at least";
    case syntax::Comparator::kContains:
      return "contains";
  }
  return "is";
}

struct Words {
  std::string operator()(const syntax::Presence& it) const {
    return fmt::format("{} is {}given", PathText(it.path), it.absent ? "not " : "");
  }
  std::string operator()(const syntax::Comparison& it) const {
    const std::string path = PathText(it.path);
    return fmt::format("{} {} {}", it.of_size ? "the size of " + path : path,
                       ComparatorWords(it.comparator), ValueWords(it.value));
  }
  std::string operator()(const syntax::Junction& it) const {
    std::string text;
    for (const Condition& operand : it.operands) {
      if (!text.empty()) text += fmt::format(" {} ", WordOf(it.connective));
      const bool is_junction = std::holds_alternative<syntax::Junction>(operand.is);
      text += is_junction ? "(" + ConditionWords(operand) + ")" : ConditionWords(operand);
    }
    return text;
  }
  std::string operator()(const syntax::Negation& it) const {
    return fmt::format("not ({})", ConditionWords(*it.operand));
  }
};

}  // namespace

std::string ConditionWords(const Condition& condition) { return std::visit(Words{}, condition.is); }

}  // namespace trestle::design
