#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"

// What entities and mirrors are stored under: type tags, keys and index keys.

namespace trestle::design {
namespace {

// One key template of an item that is stored under the physical name `attribute`, or none. An
// attribute of that name must be what the key is made from.
void CheckPhysicalName(const Resolving& in, const Entity& entity, const std::string& attribute,
                       const KeyTemplate& key_template) {
  const Attribute* own = entity.FindAttribute(attribute);
  if (own == nullptr) return;
  const auto& parts = key_template.parts();
  const auto* placeholder =
      parts.size() == 1 ? std::get_if<syntax::Placeholder>(&parts.front()) : nullptr;
  const bool is_itself = placeholder != nullptr && placeholder->formats.empty() &&
                         placeholder->path.parts.size() == 1 &&
                         placeholder->path.parts.front() == attribute;
  if (is_itself) return;
  AddError(in.diagnostics, "N3", own->position,
           fmt::format("`{}` is the name of a key, whose value is another", attribute),
           fmt::format("rename the attribute, or make the key \"{{{}}}\"", attribute));
}

struct KindResolver {
  const Resolving& in;
  Position position;
  const Entity& entity;  // whose attributes count
  const Scope& scope;
  ItemKind& kind;

  void operator()(const syntax::TypeTag& type) const {
    if (!kind.tag.empty()) {
      AddError(in.diagnostics, "N2", type.tag.position,
               fmt::format("{} has a type already", kind.name));
    }
    if (in.model.table.discriminator.empty()) {
      AddError(in.diagnostics, "N3", type.tag.position,
               "a type is stored in no attribute, because items are told apart by their keys",
               "remove it, or add `discriminate by attribute entityType` to the table");
    }
    kind.tag = type.tag.text;
  }

  void operator()(const syntax::KeyEntry& entry) const {
    KeyForm form = MakeForm(entry.partition_key, entry.sort_key, entry.when);
    CheckSortKey(entry.sort_key, "the table", in.model.table.sort_key);
    CheckPhysicalName(in, entity, in.model.table.partition_key, form.partition_key);
    if (form.sort_key) CheckPhysicalName(in, entity, in.model.table.sort_key, *form.sort_key);
    kind.keys.push_back(std::move(form));
  }

  void operator()(const syntax::IndexEntry& entry) const {
    const Index* index = FindIndex(entry.index);
    KeyForm form = MakeForm(entry.partition_key, entry.sort_key, entry.when);
    if (entry.shards && *entry.shards < 2) {
      AddError(in.diagnostics, "N5", entry.index.position, "an index has at least two shards");
    }
    if (index == nullptr) return;
    CheckSortKey(entry.sort_key, index->name, index->sort_key);
    CheckPhysicalName(in, entity, index->partition_key, form.partition_key);
    if (form.sort_key) CheckPhysicalName(in, entity, index->sort_key, *form.sort_key);
    kind.indexes.push_back({.index = index,
                            .is_direct = false,
                            .key = std::move(form),
                            .shards = entry.shards.value_or(0)});
  }

  void operator()(const syntax::DirectIndexEntry& entry) const {
    const Index* index = FindIndex(entry.index);
    if (index == nullptr) return;
    CheckDirect(entry.index, index->partition_key);
    IndexForm form{.index = index, .is_direct = true, .key = {.position = position}};
    form.key.partition_key = TemplateOf(in, index->partition_key, entry.index.position);
    if (!index->sort_key.empty()) {
      CheckDirect(entry.index, index->sort_key);
      form.key.sort_key = TemplateOf(in, index->sort_key, entry.index.position);
    }
    kind.indexes.push_back(std::move(form));
  }

  template <typename Other>
  void operator()(const Other&) const {}

 private:
  [[nodiscard]] KeyForm MakeForm(const syntax::Template& partition_key,
                                 const std::optional<syntax::Template>& sort_key,
                                 const std::optional<Condition>& when) const {
    KeyForm form{.position = position, .partition_key = ResolveTemplate(in, scope, partition_key)};
    if (sort_key) form.sort_key = ResolveTemplate(in, scope, *sort_key);
    if (when) ResolveCondition(in, scope, *when);
    form.when = when;
    return form;
  }

  void CheckSortKey(const std::optional<syntax::Template>& sort_key, std::string_view of,
                    const std::string& name) const {
    if (sort_key && name.empty()) {
      AddError(in.diagnostics, "N3", sort_key->position, fmt::format("{} has no sort key", of),
               "remove the `sk` part");
    } else if (!sort_key && !name.empty()) {
      AddError(in.diagnostics, "N4", position,
               fmt::format("the sort key `{}` of {} has no template", name, of), "sk \"...\"");
    }
  }

