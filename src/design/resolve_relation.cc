#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/syntax/template_text.h"

// Relations: who a child belongs to, and what the two keep for each other.

namespace trestle::design {
namespace {

using syntax::PathText;

bool IsNumber(TypeKind kind) { return kind == TypeKind::kInt || kind == TypeKind::kNumber; }

std::string_view WordOf(Derived derived) {
  switch (derived) {
    case Derived::kNo:
      return "";
    case Derived::kCopy:
      return "derived_copy";
    case Derived::kCount:
      return "derived_count";
    case Derived::kSum:
      return "derived_sum";
    case Derived::kAverage:
      return "derived_average";
  }
  return "";
}

// What a rule fills is read-only to callers, and its declaration says so.
void CheckDerived(const Resolving& in, const Path& path, const Attribute* attribute,
                  Derived derived) {
  if (attribute == nullptr || attribute->derived == derived) return;
  AddError(
      in.diagnostics, "N3", path.position,
      fmt::format("`{}` is kept by this rule, so it must be {}", PathText(path), WordOf(derived)),
      fmt::format("{} : ... {}", attribute->name, WordOf(derived)));
}

struct RuleResolver {
  const Resolving& in;
  Position position;
  const Scope& child;
  const Scope& parent;
  Relation& relation;

  void operator()(const syntax::MustExist&) const { relation.must_exist = true; }

  void operator()(const syntax::CopyRule& rule) const {
    const Attribute* to = ResolveAttribute(in, child, rule.to);
    const Attribute* from = ResolveAttribute(in, parent, rule.from);
    CheckDerived(in, rule.to, to, Derived::kCopy);
    if (to != nullptr && from != nullptr && to->type.kind != from->type.kind) {
      AddError(in.diagnostics, "N5", rule.to.position,
               fmt::format("`{}` and `{}` are not of the same type", PathText(rule.to),
                           PathText(rule.from)));
    }
    relation.copies.push_back({.position = position, .to = rule.to, .from = rule.from});
  }

  void operator()(const syntax::CountRule& rule) const {
    Add(Derived::kCount, std::nullopt, rule.into, rule.when);
  }
  void operator()(const syntax::SumRule& rule) const {
    Add(Derived::kSum, rule.attribute, rule.into, rule.when);
  }
  void operator()(const syntax::AverageRule& rule) const {
    Add(Derived::kAverage, rule.attribute, rule.into, rule.when);
  }

  void operator()(const syntax::OnDeleteRule& rule) const {
    relation.on_delete_position = position;
    switch (rule.action) {
      case syntax::OnDelete::kCascade:
        relation.on_delete = DeleteRule::kCascade;
        return;
      case syntax::OnDelete::kRestrict:
        relation.on_delete = DeleteRule::kRestrict;
        return;
      case syntax::OnDelete::kIgnore:
        relation.on_delete = DeleteRule::kIgnore;
        return;
    }
  }
  void operator()(const syntax::DetachRule& rule) const {
    relation.on_delete_position = position;
    relation.on_delete = DeleteRule::kDetach;
    relation.detach = ResolveAttributes(in, child, rule.attributes);
  }
  void operator()(const syntax::OnRekeyMove&) const {
    relation.on_rekey_position = position;
    relation.on_rekey_move = true;
  }

  void operator()(const syntax::ThroughRule& rule) const {
    relation.through_position = position;
    relation.through = ResolveAccess(in, rule.access);
    if (rule.filter) ResolveAttribute(in, child, *rule.filter);
    relation.through_filter = rule.filter;
  }

 private:
  void Add(Derived kind, const std::optional<Path>& attribute, const Path& into,
           const std::optional<Condition>& when) const {
    const Attribute* added = attribute ? ResolveAttribute(in, child, *attribute) : nullptr;
    const Attribute* target = ResolveAttribute(in, parent, into);
    CheckDerived(in, into, target, kind);
    if (added != nullptr) CheckNumber(*attribute, *added);
    if (target != nullptr) CheckNumber(into, *target);
    if (when) ResolveCondition(in, child, *when);
    relation.tallies.push_back(
        {.position = position, .kind = kind, .attribute = attribute, .into = into, .when = when});
  }

