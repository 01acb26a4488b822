#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/record.h"
#include "design/values.h"

// Conditions of a design, decided in memory or by the back end: both say the same. An attribute
// that holds NULL is absent; one that is absent differs from every value and compares with none.

namespace trestle::design {

struct ConditionScope {
  std::span<const Attribute> attributes;  // of the item: they say which types are compared
  ValueSources sources = {};              // without `item`: that is the record itself
};

// Whether the condition holds for a record. An argument that is not of the type that it is compared
// with is absent.
[[nodiscard]] bool Evaluate(const Condition& condition, const Record& record,
                            const ConditionScope& scope);

// Of a condition without parameters, or none, which always holds.
[[nodiscard]] bool Holds(const std::optional<Condition>& condition, const Record& record,
                         std::span<const Attribute> attributes);

// The condition as DynamoDB's expression, which stands in brackets when it needs them to be joined
// with others. Names and values are added to `expressions`.
[[nodiscard]] Result<std::string> CompileCondition(const Condition& condition,
                                                   const ConditionScope& scope,
                                                   ExpressionNames& expressions);

// "#n0": the alias of a name in an expression, one for each name.
[[nodiscard]] std::string NameAlias(ExpressionNames& expressions, std::string_view name);
// "#n0.#n1"
[[nodiscard]] std::string PathAlias(ExpressionNames& expressions, const Path& path);
// ":v0", for an encoded value.
[[nodiscard]] std::string ValueAlias(ExpressionNames& expressions, std::string value);
// "#n0 = :v0 AND begins_with(#n1, :v1)"
[[nodiscard]] std::string KeyConditionText(ExpressionNames& expressions,
                                           const expr::KeyCondition& condition);
// "(attribute_not_exists(#n0) OR attribute_type(#n0, :v0))", or that it is there and not NULL.
[[nodiscard]] std::string PresenceText(ExpressionNames& expressions, const Path& path,
                                       bool is_absent);

// The attributes that a condition looks at, without its parameters, in no order, some perhaps
// twice.
void AppendAttributes(const Condition& condition, std::vector<std::string>& names);

}  // namespace trestle::design
