#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"
#include "design/syntax/template_text.h"

// K8, K9 and K11: in what order keys come, and whether two items can get the same one.

namespace trestle::design {
namespace {

using syntax::PathText;
using syntax::Placeholder;
using syntax::Transform;

bool IsTime(const ValueType& type) {
  return (type.kind == TypeKind::kTimestamp || type.kind == TypeKind::kMoment) &&
         !type.is_epoch_seconds;
}

std::string_view Example(syntax::Precision precision) {
  return precision == syntax::Precision::kSeconds ? "10:00:00Z" : "10:00:00.000Z";
}

// Timestamps that stand at the same place of keys, by what is before them.
class Precisions {
 public:
  explicit Precisions(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void Add(const Index* index, bool is_sort_key, const KeyTemplate& key_template, auto type_of) {
    std::string before = fmt::format("{} {} ", SpaceName(index), is_sort_key);
    for (const auto& part : key_template.parts()) {
      if (const auto* text = std::get_if<std::string>(&part)) {
        before += *text;
        continue;
      }
      const auto& placeholder = std::get<Placeholder>(part);
      const ValueType* type = type_of(placeholder.path);
      if (type != nullptr && type->kind == TypeKind::kTimestamp && !type->is_epoch_seconds)
        Compare(before, placeholder, type->precision);
      before += "{}";
    }
  }

 private:
  void Compare(const std::string& before, const Placeholder& placeholder,
               syntax::Precision precision) {
    const bool is_cut =
        HasTransform(placeholder, Transform::kDay) || HasTransform(placeholder, Transform::kHour);
    const auto [known, is_new] = first_.emplace(before, precision);
    if (is_new || is_cut || known->second == precision) return;
    AddError(diagnostics_, "K8", placeholder.path.position,
             fmt::format("`{}` is written as {}, and others at this place as {}: they do not sort "
                         "by time",
                         PathText(placeholder.path), Example(precision), Example(known->second)),
             fmt::format("{} : timestamp({})", PathText(placeholder.path),
                         syntax::WordOf(known->second)));
  }

  Diagnostics& diagnostics_;
  std::map<std::string, syntax::Precision> first_;
};

void CheckPrecision(const Checking& in) {
  Precisions precisions(in.diagnostics);
  for (const StoredForm& form : in.forms) {
    ForEachTemplate(form, [&](const KeyTemplate& key_template, bool is_sort_key) {
      precisions.Add(form.index, is_sort_key, key_template,
                     [&](const Path& path) { return TypeOf(*form.entity, path); });
    });
  }
  for (const Access& access : in.model.accesses) {
    const auto* query = std::get_if<Query>(&access.action);
    if (query == nullptr) continue;
    const auto type_of = [&](const Path& path) { return TypeOf(access, *query, path); };
    precisions.Add(query->index, false, query->partition_key, type_of);
    precisions.Add(query->index, true, query->sort_key.first, type_of);
    if (query->sort_key.last) precisions.Add(query->index, true, *query->sort_key.last, type_of);
  }
}

bool IsNormalisedLower(const Attribute& attribute) {
  return std::ranges::find(attribute.normalise, syntax::Normalisation::kLower) !=
         attribute.normalise.end();
}

void CheckTextOrder(const Checking& in, const StoredForm& form) {
  if (!form.key->sort_key) return;
  const auto& parts = form.key->sort_key->parts();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto* placeholder = std::get_if<Placeholder>(&parts[i]);
    const Attribute* attribute =
        placeholder == nullptr ? nullptr : form.entity->FindAttribute(placeholder->path);
    if (attribute == nullptr || attribute->computed || !IsFreeText(attribute->type.kind) ||
        attribute->type.kind == TypeKind::kEmail) {
      continue;
    }
    const std::string name = PathText(placeholder->path);
    const bool is_last = i + 1 == parts.size();
    const bool is_clustered = is_last || HasTransform(*placeholder, Transform::kCluster);
    const bool is_folded = HasTransform(*placeholder, Transform::kFold) ||
                           HasTransform(*placeholder, Transform::kLower) ||
                           IsNormalisedLower(*attribute);
    const std::string_view escape = is_last ? "esc" : "clust";
    if (!is_clustered) {
      AddWarning(in.diagnostics, "K9", placeholder->path.position,
                 fmt::format("a `{}` that goes on with a blank sorts between a shorter one and "
                             "what belongs to it",
                             name),
                 fmt::format("{{{}:fold:{}}}", name, escape));
    } else if (!is_folded) {
      AddWarning(
          in.diagnostics, "K9", placeholder->path.position,
          fmt::format("`{}` sorts by bytes: capitals before small letters, accents last", name),
          fmt::format("{{{}:fold:{}}}", name, escape));
    }
  }
}

// Addresses that differ in case are one mailbox, but two keys.
void CheckAddresses(const Checking& in, const StoredForm& form) {
  ForEachTemplate(form, [&](const KeyTemplate& key_template, bool) {
    for (const auto& part : key_template.parts()) {
      const auto* placeholder = std::get_if<Placeholder>(&part);
      const Attribute* attribute =
          placeholder == nullptr ? nullptr : form.entity->FindAttribute(placeholder->path);
      if (attribute == nullptr || attribute->type.kind != TypeKind::kEmail) continue;
      if (IsNormalisedLower(*attribute) || HasTransform(*placeholder, Transform::kLower) ||
          HasTransform(*placeholder, Transform::kFold)) {
        continue;
      }
      AddWarning(in.diagnostics, "K9", placeholder->path.position,
                 fmt::format("`{}` in capitals is another key, but the same address",
                             PathText(placeholder->path)),
                 fmt::format("{} : email normalise lower", PathText(placeholder->path)));
    }
  });
}

// A time alone tells two items apart only when it is made to.
void CheckInstants(const Checking& in, const StoredForm& form) {
  if (form.index != nullptr) return;
  std::vector<const Placeholder*> placeholders;
  ForEachTemplate(form, [&](const KeyTemplate& key_template, bool) {
    for (const auto& part : key_template.parts()) {
      if (const auto* placeholder = std::get_if<Placeholder>(&part))
        placeholders.push_back(placeholder);
    }
  });
  const Placeholder* instant = nullptr;
  for (const Placeholder* placeholder : placeholders) {
    const Attribute* attribute = form.entity->FindAttribute(placeholder->path);
    if (attribute == nullptr) continue;
    if (IsTime(attribute->type) && !attribute->is_monotonic) {
      instant = placeholder;
    } else if (attribute->type.kind == TypeKind::kId || attribute->is_monotonic) {
      instant = nullptr;  // what follows it tells them apart
    }
  }
  if (instant == nullptr) return;
  const std::string name = PathText(instant->path);
  AddWarning(in.diagnostics, "K11", instant->path.position,
             fmt::format("two items of {} at the same `{}` have the same key",
                         form.kind.kind().name, name),
             fmt::format("{{{}}}{}{{id}}, or {} : timestamp monotonic", name,
                         in.model.table.separator, name));
}

}  // namespace

void CheckKeyOrder(const Checking& in) {
  CheckPrecision(in);
  for (const StoredForm& form : in.forms) {
    CheckAddresses(in, form);
    CheckTextOrder(in, form);
    CheckInstants(in, form);
  }
}

}  // namespace trestle::design
