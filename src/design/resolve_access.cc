#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/syntax/template_text.h"

// Access patterns: what they give, what they are asked by, and what they read.

namespace trestle::design {
namespace {

using syntax::PathText;

const Entity* EntityOf(const KindReference& reference) {
  return reference.entity != nullptr ? reference.entity : reference.mirror->of;
}

Scope ScopeOf(const Access& access) {
  Scope scope{.entities = {}, .parameters = access.parameters, .name = access.name};
  for (const KindReference& result : access.results) {
    if (const Entity* entity = EntityOf(result)) scope.entities.push_back(entity);
  }
  return scope;
}

// The attribute that a parameter without a type is named after: of a result, else of any entity.
const Attribute* NamesakeOf(const Resolving& in, const Scope& results, const syntax::Name& name) {
  const Path path{.position = name.position, .parts = {name.text}};
  if (const Attribute* attribute = results.FindAttribute(path)) return attribute;
  for (const Entity& entity : in.model.entities) {
    if (const Attribute* attribute = entity.FindAttribute(path)) return attribute;
  }
  return nullptr;
}

void ResolveAccessParameters(const Resolving& in, const std::vector<syntax::Parameter>& trees,
                             bool may_be_absent, Access& access) {
  const Scope results = ScopeOf(access);
  for (const syntax::Parameter& tree : trees) {
    if (std::ranges::find(access.parameters, tree.name.text, &Parameter::name) !=
        access.parameters.end()) {
      AddError(in.diagnostics, "N2", tree.name.position,
               fmt::format("`{}` is declared a second time", tree.name.text));
      continue;
    }
    Parameter parameter{
        .name = tree.name.text, .position = tree.name.position, .type = {}, .is_optional = false};
    if (tree.type) {
      parameter.type = ResolveType(in, *tree.type);
    } else if (const Attribute* namesake = NamesakeOf(in, results, tree.name)) {
      parameter.type = namesake->type;
      parameter.is_optional = may_be_absent && namesake->is_optional;
    } else {
      AddError(in.diagnostics, "N4", tree.name.position,
               fmt::format("`{}` has no type: no attribute has this name", tree.name.text),
               fmt::format("{}: string", tree.name.text));
    }
    access.parameters.push_back(std::move(parameter));
  }
}

// The templates of a query are of parameters, and of the attribute that it merges by.
KeyTemplate ResolveQueryTemplate(const Resolving& in, const Scope& scope, const syntax::Query& tree,
                                 const syntax::Template& source) {
  for (const auto& part : source.parts) {
    const auto* placeholder = std::get_if<syntax::Placeholder>(&part);
    if (placeholder == nullptr) continue;
    const std::string name = PathText(placeholder->path);
    if (scope.FindParameter(name) != nullptr || (tree.merge && tree.merge->text == name)) continue;
    std::vector<std::string> candidates;
    candidates.reserve(scope.parameters.size());
    for (const Parameter& parameter : scope.parameters)
      candidates.push_back(parameter.name);
    AddUnknown(in.diagnostics, "K1", placeholder->path.position, name,
               fmt::format("a parameter of {}", scope.name), candidates);
  }
  return {source, in.model.table.separator};
}

SortKeyRange ResolveRange(const Resolving& in, const Scope& scope, const syntax::Query& tree) {
  using Kind = SortKeyRange::Kind;
  SortKeyRange range;
  if (!tree.sort_key) return range;
  const auto set = [&](Kind kind, const syntax::Template& first, const syntax::Template* last,
                       const std::optional<syntax::Template>* within) {
    range.kind = kind;
    range.first = ResolveQueryTemplate(in, scope, tree, first);
    if (last != nullptr) range.last = ResolveQueryTemplate(in, scope, tree, *last);
    if (within != nullptr && within->has_value())
      range.within = ResolveQueryTemplate(in, scope, tree, **within);
  };
  const syntax::SortKeyRange& key = *tree.sort_key;
  if (const auto* is = std::get_if<syntax::SortKeyIs>(&key)) {
    set(Kind::kIs, is->key, nullptr, nullptr);
  } else if (const auto* begins = std::get_if<syntax::SortKeyBegins>(&key)) {
    set(Kind::kBegins, begins->prefix, nullptr, nullptr);
  } else if (const auto* before = std::get_if<syntax::SortKeyBefore>(&key)) {
    set(Kind::kBefore, before->end, nullptr, &before->within);
  } else if (const auto* after = std::get_if<syntax::SortKeyAfter>(&key)) {
    set(Kind::kAfter, after->start, nullptr, &after->within);
  } else if (const auto* between = std::get_if<syntax::SortKeyBetween>(&key)) {
    set(Kind::kBetween, between->first, &between->last, nullptr);
  } else if (const auto* from = std::get_if<syntax::SortKeyFrom>(&key)) {
    set(Kind::kFrom, from->first, &from->before, nullptr);
  }
  return range;
}

const Index* ResolveIndex(const Resolving& in, const syntax::Name& name) {
  std::vector<std::string> candidates;
  for (const Index& index : in.model.table.indexes) {
    if (index.name == name.text) return &index;
    candidates.push_back(index.name);
  }
  AddUnknown(in.diagnostics, "N1", name.position, name.text, "an index of the table", candidates);
  return nullptr;
}

void ResolveMerge(const Resolving& in, const Scope& scope, const syntax::Name& name) {
  const Attribute* attribute = ResolveAttribute(in, scope, name);
  if (attribute == nullptr || attribute->type.kind == TypeKind::kEnum) return;
  AddError(
      in.diagnostics, "N3", name.position,
      fmt::format("`{}` is not an enum, so its values cannot be asked for one by one", name.text));
}

// Whether the key that is read has a sort key that `sk` can be about.
void CheckHasSortKey(const Resolving& in, const Query& query) {
  const std::string& sort_key =
      query.index != nullptr ? query.index->sort_key : in.model.table.sort_key;
  if (query.sort_key.kind == SortKeyRange::Kind::kAll || !sort_key.empty()) return;
  AddError(
      in.diagnostics, "N3", query.sort_key.first.position(),
      fmt::format("{} has no sort key", query.index != nullptr ? query.index->name : "the table"),
      "remove the `sk` part");
}

Query ResolveQuery(const Resolving& in, const Scope& scope, const syntax::Query& tree) {
  Query query;
  if (tree.index) query.index = ResolveIndex(in, *tree.index);
  query.partition_key = ResolveQueryTemplate(in, scope, tree, tree.partition_key);
  query.sort_key = ResolveRange(in, scope, tree);
  if (!tree.index || query.index != nullptr) CheckHasSortKey(in, query);
  for (const syntax::Name& name : tree.only)
    ResolveKinds(in, name, query.only);
  if (tree.filter) ResolveCondition(in, scope, *tree.filter);
  query.filter = tree.filter;
  if (tree.merge) {
    ResolveMerge(in, scope, *tree.merge);
    query.merge = tree.merge->text;
  }
  query.order = tree.order.value_or(syntax::Order::kAscending);
  if (tree.sort) ResolveAttribute(in, scope, *tree.sort);
  query.sort = tree.sort;
  query.limit = tree.limit;
  query.hydrate = tree.hydrate;
  query.is_consistent = tree.consistent;
  query.consistent_position = tree.consistent_position;
  if (tree.match) {
    ResolveAttribute(in, scope, tree.match->attribute);
    ResolveParameter(in, scope, tree.match->parameter);
  }
  query.match = tree.match;
  return query;
}

struct ActionResolver {
  const Resolving& in;
  const syntax::Access& tree;
  Access& access;

