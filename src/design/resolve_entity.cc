#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"

// Entities: their attributes, identities and unique names, and what their shapes bring.

namespace trestle::design {
namespace {

using MemberStatement = syntax::Statement<syntax::EntityMember>;

void AddMembers(const syntax::Block<syntax::EntityMember>& block,
                std::vector<const MemberStatement*>& out) {
  for (const MemberStatement& statement : block.statements)
    out.push_back(&statement);
}

void CheckShapes(const Resolving& in, const syntax::Entity& entity) {
  std::set<std::string> seen;
  std::vector<std::string> candidates;
  candidates.reserve(in.shapes.size());
  for (const auto& shape : in.shapes)
    candidates.push_back(shape.first);
  for (const syntax::Name& shape : entity.shapes) {
    if (!in.shapes.contains(shape.text)) {
      AddUnknown(in.diagnostics, "N1", shape.position, shape.text, "a shape", candidates);
    } else if (!seen.insert(shape.text).second) {
      AddError(in.diagnostics, "N2", shape.position,
               fmt::format("`{}` is listed a second time", shape.text));
    }
  }
}

// The attributes that the table keeps of every item are no entity's own.
void CheckReserved(const Resolving& in, const syntax::Name& name) {
  if (name.text == in.model.table.lock) {
    AddError(in.diagnostics, "N3", name.position,
             fmt::format("`{}` is the table's lock, which every item has", name.text),
             fmt::format("remove `{}` here, or `lock {}` from the table", name.text, name.text));
  } else if (name.text == in.model.table.discriminator) {
    AddError(in.diagnostics, "N3", name.position,
             fmt::format("`{}` holds the type of every item", name.text),
             fmt::format("remove `{}` here: `type \"...\"` gives its value", name.text));
  }
}

// Seconds since 1970 are what the service expires items by.
void ResolveTimeToLive(const Resolving& in, Attribute& attribute) {
  if (attribute.name != in.model.table.time_to_live) return;
  if (attribute.type.kind == TypeKind::kTimestamp) {
    attribute.type.is_epoch_seconds = true;
  } else if (attribute.type.kind != TypeKind::kInt && attribute.type.kind != TypeKind::kNumber) {
    AddError(
        in.diagnostics, "N3", attribute.position,
        fmt::format("`{}` is the table's time to live, so it must be a timestamp", attribute.name),
        fmt::format("{} : timestamp", attribute.name));
  }
}

void ResolveOwnAttributes(const Resolving& in, const syntax::Entity& tree, Entity& entity) {
  for (const MemberStatement* member : MembersOf(in, tree)) {
    const auto* declared = std::get_if<syntax::Attribute>(&member->content);
    if (declared == nullptr) continue;
    if (entity.FindAttribute(declared->name.text) != nullptr) {
      AddError(in.diagnostics, "N2", declared->name.position,
               fmt::format("`{}` is declared a second time", declared->name.text));
      continue;
    }
    CheckReserved(in, declared->name);
    entity.attributes.push_back(
        ResolveAttributeDeclaration(in, *declared, declared->name.position));
    ResolveTimeToLive(in, entity.attributes.back());
  }
}

// Something must expire when the table says so.
void CheckTimeToLive(const Resolving& in) {
  for (const auto* table : StatementsOf<syntax::Table>(in.tree)) {
    for (const auto& setting : std::get<syntax::Table>(table->content).settings.statements) {
      const auto* ttl = std::get_if<syntax::TimeToLive>(&setting.content);
      if (ttl == nullptr || !ttl->attribute) continue;
      std::vector<std::string> candidates;
      for (const Entity& entity : in.model.entities) {
        for (const Attribute& attribute : entity.attributes)
          candidates.push_back(attribute.name);
      }
      if (std::ranges::find(candidates, ttl->attribute->text) != candidates.end()) continue;
      AddUnknown(in.diagnostics, "N1", ttl->attribute->position, ttl->attribute->text,
                 "an attribute of any entity", candidates);
    }
  }
}

struct MemberResolver {
  const Resolving& in;
  const Scope& scope;
  Entity& entity;