  // An index whose keys are attributes of the item may also be keyed on the items' types.
  void CheckDirect(const syntax::Name& index, const std::string& attribute) const {
    const bool is_known =
        entity.FindAttribute(attribute) != nullptr || attribute == in.model.table.discriminator;
    if (is_known) return;
    AddError(in.diagnostics, "N3", index.position,
             fmt::format("{} is keyed on `{}`, which {} does not have", index.text, attribute,
                         entity.name),
             fmt::format("add the attribute `{}`, or give the key: index {} pk \"...\"", attribute,
                         index.text));
  }

  [[nodiscard]] const Index* FindIndex(const syntax::Name& name) const {
    std::vector<std::string> candidates;
    for (const Index& index : in.model.table.indexes) {
      if (index.name == name.text) return &index;
      candidates.push_back(index.name);
    }
    AddUnknown(in.diagnostics, "N1", name.position, name.text, "an index of the table", candidates);
    return nullptr;
  }
};

void CheckWhole(const Resolving& in, const ItemKind& kind,
                std::map<std::string, std::string>& tags) {
  if (kind.keys.empty()) {
    AddError(in.diagnostics, "N4", kind.position, fmt::format("{} has no key", kind.name),
             in.model.table.sort_key.empty() ? "key pk \"...\"" : "key pk \"...\" sk \"...\"");
  }
  if (in.model.table.discriminator.empty()) return;
  if (kind.tag.empty()) {
    AddError(in.diagnostics, "N4", kind.position,
             fmt::format("{} has no type, and `{}` tells items apart", kind.name,
                         in.model.table.discriminator),
             "type \"...\"");
    return;
  }
  const auto [other, is_new] = tags.emplace(kind.tag, kind.name);
  if (is_new) return;
  AddError(in.diagnostics, "N2", kind.position,
           fmt::format("{} and {} have the same type \"{}\"", other->second, kind.name, kind.tag));
}

struct MirrorMember {
  const Resolving& in;
  const Scope& scope;
  Mirror& mirror;

  void operator()(const syntax::Include& include) const {
    for (std::string& name : ResolveAttributes(in, scope, include.attributes))
      mirror.include.push_back(std::move(name));
  }
  template <typename Other>
  void operator()(const Other&) const {}
};

void ResolveMirror(const Resolving& in, const syntax::Mirror& tree, Mirror& mirror) {
  const auto found = std::ranges::find_if(
      in.model.entities, [&](const Entity& it) { return it.name == tree.entity.text; });
  if (found == in.model.entities.end()) {
    std::vector<std::string> candidates;
    candidates.reserve(in.model.entities.size());
    for (const Entity& entity : in.model.entities)
      candidates.push_back(entity.name);
    AddUnknown(in.diagnostics, "N1", tree.entity.position, tree.entity.text, "an entity",
               candidates);
    return;
  }
  Entity& entity = *found;
  mirror.of = &entity;
  entity.mirrors.push_back(&mirror);
  const Scope scope{.entities = {&entity}, .parameters = {}, .name = entity.name};
  if (tree.when) ResolveCondition(in, scope, *tree.when);
  mirror.when = tree.when;
  for (const auto& member : tree.members.statements) {
    std::visit(KindResolver{in, member.position, entity, scope, mirror}, member.content);
    std::visit(MirrorMember{in, scope, mirror}, member.content);
  }
}

}  // namespace

void ResolveMirrors(const Resolving& in) {
  std::size_t next = 0;
  for (const auto* statement : StatementsOf<syntax::Mirror>(in.tree)) {
    const auto& tree = std::get<syntax::Mirror>(statement->content);
    if (next >= in.model.mirrors.size() || in.model.mirrors[next].name != tree.name.text) continue;
    ResolveMirror(in, tree, in.model.mirrors[next++]);
  }
}

void ResolveEntityKeys(const Resolving& in) {
  const auto trees = EntitiesOf(in);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    Entity& entity = in.model.entities[i];
    const Scope scope{.entities = {&entity}, .parameters = {}, .name = entity.name};
    for (const auto* member : MembersOf(in, *trees[i]))
      std::visit(KindResolver{in, member->position, entity, scope, entity}, member->content);
  }
  std::map<std::string, std::string> tags;
  for (const Entity& entity : in.model.entities)
    CheckWhole(in, entity, tags);
  for (const Mirror& mirror : in.model.mirrors)
    CheckWhole(in, mirror, tags);
}

}  // namespace trestle::design
