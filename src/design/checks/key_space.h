#pragma once

#include <deque>
#include <string>
#include <vector>

#include "design/checks/language.h"
#include "design/model.h"

// Which keys a design can make, and which of them a query reads: what the checks of keys and of
// access patterns ask.

namespace trestle::design {

// One way in which one kind of item is stored in the table, or stands in an index.
struct StoredForm {
  KindReference kind;
  const Entity* entity = nullptr;  // whose attributes the templates are of
  const Index* index = nullptr;    // null: the table
  const KeyForm* key = nullptr;
  const IndexForm* index_form = nullptr;  // null in the table
  Language partition_key;
  Language sort_key;

  [[nodiscard]] bool IsIn(const Index* space) const { return index == space; }
};

// Every form of every entity and mirror.
[[nodiscard]] std::deque<StoredForm> StoredForms(const Model& model);

// Both keys can be the same.
[[nodiscard]] bool CanCollide(const StoredForm& left, const StoredForm& right);

// What a query reads. The languages are of all values of its parameters.
struct ReadRange {
  Language partition_key;
  std::vector<Language> sort_key;  // what all of them hold

  [[nodiscard]] bool CanRead(const StoredForm& form) const;
};
[[nodiscard]] ReadRange RangeOf(const Model& model, const Access& access, const Query& query);

// The type that a placeholder of a kind's template has; null when there is none. A discriminator is
// a string.
[[nodiscard]] const ValueType* TypeOf(const Entity& entity, const Path& path);
// That of a query's placeholder: a parameter, or what it merges by.
[[nodiscard]] const ValueType* TypeOf(const Access& access, const Query& query, const Path& path);

[[nodiscard]] Language LanguageOf(const ValueType& type, const syntax::Placeholder& placeholder,
                                  const std::string& separator);

[[nodiscard]] bool HasTransform(const syntax::Placeholder& placeholder,
                                syntax::Transform transform);
// Percent-encoded, so that no value can be taken for a separator.
[[nodiscard]] bool IsEscaped(const syntax::Placeholder& placeholder);
// What people write: it may hold any character.
[[nodiscard]] bool IsFreeText(TypeKind kind);

// The text that a template's source is quoted from, for sentences.
[[nodiscard]] std::string Quoted(const KeyTemplate& key_template);

}  // namespace trestle::design