  void operator()(const syntax::Identity& identity) const {
    if (!entity.identity.empty()) {
      AddError(in.diagnostics, "N2", identity.attributes.front().position,
               fmt::format("{} has an identity already", entity.name));
    }
    entity.identity = ResolveAttributes(in, scope, identity.attributes);
    if (!identity.via) return;
    entity.identity_via = in.model.FindMirror(identity.via->text);
    if (entity.identity_via == nullptr || entity.identity_via->of != &entity) {
      std::vector<std::string> candidates;
      candidates.reserve(entity.mirrors.size());
      for (const Mirror* mirror : entity.mirrors)
        candidates.push_back(mirror->name);
      AddUnknown(in.diagnostics, "N1", identity.via->position, identity.via->text,
                 fmt::format("a mirror of {}", entity.name), candidates);
    }
  }
  void operator()(const syntax::RekeyOn& rekey) const {
    for (std::string& name : ResolveAttributes(in, scope, rekey.attributes))
      entity.rekey_on.push_back(std::move(name));
  }
  void operator()(const syntax::Unique& unique) const {
    const bool is_known = std::ranges::any_of(
        entity.uniques, [&](const Unique& it) { return it.name == unique.name.text; });
    if (is_known) {
      AddError(in.diagnostics, "N2", unique.name.position,
               fmt::format("`unique {}` is declared a second time", unique.name.text));
      return;
    }
    entity.uniques.push_back({.position = unique.name.position,
                              .name = unique.name.text,
                              .attributes = ResolveAttributes(in, scope, unique.attributes)});
  }
  template <typename Other>
  void operator()(const Other&) const {}
};

// Every attribute of its keys, in their order.
std::vector<std::string> KeyAttributes(const ItemKind& kind) {
  std::vector<std::string> names;
  const auto add = [&](const KeyTemplate& key_template) {
    for (std::string& name : key_template.Attributes()) {
      if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
    }
  };
  for (const KeyForm& key : kind.keys) {
    add(key.partition_key);
    if (key.sort_key) add(*key.sort_key);
  }
  return names;
}

void CheckRekey(const Resolving& in, const Entity& entity, const syntax::RekeyOn& rekey) {
  const std::vector<std::string> names = KeyAttributes(entity);
  for (const syntax::Name& name : rekey.attributes) {
    if (entity.FindAttribute(name.text) == nullptr) continue;
    if (std::ranges::find(names, name.text) != names.end()) continue;
    AddError(in.diagnostics, "N3", name.position,
             fmt::format("`{}` is not in a key of {}, so changing it moves nothing", name.text,
                         entity.name),
             fmt::format("remove `{}` from `rekey on`", name.text));
  }
}

}  // namespace

std::vector<const MemberStatement*> MembersOf(const Resolving& in, const syntax::Entity& entity) {
  std::vector<const MemberStatement*> members;
  for (const syntax::Name& name : entity.shapes) {
    const auto shape = in.shapes.find(name.text);
    if (shape != in.shapes.end()) AddMembers(shape->second->members, members);
  }
  AddMembers(entity.members, members);
  return members;
}

std::vector<const syntax::Entity*> EntitiesOf(const Resolving& in) {
  std::vector<const syntax::Entity*> entities;
  std::set<std::string> names;
  for (const auto* statement : StatementsOf<syntax::Entity>(in.tree)) {
    const auto& entity = std::get<syntax::Entity>(statement->content);
    const bool is_declared = in.model.FindEntity(entity.name.text) != nullptr;
    if (is_declared && names.insert(entity.name.text).second) entities.push_back(&entity);
  }
  return entities;
}

void ResolveEntityAttributes(const Resolving& in) {
  const auto trees = EntitiesOf(in);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    Entity& entity = in.model.entities[i];
    entity.is_append_only = trees[i]->append_only;
    CheckShapes(in, *trees[i]);
    ResolveOwnAttributes(in, *trees[i], entity);
  }
  for (const Entity& entity : in.model.entities) {
    const Scope scope{.entities = {&entity}, .parameters = {}, .name = entity.name};
    for (const Attribute& attribute : entity.attributes)
      CheckAttributeTerms(in, scope, attribute);
  }
  CheckTimeToLive(in);
}

void ResolveEntityMembers(const Resolving& in) {
  const auto trees = EntitiesOf(in);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    Entity& entity = in.model.entities[i];
    const Scope scope{.entities = {&entity}, .parameters = {}, .name = entity.name};
    const auto members = MembersOf(in, *trees[i]);
    for (const MemberStatement* member : members)
      std::visit(MemberResolver{in, scope, entity}, member->content);
    if (entity.identity.empty()) entity.identity = KeyAttributes(entity);
    for (const MemberStatement* member : members) {
      const auto* rekey = std::get_if<syntax::RekeyOn>(&member->content);
      if (rekey != nullptr) CheckRekey(in, entity, *rekey);
    }
  }
}

}  // namespace trestle::design
