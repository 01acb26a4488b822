#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"
#include "design/syntax/template_text.h"

// K6, K7, K10 and K13 to K15: which items can be taken for each other, what can be read back from a
// key, and who is in an index unasked.

namespace trestle::design {
namespace {

using syntax::PathText;
using syntax::Placeholder;
using syntax::Transform;

void CheckSharedShapes(const Checking& in) {
  if (!in.model.table.discriminator.empty()) return;
  for (std::size_t i = 0; i < in.forms.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const StoredForm& later = in.forms[i];
      const StoredForm& earlier = in.forms[j];
      if (later.index != nullptr || earlier.index != nullptr || later.kind == earlier.kind)
        continue;
      if (!CanCollide(earlier, later)) continue;
      AddError(in.diagnostics, "K6", later.key->partition_key.position(),
               fmt::format("{} and {} can have the same key, and nothing tells them apart",
                           earlier.kind.kind().name, later.kind.kind().name),
               "discriminate by attribute entityType, and a `type` for each");
    }
  }
}

// Whether `ancestor` is above `entity` in the relations.
bool IsAncestor(const Entity& ancestor, const Entity& entity, std::set<const Entity*>& seen) {
  if (!seen.insert(&entity).second) return false;
  return std::ranges::any_of(entity.relations, [&](const Relation& relation) {
    return std::ranges::any_of(relation.parents, [&](const Entity* parent) {
      return parent == &ancestor || IsAncestor(ancestor, *parent, seen);
    });
  });
}

// Whether an entity has this very key too, from a shape that both use.
bool Shares(const Checking& in, const Entity& entity, const StoredForm& form) {
  return std::ranges::any_of(in.forms, [&](const StoredForm& own) {
    return own.entity == &entity && own.index == form.index && own.key->sort_key &&
           own.key->sort_key->position().line == form.key->sort_key->position().line;
  });
}

void CheckExtensions(const Checking& in) {
  for (const StoredForm& shorter : in.forms) {
    if (!shorter.key->sort_key) continue;
    const Language extended = shorter.sort_key.ProperlyExtended();
    for (const StoredForm& longer : in.forms) {
      if (longer.index != shorter.index || longer.entity == shorter.entity) continue;
      if (!longer.key->sort_key || HaveCommonText(shorter.sort_key, longer.sort_key)) continue;
      std::set<const Entity*> seen;
      if (IsAncestor(*shorter.entity, *longer.entity, seen)) continue;
      if (Shares(in, *shorter.entity, longer)) continue;
      if (!HaveCommonText(shorter.partition_key, longer.partition_key) ||
          !HaveCommonText(extended, longer.sort_key)) {
        continue;
      }
      AddWarning(in.diagnostics, "K10", longer.key->sort_key->position(),
                 fmt::format("the keys of {} go on where those of {} end, so what begins with one "
                             "holds both",
                             longer.kind.kind().name, shorter.kind.kind().name),
                 "begin them with another word");
    }
  }
}

// Why the values of a template cannot be read back; null when they can.
const Placeholder* Ambiguous(const Entity& entity, const KeyTemplate& key_template) {
  const auto& parts = key_template.parts();
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const auto* placeholder = std::get_if<Placeholder>(&parts[i]);
    if (placeholder == nullptr) continue;
    const auto* behind = std::get_if<std::string>(&parts[i + 1]);
    if (behind == nullptr) return placeholder;
    Language end;
    end.AddText(*behind);
    Language whole =
        LanguageOf(*TypeOf(entity, placeholder->path), *placeholder, key_template.separator());
    whole.AddText(*behind);
    if (HaveCommonText(whole, end.ContainedBeforeEnd())) return placeholder;
  }
  return nullptr;
}

bool LosesSomething(const Attribute& attribute, const Placeholder& placeholder) {
  const bool is_lower = std::ranges::find(attribute.normalise, syntax::Normalisation::kLower) !=
                        attribute.normalise.end();
  return HasTransform(placeholder, Transform::kFold) ||
         HasTransform(placeholder, Transform::kDay) ||
         HasTransform(placeholder, Transform::kHour) ||
         (HasTransform(placeholder, Transform::kLower) && !is_lower);
}

// The placeholder that gives an attribute back, in the template that it is in.
struct Source {
  const KeyTemplate* key_template = nullptr;
  const Placeholder* placeholder = nullptr;
};

Source SourceOf(const KeyForm& key, const std::string& attribute) {
  std::vector<const KeyTemplate*> templates = {&key.partition_key};
  if (key.sort_key) templates.push_back(&*key.sort_key);
  for (const KeyTemplate* key_template : templates) {
    for (const auto& part : key_template->parts()) {
      const auto* placeholder = std::get_if<Placeholder>(&part);
      if (placeholder != nullptr && PathText(placeholder->path) == attribute)
        return {key_template, placeholder};
    }
  }
  return {};
}

