#include <fmt/format.h>

#include "design/syntax/printer_internal.h"
#include "design/syntax/template_text.h"
#include "design/syntax/text_literal.h"

namespace trestle::design::syntax {
namespace {

struct ValuePrinter {
  std::string operator()(const Text& it) const { return Print(it); }
  std::string operator()(const Number& it) const { return it.digits; }
  std::string operator()(const BoolValue& it) const { return it.value ? "true" : "false"; }
  std::string operator()(const NameValue& it) const { return Print(it.path); }
  std::string operator()(const CallValue& it) const {
    std::string text = fmt::format("{}()", WordOf(it.function));
    if (it.plus) text += fmt::format(" + {} {}", it.plus->count, WordOf(it.plus->unit));
    return text;
  }
  std::string operator()(const ListValue& it) const {
    return "[" + PrintList(it.elements, [](const Value& value) { return Print(value); }) + "]";
  }
};

struct ConditionPrinter {
  std::string operator()(const Presence& it) const {
    return Print(it.path) + (it.absent ? " absent" : "");
  }
  std::string operator()(const Comparison& it) const {
    const std::string path = Print(it.path);
    return fmt::format("{} {} {}", it.of_size ? "size(" + path + ")" : path, WordOf(it.comparator),
                       Print(it.value));
  }
  // "and" binds tighter than "or"; every other junction inside another one has its parentheses.
  std::string operator()(const Junction& it) const {
    std::string text;
    for (const Condition& operand : it.operands) {
      if (!text.empty()) text += fmt::format(" {} ", WordOf(it.connective));
      const auto* inner = std::get_if<Junction>(&operand.is);
      const bool needs_parentheses = inner != nullptr && !(it.connective == Connective::kOr &&
                                                           inner->connective == Connective::kAnd);
      text += needs_parentheses ? "(" + Print(operand) + ")" : Print(operand);
    }
    return text;
  }
  std::string operator()(const Negation& it) const {
    const bool is_junction = std::holds_alternative<Junction>(it.operand->is);
    return is_junction ? "not (" + Print(*it.operand) + ")" : "not " + Print(*it.operand);
  }
};

}  // namespace

std::string Print(const Path& path) { return PathText(path); }

std::string Print(const Text& it) {
  std::string text = "\"";
  AppendTextSource(text, it.text);
  return text + '"';
}

std::string Print(const Template& key_template) {
  std::string text = "\"";
  AppendTextSource(text, TemplateText(key_template));
  return text + '"';
}

std::string Print(const Value& value) { return std::visit(ValuePrinter{}, value.is); }

std::string Print(const Condition& condition) {
  return std::visit(ConditionPrinter{}, condition.is);
}

std::string PrintNames(std::span<const Name> names) {
  return PrintList(names, [](const Name& name) { return name.text; });
}

std::string PrintOptional(std::string_view word, const std::optional<Condition>& condition) {
  return condition ? fmt::format(" {} {}", word, Print(*condition)) : std::string();
}

}  // namespace trestle::design::syntax
