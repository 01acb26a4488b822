#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/changed_names.h"
#include "design/condition.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/validate.h"
#include "design/write_plan_internal.h"

// What a change of an item means for its parents: they must be there, their attributes are copied,
// and they count and sum.

namespace trestle::design {
namespace {

using value::Number;
using value::Type;

// The parent's record as far as the child names it, for sentences.
std::string ParentWords(const Relation& relation, const Record& child) {
  Record named;
  for (const Link& link : relation.links) {
    const auto value = child.Find(link.attribute);
    if (value) named.Set(link.parent_attribute, value->bytes());
  }
  return ItemWords(*relation.parents.front(), named);
}

// What a child adds; nothing when it does not count.
std::optional<Number> Contribution(const Relation& relation, const Tally& tally,
                                   const Record& child) {
  if (!Holds(tally.when, child, relation.child->attributes)) return std::nullopt;
  if (!tally.attribute) return Number::FromInteger(1);
  const auto value = child.Find(*tally.attribute);
  if (!value) return std::nullopt;
  return value->type() == Type::kN ? DecodeNumber(*value) : Number();
}

// Whether something has changed that says who the parent is, or what it counts.
bool LooksAt(const Relation& relation, const ChangedNames& changed) {
  std::vector<std::string> names;
  const auto add = [&](const std::optional<Condition>& condition) {
    if (condition) AppendAttributes(*condition, names);
  };
  add(relation.when);
  for (const Link& link : relation.links)
    names.push_back(link.attribute);
  for (const Tally& tally : relation.tallies) {
    add(tally.when);
    if (tally.attribute) names.push_back(tally.attribute->parts.front());
  }
  return std::ranges::any_of(names, [&](const auto& name) { return changed.Contains(name); });
}

bool IsDerived(const Entity& entity, const Path& path) {
  const Attribute* attribute = FindAttribute(entity.attributes, path);
  return attribute != nullptr && (attribute->derived != Derived::kNo || attribute->is_counter);
}

bool IsCreated(const EntityChange* change) {
  return change != nullptr && change->next && !change->old;
}

// Whether a change of the parent fails when somebody else has changed it meanwhile. One that only
// checks or counts does not.
bool IsGuarded(const EntityChange* change) {
  if (change == nullptr) return false;
  return !change->old || !change->next ||
         !ChangesOnlyCounters(*change->entity, change->old->record, *change->next);
}

void AddGuard(PlannedItem& item, Guard guard) {
  const auto is_same = [&](const Guard& it) {
    return it.kind == guard.kind && it.path.parts == guard.path.parts && it.value == guard.value &&
           it.failure == guard.failure && it.kind != Guard::Kind::kCondition;
  };
  if (std::ranges::none_of(item.guards, is_same)) item.guards.push_back(std::move(guard));
}

}  // namespace

bool Planner::IsSameParent(const std::optional<value::Item>& old_key,
                           const std::optional<value::Item>& next_key) const {
  if (!old_key || !next_key) return !old_key && !next_key;
  if (*old_key == *next_key) return true;
  const auto moved = moves_.find(old_key->bytes());
  return moved != moves_.end() && moved->second == next_key->bytes();
}

Status Planner::FillCopies(EntityChange& change) {
  if (!change.next) return Ok();
  for (const Relation& relation : change.entity->relations) {
    if (relation.copies.empty()) continue;
    const auto old_key =
        change.old ? ParentKey(model_, relation, change.old->record) : std::nullopt;
    const auto next_key = ParentKey(model_, relation, *change.next);
    const bool is_same = change.old && IsSameParent(old_key, next_key);
    // Who follows the parent to its children does not find one that moves on meanwhile.
    if (is_same && !moves_.contains(change.key.bytes())) continue;
    std::optional<ItemState> parent;
    if (next_key) parent = TRY(FindState(*next_key));
    if (is_same && !parent) continue;
    if (next_key && !parent && relation.must_exist) {
      return Error(ErrorCode::kResourceNotFound,
                   fmt::format("there is no {}", ParentWords(relation, *change.next)));
    }
    for (const Copy& copy : relation.copies) {
      const auto value = parent ? parent->record.Find(copy.from) : std::nullopt;
      if (value) {
        change.next->Set(copy.to, std::string(value->bytes()));
      } else {
        change.next->Remove(copy.to);
      }
    }
    // The copy must be of what the parent is at the time of the write: a rename that was followed
    // before this item was there would never reach it.
    if (!next_key || IsGuarded(FindChange(*next_key))) continue;
    PlannedItem& item = plan_.At(*next_key);
    if (!parent) {
      AddGuard(item, {.kind = Guard::Kind::kNotExists, .failure = Guard::Failure::kConflict});
      continue;
    }
    for (const Copy& copy : relation.copies)
      AddGuard(item, Unchanged(parent->item, copy.from));
  }
  return Ok();
}

Status Planner::PlanParents(const EntityChange& change) {
  if (!change.old && !change.next) return Ok();
  std::optional<ChangedNames> changed;
  if (change.old && change.next && moves_.empty())
    changed.emplace(change.old->record, *change.next);
  for (const Relation& relation : change.entity->relations) {
    if (changed && !LooksAt(relation, *changed)) continue;
    const auto old_key =
        change.old ? ParentKey(model_, relation, change.old->record) : std::nullopt;
    const auto next_key = change.next ? ParentKey(model_, relation, *change.next) : std::nullopt;
    const bool is_same = change.old && change.next && IsSameParent(old_key, next_key);
    if (next_key && !is_same && relation.must_exist && !IsCreated(FindChange(*next_key))) {
      AddGuard(plan_.At(*next_key),
               {.kind = Guard::Kind::kExists,
                .code = ErrorCode::kResourceNotFound,
                .message = "there is no " + ParentWords(relation, *change.next)});
    }
    for (const Tally& tally : relation.tallies)
      TRY(PlanTally(change, relation, tally, old_key, next_key));
  }
  return Ok();
}

Status Planner::PlanTally(const EntityChange& change, const Relation& relation, const Tally& tally,
                          const std::optional<value::Item>& old_key,
                          const std::optional<value::Item>& next_key) {
  const auto old_part = old_key ? Contribution(relation, tally, change.old->record) : std::nullopt;
  const auto next_part = next_key ? Contribution(relation, tally, *change.next) : std::nullopt;
  const bool had = old_part.has_value();
  const bool has = next_part.has_value();
  const Number was = old_part.value_or(Number());
  const Number is = next_part.value_or(Number());
  const bool is_same = old_key && next_key && IsSameParent(old_key, next_key);
  const bool is_average = tally.kind == Derived::kAverage;
  const Path into = is_average ? SumOfAverage(tally.into) : tally.into;

  const auto add = [&](const value::Item& parent, const Path& path, const Number& number,
                       bool must_exist) -> Status {
    return Add({.relation = relation,
                .parent = parent,
                .into = path,
                .number = number,
                .must_exist = must_exist});
  };
  const Number one = Number::FromInteger(1);
  const Number minus_one = Number::FromInteger(-1);
  if (is_same) {
    const Number more = TRY(value::Subtract(is, was));
    TRY(add(*next_key, into, more, false));
    if (is_average && had != has) {
      TRY(add(*next_key, CountOfAverage(tally.into), has ? one : minus_one, false));
    }
    return Ok();
  }
  if (had) {
    const Number less = TRY(value::Subtract(Number(), was));
    TRY(add(*old_key, into, less, false));
    if (is_average) TRY(add(*old_key, CountOfAverage(tally.into), minus_one, false));
    // What is taken back must be what was added: sums of sums change without a version.
    if (tally.attribute && IsDerived(*change.entity, *tally.attribute)) {
      AddGuard(plan_.At(change.key), Unchanged(change.old->item, *tally.attribute));
    }
  }
  if (has) {
    TRY(add(*next_key, into, is, relation.must_exist));
    if (is_average) TRY(add(*next_key, CountOfAverage(tally.into), one, relation.must_exist));
  }
  return Ok();
}

Status Planner::Add(const Count& count) {
  if (count.number == Number()) return Ok();
  const EntityChange* change = FindChange(count.parent);
  const bool is_gone = change != nullptr &&
                       ((change->old && !change->next) || moves_.contains(count.parent.bytes()));
  if (is_gone) return Ok();
  if (!count.must_exist && input_.missing_parents.contains(count.parent.bytes())) return Ok();
  PlannedItem& item = plan_.At(count.parent);
  const auto same = std::ranges::find_if(
      item.add, [&](const PlannedItem::Addition& it) { return it.path.parts == count.into.parts; });
  if (same == item.add.end()) {
    item.add.push_back({count.into, count.number});
  } else {
    same->number = TRY(value::Add(same->number, count.number));
  }
  if (change == nullptr && !count.must_exist) {
    AddGuard(item, {.kind = Guard::Kind::kExists, .failure = Guard::Failure::kMissingParent});
  }
  return AddFurther(count);
}

// Sums of sums: what was added to the parent is added to its own parents.
Status Planner::AddFurther(const Count& count) {
  const auto sums_it = [&](const Tally& tally) {
    return tally.attribute && tally.attribute->parts == count.into.parts;
  };
  const bool is_summed = std::ranges::any_of(count.relation.parents, [&](const Entity* entity) {
    return std::ranges::any_of(entity->relations, [&](const Relation& relation) {
      return std::ranges::any_of(relation.tallies, sums_it);
    });
  });
  if (!is_summed) return Ok();
  const auto parent = TRY(FindState(count.parent));
  if (!parent || parent->entity == nullptr) return Ok();
  for (const Relation& relation : parent->entity->relations) {
    const auto further = ParentKey(model_, relation, parent->record);
    if (!further) continue;
    for (const Tally& tally : relation.tallies) {
      if (!sums_it(tally) || !Holds(tally.when, parent->record, parent->entity->attributes)) {
        continue;
      }
      GuardLinks(relation, count.parent, *parent);
      const bool is_average = tally.kind == Derived::kAverage;
      TRY(Add({.relation = relation,
               .parent = *further,
               .into = is_average ? SumOfAverage(tally.into) : tally.into,
               .number = count.number}));
    }
  }
  return Ok();
}

void Planner::GuardLinks(const Relation& relation, const value::Item& key, const ItemState& state) {
  if (FindChange(key) != nullptr) return;
  for (const Link& link : relation.links) {
    const Path path{{}, {link.attribute}};
    const Attribute* attribute = FindAttribute(state.entity->attributes, path);
    const bool is_fixed = attribute == nullptr || attribute->is_immutable || attribute->is_key_only;
    if (!is_fixed) AddGuard(plan_.At(key), Unchanged(state.item, path));
  }
}

}  // namespace trestle::design
