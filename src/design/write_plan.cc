#include "design/write_plan.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/changed_names.h"
#include "design/job.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/validate.h"
#include "design/write_plan_internal.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

bool IsTally(const Attribute& attribute) {
  return attribute.derived == Derived::kCount || attribute.derived == Derived::kSum ||
         attribute.derived == Derived::kAverage;
}

std::string_view Bytes(const std::optional<ValueView>& value) {
  return value ? value->bytes() : std::string_view();
}

// An attribute of the table itself, a key of an index or the tag, that no attribute of the entity
// is. The table's own key is not meant: it never changes.
bool IsOfTable(const Model& model, const Entity& entity, std::string_view name) {
  const Table& table = model.table;
  const bool is_one =
      name == table.discriminator || std::ranges::any_of(table.indexes, [&](const Index& index) {
        return name == index.partition_key || name == index.sort_key;
      });
  return is_one && name != table.partition_key && name != table.sort_key &&
         entity.FindAttribute(name) == nullptr;
}

// The difference between an item as it is stored and as it shall be, as parts of one Update.
class Difference {
 public:
  Difference(const EntityChange& change, const Record& stored, bool is_only_counters,
             PlannedItem& item)
      : old_record_(change.old->record),
        next_record_(*change.next),
        old_(change.old->item.view()),
        next_(stored),
        changed_(old_record_, next_record_),
        changed_in_table_(old_, next_),
        is_only_counters_(is_only_counters),
        item_(item) {}

  void AddAttribute(const Attribute& attribute) {
    // Most attributes stay what they are.
    if (attribute.was.empty() && !changed_.Contains(attribute.name) &&
        !changed_in_table_.Contains(attribute.name)) {
      return;
    }
    AddAttribute(attribute, Path{{}, {attribute.name}});
  }

  void AddTableAttributes(const Model& model, const Entity& entity) {
    if (is_only_counters_) return;
    for (const std::string_view name : changed_in_table_)
      if (IsOfTable(model, entity, name)) Add(Path{{}, {std::string(name)}});
  }

 private:
  void AddAttribute(const Attribute& attribute, const Path& path) {
    if (attribute.is_key_only) return;
    const bool is_touched = Bytes(old_record_.Find(path)) != Bytes(next_record_.Find(path));
    const auto old = old_.Find(path);
    const auto next = next_.Find(path);
    const bool is_map = !attribute.type.members.empty();
    if (is_map && old && next && old->type() == Type::kM && next->type() == Type::kM) {
      for (const Attribute& member : attribute.type.members) {
        Path inner = path;
        inner.parts.push_back(member.name);
        AddAttribute(member, inner);
      }
    } else if (attribute.is_counter) {
      if (is_touched) AddCounter(path);
    } else if (!is_only_counters_ && (is_touched || !IsTally(attribute))) {
      Add(path);
    }
    if (!attribute.was.empty() && !is_only_counters_) AddRemoval(attribute.was);
  }

  void Add(const Path& path) {
    const auto old = old_.Find(path);
    const auto next = next_.Find(path);
    if (Bytes(old) == Bytes(next)) return;
    if (next) {
      item_.set.push_back({path, std::string(next->bytes())});
    } else {
      item_.remove.push_back(path);
    }
  }

  void AddRemoval(const std::string& name) {
    if (old_.Find(name)) item_.remove.push_back(Path{{}, {name}});
  }

  void AddCounter(const Path& path) {
    const auto number = [&](const Record& record) {
      const auto value = record.Find(path);
      return value && value->type() == Type::kN ? DecodeNumber(*value) : value::Number();
    };
    auto by = value::Subtract(number(next_record_), number(old_record_));
    if (by.ok()) item_.add.push_back({path, *std::move(by)});
  }

  const Record& old_record_;
  const Record& next_record_;
  const Record old_;
  const Record& next_;
  const ChangedNames changed_;
  const ChangedNames changed_in_table_;
  const bool is_only_counters_;
  PlannedItem& item_;
};

// The attributes that derived writes change and no version tells of, at any depth.
template <typename Use>
void ForEachDerived(std::span<const Attribute> attributes, const Path& outer, const Use& use) {
  for (const Attribute& attribute : attributes) {
    const bool is_derived = attribute.derived != Derived::kNo || attribute.is_counter;
    if (!is_derived && attribute.type.members.empty()) continue;
    Path path = outer;
    path.parts.push_back(attribute.name);
    if (is_derived) use(attribute, path);
    ForEachDerived(attribute.type.members, path, use);
  }
}

