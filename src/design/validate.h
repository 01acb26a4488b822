#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"
#include "design/runtime.h"
#include "design/values.h"
#include "text/regex.h"

namespace trestle::design {

// Holds what callers give against what the design says of it. All that is wrong is reported at
// once: kValidation, with a sentence for each attribute in ErrorDetails::fields that a form can
// show. Immutable; safe from many threads.
class Validator {
 public:
  // The model must outlive it. A pattern that cannot be read matches nothing.
  explicit Validator(const Model& model);

  // The record of a new item: with defaults, constants and computed attributes; without what is
  // copied from others. What `rules` add is reported too, of attributes that are right otherwise.
  [[nodiscard]] Result<Record> ForCreate(const Entity& entity, const Record& given,
                                         const ValueSources& sources,
                                         const FieldRules& rules = nullptr) const;

  // The record that `old` becomes. What was wrong before and is not touched is let be.
  // `is_maintenance`: derived and immutable attributes may change, and nothing follows of itself.
  [[nodiscard]] Result<Record> ForUpdate(const Entity& entity, const Record& old,
                                         const Changes& changes, const ValueSources& sources,
                                         bool is_maintenance,
                                         const FieldRules& rules = nullptr) const;

  // Arguments in their canonical form. Any of them may be absent.
  [[nodiscard]] Result<Record> Arguments(std::span<const Parameter> parameters,
                                         const Record& given) const;

  // Entity::identity out of what is given, all of it, in canonical form.
  [[nodiscard]] Result<Record> Identity(const Entity& entity, const Record& given) const;

 private:
  const Model& model_;
  std::map<const Attribute*, text::Regex> patterns_;
};

// Attributes that are part of the table's key of an item, whichever form it has.
[[nodiscard]] bool IsKeyPart(const Entity& entity, std::string_view name);

// Whether an update from `old` to `next` changes nothing but counters, which is nobody's edit: it
// leaves version and `on_update` alone.
[[nodiscard]] bool ChangesOnlyCounters(const Entity& entity, const Record& old, const Record& next);

}  // namespace trestle::design