void CheckReadBack(const Checking& in, const Entity& entity, const Attribute& attribute) {
  for (const KeyForm& key : entity.keys) {
    const auto [key_template, placeholder] = SourceOf(key, attribute.name);
    if (placeholder == nullptr) {
      AddError(
          in.diagnostics, "K7", attribute.position,
          fmt::format("`{}` is key_only but not in every key of {}", attribute.name, entity.name),
          "remove `key_only`");
    } else if (LosesSomething(attribute, *placeholder)) {
      AddError(in.diagnostics, "K7", placeholder->path.position,
               fmt::format("`{}` is key_only, but the key keeps only part of it", attribute.name),
               "remove `key_only`");
    } else if (const Placeholder* ambiguous = Ambiguous(entity, *key_template)) {
      AddError(in.diagnostics, "K7", ambiguous->path.position,
               fmt::format("`{}` is key_only, but where `{}` ends in the key cannot be told",
                           attribute.name, PathText(ambiguous->path)),
               fmt::format("{{{}:esc}}, with `{}` behind it", PathText(ambiguous->path),
                           in.model.table.separator));
    }
  }
}

// How DynamoDB sees a type as a key.
std::string_view WireType(const ValueType& type) {
  if (type.is_epoch_seconds) return "number";
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kBinary:
      return "binary";
    case TypeKind::kBool:
      return "boolean";
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kAny:
      return "other";
    default:
      return "text";
  }
}

// Attributes that an index is keyed on itself.
bool IsDirect(const Checking& in, const Index& index) {
  return std::ranges::any_of(in.forms, [&](const StoredForm& form) {
    return form.index == &index && form.index_form->is_direct;
  });
}

bool Carries(const Checking& in, const KindReference& kind, const std::string& name) {
  if (name.empty() || name == in.model.table.discriminator) return true;
  if (kind.entity != nullptr) {
    const Attribute* attribute = kind.entity->FindAttribute(name);
    return attribute != nullptr && !attribute->is_key_only;
  }
  return std::ranges::find(kind.mirror->include, name) != kind.mirror->include.end();
}

void CheckDirectIndex(const Checking& in, const Index& index) {
  std::map<std::string, std::pair<std::string_view, std::string>> types;  // and whose it is
  for (const Entity& entity : in.model.entities) {
    for (const std::string& name : {index.partition_key, index.sort_key}) {
      const Attribute* attribute = entity.FindAttribute(name);
      if (attribute == nullptr) continue;
      const std::string_view type = WireType(attribute->type);
      const auto [known, is_new] = types.try_emplace(name, type, entity.name);
      if (is_new || known->second.first == type) continue;
      AddError(in.diagnostics, "K13", attribute->position,
               fmt::format("{} is keyed on `{}`, which is a {} here and a {} in {}", index.name,
                           name, type, known->second.first, known->second.second),
               "rename one of them");
    }
  }
  std::vector<KindReference> kinds;
  kinds.reserve(in.model.entities.size());
  for (const Entity& entity : in.model.entities)
    kinds.push_back({.entity = &entity});
  for (const Mirror& mirror : in.model.mirrors) {
    if (mirror.of != nullptr) kinds.push_back({.mirror = &mirror});
  }
  for (const KindReference& kind : kinds) {
    const bool is_declared = std::ranges::any_of(
        kind.kind().indexes, [&](const IndexForm& form) { return form.index == &index; });
    if (is_declared || !Carries(in, kind, index.partition_key) ||
        !Carries(in, kind, index.sort_key)) {
      continue;
    }
    AddError(in.diagnostics, "K15", kind.kind().position,
             fmt::format("{} has every attribute that {} is keyed on, so it will be in it",
                         kind.kind().name, index.name),
             fmt::format("index {} direct, or rename an attribute", index.name));
  }
}

// Guards, jobs and positions have the table's keys and nothing else that an index can be keyed on.
void CheckInternalItems(const Checking& in, const Index& index) {
  const Table& table = in.model.table;
  const auto is_table_key = [&](const std::string& name) {
    return name.empty() || name == table.partition_key || name == table.sort_key;
  };
  if (index.is_local || !is_table_key(index.partition_key) || !is_table_key(index.sort_key)) return;
  AddWarning(in.diagnostics, "K14", index.position,
             fmt::format("{} is keyed on the table's own keys, so internal items are in it too",
                         index.name),
             fmt::format("index {} ({}PK, {}SK), with a template in each entity", index.name,
                         index.name, index.name));
}

}  // namespace

void CheckKeyShapes(const Checking& in) {
  CheckSharedShapes(in);
  CheckExtensions(in);
  for (const Entity& entity : in.model.entities) {
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.is_key_only) CheckReadBack(in, entity, attribute);
    }
  }
  for (const Index& index : in.model.table.indexes) {
    if (IsDirect(in, index)) CheckDirectIndex(in, index);
    CheckInternalItems(in, index);
  }
}

}  // namespace trestle::design