// What the lock of an item becomes, encoded.
std::string NextVersion(const Model& model, const value::Item& item) {
  const auto version = item.Find(model.table.lock);
  const value::Number last =
      version && version->type() == Type::kN ? DecodeNumber(*version) : value::Number();
  const auto next = value::Add(last, value::Number::FromInteger(1));
  return EncodeNumber(next.ok() ? *next : last);
}

bool HasKey(const Record& stored, const value::Item& key) {
  for (const value::AttributeView it : key.view().attributes())
    if (stored.Find(it.name) != it.value) return false;
  return true;
}

// Whether an item that is in the way of a new one is stepped over.
bool IsMonotonic(const Entity& entity) {
  return std::ranges::any_of(entity.attributes, &Attribute::is_monotonic);
}

}  // namespace

std::string ItemWords(const Entity& entity, const Record& record) {
  std::string words = entity.name;
  std::string_view before = " with ";
  for (const std::string& name : entity.identity) {
    const auto value = record.Find(name);
    if (!value) continue;
    words.append(before).append(name).append(" ");
    words += value->type() == Type::kS   ? std::string(value->text())
             : value->type() == Type::kN ? value::NumberText(value->number())
                                         : std::string(TypeName(value->type()));
    before = " and ";
  }
  return words;
}

Error NotFound(const Entity& entity, const Record& record) {
  return {ErrorCode::kResourceNotFound, fmt::format("there is no {}", ItemWords(entity, record))};
}

Guard Unchanged(const value::Item& item, const Path& path) {
  auto value = item.Find(path.parts.front());
  for (std::size_t i = 1; value && i < path.parts.size(); ++i)
    value = value->type() == Type::kM ? value->Find(path.parts[i]) : std::nullopt;
  if (value && value->type() == Type::kNull) value.reset();
  Guard guard{.kind = value ? Guard::Kind::kEquals : Guard::Kind::kAbsent,
              .path = path,
              .failure = Guard::Failure::kConflict};
  if (value) guard.value = value->bytes();
  return guard;
}

PlannedItem& WritePlan::At(const value::Item& key) {
  const auto [place, is_new] = places_.emplace(key.bytes(), items_.size());
  if (is_new) items_.push_back({.key = key});
  return items_[place->second];
}

Result<WritePlan> WritePlan::Make(const PlanInput& input, std::vector<EntityChange>& changes) {
  WritePlan plan(input.model, input.table);
  TRY(Planner(input, changes, plan).Run());
  return plan;
}

Status Planner::Run() {
  for (EntityChange& change : changes_) {
    changes_by_key_.emplace(change.key.bytes(), &change);
    if (!change.next || !change.old) continue;
    const value::Item next_key =
        change.next_key ? *change.next_key : TRY(KeyOf(model_, *change.entity, *change.next));
    if (next_key == change.key) continue;
    changes_by_key_.emplace(next_key.bytes(), &change);
    moves_.emplace(change.key.bytes(), next_key.bytes());
  }
  for (EntityChange& change : changes_)
    TRY(FillCopies(change));
  for (EntityChange& change : changes_) {
    TRY(PlanItem(change));
    TRY(PlanMirrors(change));
    PlanUniques(change);
    TRY(PlanParents(change));
  }
  return Ok();
}

bool Planner::HasLock(const Entity& entity) const {
  return !model_.table.lock.empty() && !entity.is_append_only;
}

Status Planner::PlanItem(EntityChange& change) {
  if (!change.next) {
    if (change.old) {
      PlanDelete(change);
    } else {
      PlannedItem& item = plan_.At(change.key);
      item.guards.insert(item.guards.end(), change.guards.begin(), change.guards.end());
    }
    return Ok();
  }
  Record stored = TRY(StoredEntity(model_, *change.entity, *change.next));
  if (!change.old) {
    PlanCreate(change, std::move(stored));
    return Ok();
  }
  if (HasKey(stored, change.key)) {
    PlanUpdate(change, stored);
  } else {
    const value::Item next_key = KeyPart(model_, stored.ToItem().view());
    PlanMove(change, std::move(stored), next_key);
  }
  return Ok();
}

