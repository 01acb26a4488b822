#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/result.h"
#include "expr/ast.h"
#include "expr/placeholders.h"
#include "value/document_path.h"
#include "value/item.h"

namespace trestle::expr {

enum class Function : std::uint8_t {
  kNone,
  kAttributeExists,
  kAttributeNotExists,
  kAttributeType,
  kBeginsWith,
  kContains,
  kSize,
  kIfNotExists,
  kListAppend,
};

// Function names are case-sensitive.
[[nodiscard]] Function FunctionOf(std::string_view name);
[[nodiscard]] std::size_t OperandCountOf(Function function);

// Looks up the names and values of one expression, and words its errors.
class Binder {
 public:
  // All three must outlive it.
  Binder(std::string_view expression_name, const SyntaxView& syntax, Placeholders& placeholders)
      : expression_name_(expression_name), syntax_(syntax), placeholders_(placeholders) {}

  [[nodiscard]] Status CheckOperatorCount() const;
  [[nodiscard]] Status CheckReservedWords() const;

  [[nodiscard]] Result<value::DocumentPath> BindPath(const NodeView& node);
  [[nodiscard]] Result<std::string> BindValue(const NodeView& node);

  // No path may lead to or through another one, or treat as a list what another treats as a map.
  [[nodiscard]] Status CheckOverlap(const std::vector<value::DocumentPath>& paths) const;

  [[nodiscard]] Status CheckOperandCount(Function function, const NodeView& node) const;

  // "Invalid <expression>: <text>", or the text alone when the expression has no name.
  [[nodiscard]] Error Invalid(std::string_view text) const;
  [[nodiscard]] Error InvalidFunction(std::string_view function) const;
  [[nodiscard]] Error IncorrectOperandType(std::string_view operator_name,
                                           std::string_view type_name) const;
  [[nodiscard]] Error RequiresPath(std::string_view function) const;

 private:
  const std::string_view expression_name_;
  const SyntaxView& syntax_;
  Placeholders& placeholders_;
};

}  // namespace trestle::expr
