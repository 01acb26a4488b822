#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "design/children.h"
#include "design/condition.h"
#include "design/follow_change_internal.h"
#include "design/follower.h"
#include "design/job.h"
#include "design/job_run_internal.h"
#include "design/maintain_item_internal.h"
#include "design/recognise.h"
#include "design/runtime_internal.h"
#include "design/stored_item.h"
#include "design/visit_children_internal.h"
#include "design/write_plan.h"

namespace trestle::design {
namespace {

using value::ValueView;

constexpr std::string_view kJobNames = "job#";
constexpr std::string_view kExpiryNames = "expiry#";
constexpr int kAttemptsMax = 20;

std::string_view Bytes(const std::optional<ValueView>& value) {
  return value ? value->bytes() : std::string_view();
}

bool DiffersIn(const Relation& relation, const Record& child, const Record& parent) {
  return std::ranges::any_of(relation.copies, [&](const Copy& copy) {
    return Bytes(child.Find(copy.to)) != Bytes(parent.Find(copy.from));
  });
}

std::optional<Record> WithCopies(const Relation& relation, const Record& now,
                                 const Record& parent) {
  const TypedItem child{.kind = {.entity = relation.child}, .record = now};
  if (!IsChildOf(relation, parent, child)) return std::nullopt;
  Record next = now;
  for (const Copy& copy : relation.copies) {
    const auto value = parent.Find(copy.from);
    if (value) {
      next.Set(copy.to, std::string(value->bytes()));
    } else {
      next.Remove(copy.to);
    }
  }
  return next;
}

void AppendAverages(std::span<const Attribute> attributes, const Path& outer,
                    std::vector<Path>& paths) {
  for (const Attribute& attribute : attributes) {
    Path path = outer;
    path.parts.push_back(attribute.name);
    AppendAverages(attribute.type.members, path, paths);
    if (attribute.derived == Derived::kAverage) paths.push_back(std::move(path));
  }
}

}  // namespace

StepRecord StepsOf(RuntimeState& state, const value::Item& item) {
  const Table& table = state.model.table;
  return {state.backend,
          state.table,
          {.partition_key = table.partition_key, .sort_key = table.sort_key},
          item.view()};
}

bool IsOwnNote(const Model& model, const Change& change) {
  const value::ItemView key = change.keys.view();
  return IsInternal(model, key) && !IsNamed(model, key, kJobNames) &&
         !IsNamed(model, key, kStepsNames);
}

Status ChangeFollower::Follow(const Change& change) {
  const Model& model = state_.model;
  if (IsInternal(model, change.keys.view())) {
    if (IsNamed(model, change.keys.view(), kStepsNames)) return FollowSteps(change);
    return IsNamed(model, change.keys.view(), kJobNames) ? FollowJob(change) : Ok();
  }
  const auto old_item =
      change.old_image ? Recognise(model, change.old_image->view()) : std::nullopt;
  const auto new_item =
      change.new_image ? Recognise(model, change.new_image->view()) : std::nullopt;
  if (change.is_expiry && !new_item && old_item && old_item->kind.entity != nullptr)
    return FollowExpiry(*old_item, change);
  if (!new_item || new_item->kind.entity == nullptr) return Ok();
  TRY(FollowAverages(*new_item, change));
  const bool is_same_kind = old_item && old_item->kind == new_item->kind;
  return FollowCopies(is_same_kind ? &*old_item : nullptr, *new_item, change);
}

// The item is read again: a job that is done is not begun again by who reads its change again.
Status ChangeFollower::FollowJob(const Change& change) {
  const auto item =
      TRY(state_.backend.Get({.table = state_.table, .key = change.keys, .is_consistent = true}));
  if (!item) return Ok();
  const auto job = TRY(ReadJob(state_.model, item->view()));
  return job ? RunJob(state_, *job) : Ok();
}

// What comes behind the record of a transaction that is on its way waits until that is over.
Status ChangeFollower::FollowSteps(const Change& change) {
  if (!change.new_image) return Ok();
  const auto item =
      TRY(state_.backend.Get({.table = state_.table, .key = change.keys, .is_consistent = true}));
  if (!item) return Ok();
  if (!IsLeft(item->view(), state_.clock.NowUnixMs()))
    return Error(ErrorCode::kTransactionConflict, "a transaction is on its way");
  return StepsOf(state_, *item).TakeBackAll();
}

// What is copied is what the parent holds now: a later change may have been followed already.
Status ChangeFollower::FollowCopies(const TypedItem* old_item, const TypedItem& new_item,
                                    const Change& change) {
  std::optional<TypedItem> parent;
  for (const Relation* relation : new_item.kind.entity->child_relations) {
    // A parent that must exist is there before its children, which copied what it held.
    if (old_item == nullptr && relation->must_exist) continue;
    const Record none;
    const Record& was = old_item == nullptr ? none : old_item->record;
    const bool is_changed = std::ranges::any_of(relation->copies, [&](const Copy& copy) {
      return Bytes(was.Find(copy.from)) != Bytes(new_item.record.Find(copy.from));
    });
    if (!is_changed) continue;
    if (!parent) {
      const auto item = TRY(
          state_.backend.Get({.table = state_.table, .key = change.keys, .is_consistent = true}));
      parent = item ? Recognise(state_.model, item->view()) : std::nullopt;
      if (!parent) return Ok();
    }
    TRY(VisitChildren(state_, *relation, parent->record,
                      [&](const value::Item& key, const TypedItem& child) -> Status {
                        if (!DiffersIn(*relation, child.record, parent->record)) return Ok();
                        return MaintainItem(state_, key, [&](const Record& now) {
                          return WithCopies(*relation, now, parent->record);
                        });
                      }));
  }
  return Ok();
}

Status ChangeFollower::FollowAverages(const TypedItem& new_item, const Change& change) {
  return StoreAverages(state_, *new_item.kind.entity, *change.new_image);
}

std::vector<Path> AveragesOf(const Entity& entity) {
  std::vector<Path> paths;
  AppendAverages(entity.attributes, {}, paths);
  return paths;
}

Status CopyFrom(RuntimeState& state, const Relation& relation, const value::Item& child_key,
                const Record& parent) {
  return MaintainItem(state, child_key,
                      [&](const Record& now) { return WithCopies(relation, now, parent); });
}

Status StoreAverages(RuntimeState& state, const Entity& entity, const value::Item& item) {
  const Record stored(item.view());
  for (const Path& path : AveragesOf(entity)) {
    const Path sum = SumOfAverage(path);
    const Path count = CountOfAverage(path);
    const auto average = Average(stored, path);
    const bool is_known = stored.Find(count).has_value();
    const std::string_view now = average ? std::string_view(*average) : std::string_view();
    if (!is_known || Bytes(stored.Find(path)) == now) continue;

    WriteItem write{.kind = ActionKind::kUpdate,
                    .table = state.table,
                    .item = KeyPart(state.model, item.view())};
    ExpressionNames& names = write.expressions;
    const std::string name = PathAlias(names, path);
    write.update = average ? fmt::format("SET {} = {}", name, ValueAlias(names, *average))
                           : fmt::format("REMOVE {}", name);
    // Another value of them is another change, which is followed in its turn.
    for (const Path& from : {sum, count}) {
      const auto value = stored.Find(from);
      if (!write.condition.empty()) write.condition += " AND ";
      write.condition += value ? fmt::format("{} = {}", PathAlias(names, from),
                                             ValueAlias(names, std::string(value->bytes())))
                               : fmt::format("attribute_not_exists({})", PathAlias(names, from));
    }
    Status written = state.backend.Write(write);
    const bool is_late =
        !written.ok() && written.error().code() == ErrorCode::kConditionalCheckFailed;
    if (!written.ok() && !is_late) return written;
  }
  return Ok();
}

// An item that expired took part in no transaction. What one that deletes it would have done beside
// it is done here, and a mark with the change's sequence number in the place of the delete makes
// sure that it is done once.
Status ChangeFollower::FollowExpiry(const TypedItem& old_item, const Change& change) {
  const Entity& entity = *old_item.kind.entity;
  const value::Item mark =
      InternalKey(state_.model, fmt::format("{}{}", kExpiryNames, change.sequence));
  std::set<std::string> missing_parents;
  const auto find = [&](const value::Item& key) {
    return state_.backend.Get({.table = state_.table, .key = key, .is_consistent = true});
  };
  // Somebody may have made the item again; its mirrors and guards are then those of the new one.
  const bool is_back = TRY(find(change.keys)).has_value();
  Status done = Ok();
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    std::vector<EntityChange> changes;
    changes.push_back({.entity = &entity,
                       .key = change.keys,
                       .old = ItemState{*change.old_image, old_item.record, &entity},
                       .is_maintenance = true});
    const WritePlan plan = TRY(WritePlan::Make({.model = state_.model,
                                                .table = state_.table,
                                                .find = find,
                                                .missing_parents = missing_parents},
                                               changes));
    std::vector<WriteItem> actions = TRY(plan.Actions());
    std::size_t place = 0;
    for (std::size_t i = 0; i < actions.size(); ++i)
      if (KeyPart(state_.model, actions[i].item.view()) == change.keys) place = i;
    WriteItem& marking = actions.at(place);
    marking = {.kind = ActionKind::kPut, .table = state_.table, .item = mark};
    marking.condition =
        fmt::format("attribute_not_exists({})",
                    NameAlias(marking.expressions, state_.model.table.partition_key));
    if (is_back)
      std::erase_if(actions, [](const WriteItem& it) { return it.kind == ActionKind::kDelete; });

    done = state_.backend.Transact(actions, state_.random.Uuid());
    if (done.ok()) break;
    const ErrorDetails* details = done.error().details();
    const bool is_marked = done.error().code() == ErrorCode::kTransactionCanceled &&
                           details != nullptr && place < details->reasons.size() &&
                           details->reasons[place].has_value() &&
                           details->reasons[place]->code() == ErrorCode::kConditionalCheckFailed;
    if (is_marked) {
      done = Ok();
      break;
    }
    auto why = plan.Explain(done.error());
    if (const auto* error = std::get_if<Error>(&why)) return *error;
    missing_parents.merge(std::get<WritePlan::PlanAgain>(why).missing_parents);
  }
  if (!done.ok()) return done;
  forgotten_.push_back({.kind = ActionKind::kDelete, .table = state_.table, .item = mark});
  return is_back ? Ok() : FollowDelete(state_, entity, old_item.record);
}

Status ChangeFollower::ForgetExpiries() {
  if (forgotten_.empty()) return Ok();
  TRY(state_.backend.BatchWrite(forgotten_));
  forgotten_.clear();
  return Ok();
}

}  // namespace trestle::design