void Planner::PlanCreate(const EntityChange& change, Record stored) {
  if (HasLock(*change.entity)) stored.Set(model_.table.lock, EncodeInteger(1));
  PlannedItem& item = plan_.At(change.key);
  item.put = std::move(stored);
  item.guards.push_back(
      {.kind = Guard::Kind::kNotExists,
       .failure = IsMonotonic(*change.entity) ? Guard::Failure::kCollision
                  : change.is_upsert          ? Guard::Failure::kConflict
                                              : Guard::Failure::kFinal,
       .message = "there is already a " + ItemWords(*change.entity, *change.next)});
  item.guards.insert(item.guards.end(), change.guards.begin(), change.guards.end());
  GuardJob(*change.entity, change.key);
}

void Planner::GuardJob(const Entity& entity, const value::Item& key) {
  if (!HasFollowers(entity)) return;
  plan_.At(JobKey(model_, JobId(entity, key)))
      .guards.push_back(
          {.kind = Guard::Kind::kNotExists, .failure = Guard::Failure::kUnfinishedJob});
}

// It must be there. Meanwhile it may have moved, or be a child that somebody else has deleted: the
// next attempt finds what there is.
Guard Planner::Exists() {
  return {.kind = Guard::Kind::kExists, .failure = Guard::Failure::kConflict};
}

void Planner::GuardVersion(const EntityChange& change, PlannedItem& item) const {
  const ItemState& old = *change.old;
  item.guards.push_back(Exists());
  item.guards.insert(item.guards.end(), change.guards.begin(), change.guards.end());
  if (!HasLock(*change.entity)) return;
  Guard guard = Unchanged(old.item, Path{{}, {model_.table.lock}});
  if (change.expected_version) {
    guard.failure = Guard::Failure::kFinal;
    guard.message = fmt::format("the {} is no longer at version {}",
                                ItemWords(*change.entity, old.record), *change.expected_version);
  }
  item.guards.push_back(std::move(guard));
}

void Planner::PlanUpdate(const EntityChange& change, const Record& stored) {
  const Entity& entity = *change.entity;
  const ItemState& old = *change.old;
  PlannedItem& item = plan_.At(change.key);
  const bool is_only_counters = ChangesOnlyCounters(entity, old.record, *change.next);
  if (is_only_counters && !change.expected_version) {
    item.guards.push_back(Exists());
    item.guards.insert(item.guards.end(), change.guards.begin(), change.guards.end());
  } else {
    GuardVersion(change, item);
  }
  if (old.record == *change.next) return;
  Difference difference(change, stored, is_only_counters, item);
  for (const Attribute& attribute : entity.attributes)
    difference.AddAttribute(attribute);
  difference.AddTableAttributes(model_, entity);
  if (is_only_counters) return;
  // Copies change without a version, and index keys and mirrors are made from them.
  ForEachDerived(entity.attributes, {}, [&](const Attribute& attribute, const Path& path) {
    if (attribute.derived == Derived::kCopy) item.guards.push_back(Unchanged(old.item, path));
  });
  if (!HasLock(entity)) {
    for (const Attribute& attribute : entity.attributes) {
      if (!IsTally(attribute) && !attribute.is_counter && attribute.type.members.empty()) {
        item.guards.push_back(Unchanged(old.item, Path{{}, {attribute.name}}));
      }
    }
  } else if (!change.is_maintenance) {
    item.set.push_back({Path{{}, {model_.table.lock}}, NextVersion(model_, old.item)});
  }
}

void Planner::PlanMove(const EntityChange& change, Record stored, const value::Item& next_key) {
  const Entity& entity = *change.entity;
  const ItemState& old = *change.old;
  PlannedItem& from = plan_.At(change.key);
  from.is_delete = true;
  GuardVersion(change, from);
  ForEachDerived(entity.attributes, {}, [&](const Attribute& attribute, const Path& path) {
    if (attribute.derived != Derived::kAverage) from.guards.push_back(Unchanged(old.item, path));
  });
  // What the design does not know moves along.
  for (const value::AttributeView it : old.item.view().attributes()) {
    const bool is_known = it.name == model_.table.partition_key ||
                          it.name == model_.table.sort_key || IsOfTable(model_, entity, it.name) ||
                          entity.FindAttribute(it.name) != nullptr;
    if (!is_known) stored.Set(it.name, it.value.bytes());
  }
  if (HasMovers(entity)) stored.SetText(kArriving, JobId(entity, change.key));
  if (HasLock(entity) && !change.is_maintenance) {
    stored.Set(model_.table.lock, NextVersion(model_, old.item));
  }
  PlannedItem& to = plan_.At(next_key);
  to.put = std::move(stored);
  to.guards.push_back(
      {.kind = Guard::Kind::kNotExists,
       .message = fmt::format("there is already a {}", ItemWords(entity, *change.next))});
}

