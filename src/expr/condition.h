#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "expr/placeholders.h"
#include "value/item.h"

namespace trestle::expr {

// Which parameter the text came from; its name opens every error text.
enum class ConditionKind { kCondition, kFilter };

struct ConditionProgram;  // ast.h

// A ConditionExpression or FilterExpression whose names and values are resolved and whose operand
// counts and constant types are checked. Immutable and cheap to copy; safe from many threads.
class Condition {
 public:
  Condition() = default;  // no condition: matches everything

  // Everything that can be wrong without an item is found here, with the service's text.
  [[nodiscard]] static Result<Condition> Parse(ConditionKind kind, std::string_view text,
                                               Placeholders& placeholders);

  // A condition that no text says, such as one of a legacy parameter.
  explicit Condition(ConditionProgram program);

  [[nodiscard]] bool empty() const { return program_ == nullptr; }

  // Whether the item, or its absence, satisfies the condition.
  [[nodiscard]] bool Matches(const std::optional<value::ItemView>& item) const;

  // The top-level attributes that the condition names.
  [[nodiscard]] std::set<std::string> Attributes() const;

  // A byte string that is equal for equal conditions, for comparing two requests.
  [[nodiscard]] std::string Fingerprint() const;

 private:
  std::shared_ptr<const ConditionProgram> program_;
};

[[nodiscard]] std::set<std::string> AttributesOf(const ConditionProgram& program);

}  // namespace trestle::expr
