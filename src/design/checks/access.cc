#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "design/checks/checks_internal.h"
#include "design/syntax/template_text.h"

// A1 to A12: whether each access pattern finds what it says, all of it and nothing else.

namespace trestle::design {
namespace {

using syntax::PathText;

// The kinds that a query is meant to give.
const std::vector<KindReference>& WantedOf(const Access& access, const Query& query) {
  return query.only.empty() ? access.results : query.only;
}

bool Contains(const std::vector<KindReference>& kinds, const KindReference& kind) {
  return std::ranges::find(kinds, kind) != kinds.end();
}

std::string KindNames(const std::vector<KindReference>& kinds) {
  std::vector<std::string_view> names;
  names.reserve(kinds.size());
  for (const KindReference& kind : kinds)
    names.push_back(kind.kind().name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// A query of fewer parts than a partition key has.
bool IsPartOfKey(const ReadRange& range, const StoredForm& form) {
  return HaveCommonText(range.partition_key.ProperlyExtended(), form.partition_key);
}

// A1, A3: something must be in the range.
void CheckWriters(const Checking& in, const Access& access, const Query& query,
                  const ReadRange& range) {
  for (const KindReference& kind : WantedOf(access, query)) {
    bool is_found = false;
    const StoredForm* partly = nullptr;
    for (const StoredForm& form : in.forms) {
      if (!(form.kind == kind) || !form.IsIn(query.index)) continue;
      is_found = is_found || range.CanRead(form);
      if (!HaveCommonText(range.partition_key, form.partition_key) && IsPartOfKey(range, form))
        partly = &form;
    }
    if (is_found) continue;
    const std::string& name = kind.kind().name;
    if (partly != nullptr) {
      AddError(in.diagnostics, "A3", query.partition_key.position(),
               fmt::format("{} is only the beginning of the partition key {} of {}",
                           Quoted(query.partition_key), Quoted(partly->key->partition_key), name),
               fmt::format("pk {}", Quoted(partly->key->partition_key)));
      continue;
    }
    const Position position = query.sort_key.kind == SortKeyRange::Kind::kAll
                                  ? query.partition_key.position()
                                  : query.sort_key.first.position();
    std::string suggestion = fmt::format("give {} an index key that is in this range", name);
    for (const StoredForm& form : in.forms) {
      if (form.kind == kind && form.IsIn(query.index) && form.key->sort_key) {
        suggestion = fmt::format("{} has pk {} sk {} there", name, Quoted(form.key->partition_key),
                                 Quoted(*form.key->sort_key));
      }
    }
    AddError(in.diagnostics, "A1", position,
             fmt::format("no {} is ever in this range of {}", name, SpaceName(query.index)),
             std::move(suggestion));
  }
}

// A5: `after "NOTE#{x}"` goes on behind all notes.
bool LeavesPrefix(const Query& query) {
  const SortKeyRange& range = query.sort_key;
  const bool is_open =
      range.kind == SortKeyRange::Kind::kBefore || range.kind == SortKeyRange::Kind::kAfter;
  if (!is_open || range.within) return false;
  return !range.first.parts().empty() &&
         std::holds_alternative<std::string>(range.first.parts().front());
}

void CheckOpenEnd(const Checking& in, const Query& query) {
  const auto& prefix = std::get<std::string>(query.sort_key.first.parts().front());
  AddError(
      in.diagnostics, "A5", query.sort_key.first.position(),
      fmt::format("the range goes {} \"{}\", to whatever else is in the partition",
                  query.sort_key.kind == SortKeyRange::Kind::kAfter ? "beyond" : "before", prefix),
      fmt::format("within \"{}\"", prefix));
}

// A2, A6: what else is there.
void CheckStrangers(const Checking& in, const Access& access, const Query& query,
                    const ReadRange& range) {
  std::vector<KindReference> strangers;
  for (const StoredForm& form : in.forms) {
    if (!form.IsIn(query.index) || Contains(WantedOf(access, query), form.kind)) continue;
    if (!Contains(strangers, form.kind) && range.CanRead(form)) strangers.push_back(form.kind);
  }
  if (strangers.empty()) return;
  const Position position = query.sort_key.kind == SortKeyRange::Kind::kAll
                                ? query.partition_key.position()
                                : query.sort_key.first.position();
  if (query.only.empty()) {
    AddError(in.diagnostics, "A2", position,
             fmt::format("{} {} in this range too", KindNames(strangers),
                         strangers.size() == 1 ? "is" : "are"),
             fmt::format("only {}", KindNames(access.results)));
  } else {
    AddWarning(in.diagnostics, "A6", position,
               fmt::format("{} {} read too, and thrown away", KindNames(strangers),
                           strangers.size() == 1 ? "is" : "are"),
               "read an index that holds these alone");
  }
}

// The first test of a condition that few items meet.
const syntax::Comparison* Narrow(const Condition& condition) {
  if (const auto* comparison = std::get_if<syntax::Comparison>(&condition.is))
    return comparison->comparator == syntax::Comparator::kEqual ? comparison : nullptr;
  const auto* junction = std::get_if<syntax::Junction>(&condition.is);
  if (junction == nullptr || junction->connective == syntax::Connective::kOr) return nullptr;
  for (const Condition& operand : junction->operands) {
    if (const syntax::Comparison* narrow = Narrow(operand)) return narrow;
  }
  return nullptr;
}

void CheckFilter(const Checking& in, const Query& query) {
  const syntax::Comparison* narrow = query.filter ? Narrow(*query.filter) : nullptr;
  if (narrow == nullptr) return;
  AddWarning(in.diagnostics, "A6", narrow->path.position,
             fmt::format("all items are read, and those with another `{}` thrown away",
                         PathText(narrow->path)),
             fmt::format("an index with {{{}}} in its key", PathText(narrow->path)));
}

bool HasPlaceholder(const KeyTemplate& key_template, std::string_view name) {
  return std::ranges::any_of(key_template.Attributes(),
                             [&](const std::string& it) { return it == name; });
}

std::string_view TenantOf(const Checking& in, const Access& access) {
  return access.tenant.empty() ? std::string_view(in.model.tenant)
                               : std::string_view(access.tenant);
}

// A4: no access of a design with a tenant reads another tenant's partition.
void CheckTenant(const Checking& in, const Access& access) {
  if (in.model.tenant.empty() || std::holds_alternative<External>(access.action)) return;
  const std::string_view tenant = TenantOf(in, access);
  const auto* query = std::get_if<Query>(&access.action);
  bool is_bound = query == nullptr || HasPlaceholder(query->partition_key, tenant);
  if (query == nullptr) {
    const bool is_parameter =
        std::ranges::find(access.parameters, tenant, &Parameter::name) != access.parameters.end();
    for (const KindReference& result : access.results) {
      is_bound = is_bound && is_parameter &&
                 std::ranges::all_of(result.kind().keys, [&](const KeyForm& key) {
                   return HasPlaceholder(key.partition_key, tenant);
                 });
    }
  }
  if (is_bound) return;
  AddError(
      in.diagnostics, "A4", query == nullptr ? access.position : query->partition_key.position(),
      fmt::format("`{}` does not bind the tenant `{}` in its partition key", access.name, tenant),
      query == nullptr ? fmt::format("{}({}, ...)", access.name, tenant)
                       : fmt::format("{{{}}} in the partition key, or `tenant parameter`", tenant));
}

// A3 of get, update and delete: they need the whole identity.
void CheckIdentity(const Checking& in, const Access& access) {
  const bool is_keyed = std::holds_alternative<Get>(access.action) ||
                        std::holds_alternative<Update>(access.action) ||
                        std::holds_alternative<Delete>(access.action);
  if (!is_keyed) return;
  for (const KindReference& result : access.results) {
    std::vector<std::string> needed;
    if (result.entity != nullptr) {
      needed = result.entity->identity;
    } else {
      for (const KeyForm& key : result.mirror->keys) {
        needed = key.partition_key.Attributes();
        if (key.sort_key) std::ranges::copy(key.sort_key->Attributes(), std::back_inserter(needed));
      }
    }
    for (const std::string& name : needed) {
      if (std::ranges::find(access.parameters, name, &Parameter::name) != access.parameters.end())
        continue;
      AddError(
          in.diagnostics, "A3", access.position,
          fmt::format("the key of {} needs `{}`, which is no parameter", result.kind().name, name),
          fmt::format("{}({})", access.name, fmt::join(needed, ", ")));
      return;
    }
  }
}

// A8: what an index does not hold.
std::vector<std::string> NotProjected(const Checking& in, const Index& index,
                                      const Entity& entity) {
  std::vector<std::string> missing;
  if (std::holds_alternative<syntax::ProjectAll>(index.projection)) return missing;
  std::set<std::string> held = {in.model.table.partition_key, in.model.table.sort_key,
                                index.partition_key, index.sort_key};
  if (const auto* include = std::get_if<syntax::ProjectInclude>(&index.projection)) {
    for (const syntax::Name& name : include->attributes)
      held.insert(name.text);
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_key_only && !held.contains(attribute.name)) missing.push_back(attribute.name);
  }
  return missing;
}

void CheckIndexRead(const Checking& in, const Access& access, const Query& query) {
  if (query.index == nullptr || query.index->is_local) return;
  if (query.is_consistent) {
    AddError(
        in.diagnostics, "A10", query.consistent_position,
        fmt::format("{} is a global index, which cannot be read consistently", query.index->name),
        "remove `consistent`, or query the table");
  }
  if (query.hydrate) return;
  for (const KindReference& kind : WantedOf(access, query)) {
    if (kind.entity == nullptr) continue;
    const std::vector<std::string> missing = NotProjected(in, *query.index, *kind.entity);
    if (missing.empty()) continue;
    AddError(
        in.diagnostics, "A8", access.position,
        fmt::format("{} does not hold `{}` of {}{}", query.index->name, missing.front(),
                    kind.entity->name,
                    missing.size() == 1 ? "" : fmt::format(" and {} more", missing.size() - 1)),
        "hydrate");
    return;
  }
}

void CheckSort(const Checking& in, const Query& query) {
  if (!query.sort) return;
  AddWarning(in.diagnostics, "A9", query.sort->position,
             fmt::format("the keys are not in the order of `{}`: all items are read, then sorted",
                         PathText(*query.sort)),
             fmt::format("an index with {{{}}} in its sort key", PathText(*query.sort)));
}

void CheckQuery(const Checking& in, const Access& access, const Query& query) {
  const ReadRange range = RangeOf(in.model, access, query);
  CheckWriters(in, access, query, range);
  if (LeavesPrefix(query)) {
    CheckOpenEnd(in, query);
  } else {
    CheckStrangers(in, access, query, range);
  }
  CheckFilter(in, query);
  CheckIndexRead(in, access, query);
  CheckSort(in, query);
}

// A7: an index that is written and never read, or the other way.
void CheckUse(const Checking& in, const Index& index) {
  const bool is_read = std::ranges::any_of(in.model.accesses, [&](const Access& access) {
    const auto* query = std::get_if<Query>(&access.action);
    return query != nullptr && query->index == &index;
  });
  const bool is_written =
      std::ranges::any_of(in.forms, [&](const StoredForm& form) { return form.index == &index; });
  if (is_read && is_written) return;
  AddWarning(in.diagnostics, "A7", index.position,
             is_written ? fmt::format("no access reads {}", index.name)
                        : fmt::format("nothing is in {}", index.name),
             fmt::format("remove {}", index.name));
}

// Whether a query finds items by a value that changes, on an index that follows later.
bool FollowsChange(const Query& query, const Access& access) {
  if (query.index == nullptr || query.index->is_local) return false;
  for (const Parameter& parameter : access.parameters) {
    const bool is_in_key = HasPlaceholder(query.partition_key, parameter.name) ||
                           HasPlaceholder(query.sort_key.first, parameter.name);
    for (const KindReference& result : access.results) {
      const Attribute* attribute = result.of().FindAttribute(parameter.name);
      if (is_in_key && attribute != nullptr && attribute->derived == Derived::kCopy) return true;
    }
  }
  return false;
}

// A11: who is to be changed must not be asked of an index that lags.
void CheckLoops(const Checking& in) {
  for (const Operation& operation : in.model.operations) {
    for (const Step& step : operation.steps) {
      const auto* query =
          step.access == nullptr ? nullptr : std::get_if<Query>(&step.access->action);
      if (query == nullptr || query->index == nullptr || query->index->is_local) continue;
      AddWarning(in.diagnostics, "A11", step.position,
                 fmt::format("`{}` reads {}, which may not know the last writes yet",
                             step.access->name, query->index->name),
                 "an access to the table itself");
    }
  }
  for (const Entity& entity : in.model.entities) {
    for (const Relation& relation : entity.relations) {
      const auto* query =
          relation.through == nullptr ? nullptr : std::get_if<Query>(&relation.through->action);
      if (query == nullptr || !FollowsChange(*query, *relation.through)) continue;
      AddWarning(
          in.diagnostics, "A11", relation.through_position,
          fmt::format("`{}` finds the children by a copied value, on an index that still has "
                      "the old one for a while",
                      relation.through->name),
          "through an access to the table itself, with `filter`");
    }
  }
}

// A12: nobody can ask for it.
void CheckReaders(const Checking& in, const Entity& entity) {
  const bool is_read = std::ranges::any_of(in.model.accesses, [&](const Access& access) {
    return std::ranges::any_of(
        access.results, [&](const KindReference& result) { return &result.of() == &entity; });
  });
  if (is_read) return;
  AddWarning(in.diagnostics, "A12", entity.position,
             fmt::format("no access gives a {}", entity.name),
             fmt::format("access get{}({}) -> {} = get", entity.name,
                         fmt::join(entity.identity, ", "), entity.name));
}

}  // namespace

void CheckAccess(const Checking& in) {
  for (const Access& access : in.model.accesses) {
    if (const auto* query = std::get_if<Query>(&access.action)) CheckQuery(in, access, *query);
    CheckIdentity(in, access);
    CheckTenant(in, access);
  }
  for (const Index& index : in.model.table.indexes)
    CheckUse(in, index);
  for (const Entity& entity : in.model.entities)
    CheckReaders(in, entity);
  CheckLoops(in);
}

}  // namespace trestle::design