  void operator()(const syntax::GetItem& get) const {
    CheckSingle();
    access.action = Get{.is_consistent = get.consistent};
  }
  void operator()(const syntax::CreateItem&) const {
    CheckSingle();
    CheckEntities();
    const Scope scope = ScopeOf(access);
    for (const syntax::Parameter& parameter : tree.parameters)
      ResolveAttribute(in, scope, parameter.name);
    access.action = Create{};
  }
  void operator()(const syntax::UpdateItem&) const {
    CheckSingle();
    CheckEntities();
    access.action = Update{};
  }
  void operator()(const syntax::DeleteItem&) const {
    CheckSingle();
    CheckEntities();
    access.action = Delete{};
  }
  void operator()(const syntax::Query& query) const {
    access.action = ResolveQuery(in, ScopeOf(access), query);
  }

 private:
  void CheckSingle() const {
    if (tree.results.size() == 1 && !tree.results.front().many) return;
    AddError(in.diagnostics, "N3", tree.results.front().name.position,
             "one item is meant here: only a query gives several", "remove the `*`");
  }
  void CheckEntities() const {
    for (const KindReference& result : access.results) {
      if (result.mirror == nullptr) continue;
      AddError(in.diagnostics, "N3", tree.results.front().name.position,
               fmt::format("{} is a mirror, which follows its entity and is not written itself",
                           result.mirror->name));
    }
  }
};

void ResolveResults(const Resolving& in, const std::vector<syntax::AccessResult>& results,
                    Access& access) {
  for (const syntax::AccessResult& result : results) {
    ResolveKinds(in, result.name, access.results);
    access.is_many = access.is_many || result.many;
  }
}

void FillAccess(const Resolving& in, const syntax::Access& tree, Access& access) {
  ResolveResults(in, tree.results, access);
  const bool is_write = std::holds_alternative<syntax::CreateItem>(tree.action) ||
                        std::holds_alternative<syntax::UpdateItem>(tree.action);
  ResolveAccessParameters(in, tree.parameters, is_write, access);
  std::visit(ActionResolver{in, tree, access}, tree.action);
  if (!tree.tenant) return;
  ResolveParameter(in, ScopeOf(access), *tree.tenant);
  access.tenant = tree.tenant->text;
}

}  // namespace

void ResolveAccesses(const Resolving& in) {
  std::size_t next = 0;
  for (const auto& statement : in.tree.declarations.statements) {
    if (next == in.model.accesses.size()) return;
    Access& access = in.model.accesses[next];
    if (const auto* tree = std::get_if<syntax::Access>(&statement.content)) {
      if (tree->name.text != access.name) continue;
      FillAccess(in, *tree, access);
      ++next;
    } else if (const auto* external = std::get_if<syntax::ExternalAccess>(&statement.content)) {
      if (external->name.text != access.name) continue;
      ResolveResults(in, external->results, access);
      ResolveAccessParameters(in, external->parameters, false, access);
      access.action = External{.by = external->by.text};
      ++next;
    }
  }
}

}  // namespace trestle::design
