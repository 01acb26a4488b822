#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "design/checks/key_space.h"
#include "design/diagnostic.h"
#include "design/model.h"
#include "design/syntax/tree.h"

// The parts of checks.h.

namespace trestle::design {

struct Checking {
  const Model& model;
  const std::deque<StoredForm>& forms;
  Diagnostics& diagnostics;
};

void CheckKeyParts(const Checking& in);   // keys.cc: K2 to K5, K12
void CheckKeyOrder(const Checking& in);   // key_order.cc: K8, K9, K11
void CheckKeyShapes(const Checking& in);  // key_shapes.cc: K6, K7, K10, K13 to K15
void CheckAccess(const Checking& in);     // access.cc
void CheckRelations(const Checking& in);  // relations.cc
void CheckHeat(const Checking& in);       // heat.cc
void CheckBackend(const Checking& in);    // backend.cc

// Takes accepted warnings away, and what is said of statements with a name that means nothing
// (`names` has them): it would only follow from that (accept.cc).
void Accept(const syntax::Design& tree, const Diagnostics& names, Diagnostics& diagnostics);

// What several of them ask.

// How conditions are met (conditions.cc).
// Whether an item for which it holds has this attribute.
[[nodiscard]] bool ImpliesPresent(const Condition& condition, const std::string& attribute);
// Whether an item in this form has it, by its type and all conditions around.
[[nodiscard]] bool IsPresentIn(const StoredForm& form, const Path& path);

// Sizes (sizes.cc). Nothing: without a bound.
[[nodiscard]] std::optional<std::int64_t> IntegerOf(const std::optional<value::Number>& number);
[[nodiscard]] std::optional<std::int64_t> TextBytesMax(const ValueType& type);
[[nodiscard]] std::optional<std::int64_t> ItemBytesMax(const ValueType& type);
[[nodiscard]] std::string Thousands(std::int64_t number);  // "1,024"
[[nodiscard]] std::string Thousands(double number);
// The rate that a load statement gives.
[[nodiscard]] double PerSecond(const syntax::Number& number);

// Whether few different values can be in it: constants, enums and booleans only (heat.cc).
[[nodiscard]] bool HasFewValues(const StoredForm& form, const KeyTemplate& key_template);

// Calls visit(const KeyTemplate&, bool is_sort_key) for both templates of a form.
template <typename Visit>
void ForEachTemplate(const StoredForm& form, Visit visit) {
  visit(form.key->partition_key, false);
  if (form.key->sort_key) visit(*form.key->sort_key, true);
}

// "the table" or the index's name.
[[nodiscard]] inline std::string_view SpaceName(const Index* index) {
  return index == nullptr ? std::string_view("the table") : std::string_view(index->name);
}

}  // namespace trestle::design