void Planner::PlanDelete(const EntityChange& change) {
  PlannedItem& item = plan_.At(change.key);
  item.is_delete = true;
  GuardVersion(change, item);
}

Status Planner::PlanMirrors(const EntityChange& change) {
  for (const Mirror* mirror : change.entity->mirrors) {
    std::optional<Record> old;
    std::optional<Record> next;
    if (change.old) old = TRY(StoredMirror(model_, *mirror, change.old->record));
    if (change.next) next = TRY(StoredMirror(model_, *mirror, *change.next));
    if (!change.old && !change.next) continue;
    if (old == next) continue;
    const auto key_of = [&](const std::optional<Record>& it) {
      return it ? KeyPart(model_, it->ToItem().view()) : value::Item();
    };
    const value::Item old_key = key_of(old);
    const value::Item next_key = key_of(next);
    const bool is_moved = !old || !next || old_key != next_key;
    if (old && is_moved) plan_.At(old_key).is_delete = true;
    if (!next) continue;
    PlannedItem& item = plan_.At(next_key);
    item.put = std::move(next);
    if (!is_moved) continue;
    // Of the same instant, as the item itself: a later one has another mirror.
    const bool may_step = !change.old && IsMonotonic(*change.entity);
    item.guards.push_back(
        {.kind = Guard::Kind::kNotExists,
         .failure = may_step ? Guard::Failure::kCollision : Guard::Failure::kFinal,
         .message =
             fmt::format("another {} is the {} of the same", change.entity->name, mirror->name)});
  }
  return Ok();
}

void Planner::PlanUniques(const EntityChange& change) {
  if (!change.old && !change.next) return;
  for (const Unique& unique : change.entity->uniques) {
    const auto key_of = [&](const Record* record) {
      return record == nullptr ? std::nullopt
                               : UniqueGuardKey(model_, *change.entity, unique, *record);
    };
    const auto old = key_of(change.old ? &change.old->record : nullptr);
    const auto next = key_of(change.next ? &*change.next : nullptr);
    const auto moved = moves_.find(change.key.bytes());
    if (old == next && moved == moves_.end()) continue;
    if (old && old != next) plan_.At(*old).is_delete = true;
    if (!next) continue;
    const value::Item owner_key = moved == moves_.end() ? change.key : value::Item(moved->second);
    PlannedItem& item = plan_.At(*next);
    item.turn = Turn::kFirst;
    item.put = Record(UniqueGuard(model_, *next, owner_key).view());
    if (old == next) continue;
    item.guards.push_back(
        {.kind = Guard::Kind::kNotExists,
         .message = fmt::format("another {} has this {} already (unique {})", change.entity->name,
                                fmt::join(unique.attributes, " and "), unique.name)});
  }
}

EntityChange* Planner::FindChange(const value::Item& key) const {
  const auto found = changes_by_key_.find(key.bytes());
  return found == changes_by_key_.end() ? nullptr : found->second;
}

Result<std::optional<ItemState>> Planner::FindState(const value::Item& key) {
  if (const EntityChange* change = FindChange(key)) {
    const bool is_left = moves_.contains(key.bytes());
    if (!change->next && change->old) return std::optional<ItemState>();
    if (change->next && !is_left) {
      return std::optional(ItemState{change->old ? change->old->item : value::Item(), *change->next,
                                     change->entity});
    }
    if (is_left) return std::optional<ItemState>();
  }
  const auto known = states_.find(key.bytes());
  if (known != states_.end()) return known->second;
  auto item = TRY(input_.find(key));
  std::optional<ItemState> state;
  if (item) {
    auto typed = Recognise(model_, item->view());
    if (typed) state = ItemState{*std::move(item), std::move(typed->record), typed->kind.entity};
  }
  states_.emplace(key.bytes(), state);
  return state;
}

}  // namespace trestle::design