  void CheckNumber(const Path& path, const Attribute& attribute) const {
    if (IsNumber(attribute.type.kind)) return;
    AddError(in.diagnostics, "N5", path.position,
             fmt::format("`{}` is not a number", PathText(path)));
  }
};

void ResolveLinks(const Resolving& in, const syntax::BelongsTo& tree, const Scope& child,
                  const Scope& parent, Relation& relation) {
  for (const syntax::Link& link : tree.links) {
    const syntax::Name& parent_name = link.parent_attribute.value_or(link.attribute);
    ResolveAttribute(in, child, link.attribute);
    ResolveAttribute(in, parent, parent_name);
    relation.links.push_back(
        {.attribute = link.attribute.text, .parent_attribute = parent_name.text});
  }
  if (relation.parents.empty()) return;
  for (const std::string& part : relation.parents.front()->identity) {
    const bool is_linked = std::ranges::any_of(
        relation.links, [&](const Link& it) { return it.parent_attribute == part; });
    if (is_linked) continue;
    AddError(in.diagnostics, "N4", tree.links.front().attribute.position,
             fmt::format("an item of {} is found by `{}`, which this relation does not give",
                         tree.parent.text, part),
             fmt::format("by (..., {})", part));
  }
}

void ResolveRelation(const Resolving& in, const syntax::BelongsTo& tree, Position position,
                     Entity& entity) {
  Relation& relation = entity.relations.emplace_back();
  relation.position = position;
  relation.child = &entity;
  relation.parents = ResolveEntities(in, tree.parent);
  relation.is_optional = tree.optional;
  const Scope child{.entities = {&entity}, .parameters = {}, .name = entity.name};
  if (tree.when) ResolveCondition(in, child, *tree.when);
  relation.when = tree.when;
  if (relation.parents.empty()) return;  // reported above; its rules would only repeat it
  const Scope parent{.entities = relation.parents, .parameters = {}, .name = tree.parent.text};
  ResolveLinks(in, tree, child, parent, relation);
  for (const auto& rule : tree.rules.statements)
    std::visit(RuleResolver{in, rule.position, child, parent, relation}, rule.content);
}

// An attribute of an entity beside `path`, whose last name has `suffix` behind it.
void AddBeside(Entity& entity, const Path& path, std::string_view suffix, Derived derived,
               const ValueType& type) {
  std::vector<Attribute>* members = &entity.attributes;
  for (std::size_t i = 0; i + 1 < path.parts.size(); ++i) {
    const auto map = std::ranges::find(*members, path.parts[i], &Attribute::name);
    if (map == members->end()) return;
    members = &map->type.members;
  }
  const std::string name = path.parts.back() + std::string(suffix);
  if (std::ranges::find(*members, name, &Attribute::name) != members->end()) return;
  Attribute attribute;
  attribute.name = name;
  attribute.position = path.position;
  attribute.type = type;
  attribute.derived = derived;
  attribute.default_value =
      syntax::Value{.position = path.position, .is = syntax::Number{path.position, "0"}};
  members->push_back(std::move(attribute));
}

// Calls `visit` with each relation of the tree and its entity.
template <typename Visit>
void ForEachRelation(const Resolving& in, Visit visit) {
  const auto trees = EntitiesOf(in);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    for (const auto* member : MembersOf(in, *trees[i])) {
      const auto* tree = std::get_if<syntax::BelongsTo>(&member->content);
      if (tree != nullptr) visit(*tree, member->position, in.model.entities[i]);
    }
  }
}

}  // namespace

void AddAverageParts(const Resolving& in) {
  ForEachRelation(in, [&](const syntax::BelongsTo& tree, Position, Entity& child) {
    for (const auto& rule : tree.rules.statements) {
      const auto* average = std::get_if<syntax::AverageRule>(&rule.content);
      if (average == nullptr) continue;
      const Attribute* added = child.FindAttribute(average->attribute);
      const TypeKind kind = added == nullptr ? TypeKind::kNumber : added->type.kind;
      for (Entity& parent : in.model.entities) {
        const bool is_parent =
            parent.name == tree.parent.text ||
            (in.groups.contains(tree.parent.text) &&
             std::ranges::any_of(in.groups.find(tree.parent.text)->second->entities,
                                 [&](const syntax::Name& it) { return it.text == parent.name; }));
        if (!is_parent || parent.FindAttribute(average->into) == nullptr) continue;
        AddBeside(parent, average->into, "Sum", Derived::kSum, {.kind = kind});
        AddBeside(parent, average->into, "Count", Derived::kCount, {.kind = TypeKind::kInt});
      }
    }
  });
}

void ResolveRelations(const Resolving& in) {
  ForEachRelation(in, [&](const syntax::BelongsTo& tree, Position position, Entity& child) {
    ResolveRelation(in, tree, position, child);
  });
  for (const Entity& child : in.model.entities) {
    for (const Relation& relation : child.relations) {
      for (Entity& parent : in.model.entities) {
        const bool is_parent =
            std::ranges::find(relation.parents, &parent) != relation.parents.end();
        if (is_parent) parent.child_relations.push_back(&relation);
      }
    }
  }
}

}  // namespace trestle::design
