#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/children.h"
#include "design/condition.h"
#include "design/job_run_internal.h"
#include "design/maintain_item_internal.h"
#include "design/recognise.h"
#include "design/runtime_internal.h"
#include "design/stored_item.h"
#include "design/values.h"
#include "design/visit_children_internal.h"

namespace trestle::design {
namespace {

bool StillBelongs(const Relation& relation, const Record& parent, const Record& child) {
  const TypedItem item{.kind = {.entity = relation.child}, .record = child};
  return IsChildOf(relation, parent, item) &&
         Holds(relation.when, child, relation.child->attributes);
}

bool CanChangeParent(const Entity& child, const Relation& relation) {
  return std::ranges::any_of(relation.links, [&](const Link& link) {
    const Attribute* attribute = child.FindAttribute(link.attribute);
    return attribute == nullptr || !(attribute->is_immutable || attribute->is_key_only);
  });
}

// Whether nothing but the item itself goes when it goes with this parent: then many go at once.
bool GoesAlone(const Entity& child, const Relation& relation) {
  const bool counts_elsewhere = std::ranges::any_of(
      child.relations, [&](const Relation& it) { return &it != &relation && !it.tallies.empty(); });
  const bool has_followers = std::ranges::any_of(child.child_relations, [](const Relation* it) {
    return it->on_delete == DeleteRule::kCascade || it->on_delete == DeleteRule::kDetach;
  });
  return !counts_elsewhere && !has_followers && child.mirrors.empty() && child.uniques.empty() &&
         !CanChangeParent(child, relation);
}

// While the job is there, nothing can have been created where the parent was. Somebody else may
// finish it at any moment, so each step makes sure.
WriteItem StillToDo(const RuntimeState& state, const Job& job) {
  WriteItem check{
      .kind = ActionKind::kCheck, .table = state.table, .item = JobKey(state.model, job.id)};
  check.condition = fmt::format("{} = {}", NameAlias(check.expressions, "~nonce"),
                                ValueAlias(check.expressions, EncodeText(job.nonce)));
  return check;
}

// Sends deletes with a check that comes last. Ok when that does not hold: there is nothing left to
// do then.
Status SendChecked(RuntimeState& state, const std::vector<WriteItem>& actions) {
  Status sent = state.backend.Transact(actions, state.random.Uuid());
  if (sent.ok() || sent.error().code() != ErrorCode::kTransactionCanceled) return sent;
  const ErrorDetails* details = sent.error().details();
  const bool is_done = details != nullptr && !details->reasons.empty() &&
                       details->reasons.back().has_value() &&
                       details->reasons.back()->code() == ErrorCode::kConditionalCheckFailed;
  if (is_done) return Ok();
  return Error(ErrorCode::kTransactionConflict, sent.error().message());
}

Status CascadeTogether(RuntimeState& state, const Relation& relation, const Record& parent,
                       const Maintenance& maintenance) {
  std::vector<WriteItem> deletes;
  const auto flush = [&]() -> Status {
    if (deletes.empty()) return Ok();
    std::vector<WriteItem> actions = std::exchange(deletes, {});
    if (maintenance.together_with.empty() || !state.backend.features().has_transactions)
      return state.backend.BatchWrite(actions);
    std::ranges::copy(maintenance.together_with, std::back_inserter(actions));
    return SendChecked(state, actions);
  };
  TRY(VisitChildren(
      state, relation, parent, [&](const value::Item& key, const TypedItem&) -> Status {
        deletes.push_back({.kind = ActionKind::kDelete, .table = state.table, .item = key});
        return deletes.size() < kBatchWriteRequestsMax ? Ok() : flush();
      }));
  return flush();
}

Status CascadeOneByOne(RuntimeState& state, const Relation& relation, const Record& parent,
                       const Maintenance& maintenance) {
  return VisitChildren(state, relation, parent, [&](const value::Item& key, const TypedItem&) {
    return RemoveItem(
        state, key, [&](const Record& now) { return StillBelongs(relation, parent, now); },
        maintenance);
  });
}

Record Detached(const Relation& relation, Record record) {
  for (const std::string& name : relation.detach)
    record.Remove(name);
  return record;
}

Status Detach(RuntimeState& state, const Relation& relation, const Record& parent,
              const Maintenance& maintenance) {
  const auto detach = [&](const Record& now) -> std::optional<Record> {
    if (!StillBelongs(relation, parent, now)) return std::nullopt;
    return Detached(relation, now);
  };
  return VisitChildren(state, relation, parent, [&](const value::Item& key, const TypedItem&) {
    return MaintainItem(state, key, detach, maintenance);
  });
}

Status FollowDelete(RuntimeState& state, const Entity& entity, const Record& parent,
                    const Maintenance& maintenance) {
  for (const Relation* relation : entity.child_relations) {
    switch (relation->on_delete) {
      case DeleteRule::kCascade:
        TRY(GoesAlone(*relation->child, *relation)
                ? CascadeTogether(state, *relation, parent, maintenance)
                : CascadeOneByOne(state, *relation, parent, maintenance));
        break;
      case DeleteRule::kDetach:
        TRY(Detach(state, *relation, parent, maintenance));
        break;
      case DeleteRule::kIgnore:
      case DeleteRule::kRestrict:
        break;
    }
  }
  return Ok();
}

// Children that were not moved in their parent's own transaction. What they copy of it is the same
// at its new place, unless it is what has moved it.
Status FollowRekey(RuntimeState& state, const Job& job, Maintenance maintenance) {
  const value::Item old_key = TRY(KeyOf(state.model, *job.entity, job.parent));
  const value::Item new_key = TRY(KeyOf(state.model, *job.entity, job.next));
  maintenance.moves.emplace(old_key.bytes(), new_key.bytes());
  for (const Relation* relation : job.entity->child_relations) {
    if (!relation->on_rekey_move) continue;
    const auto move = [&](const Record& now) -> std::optional<Record> {
      if (!StillBelongs(*relation, job.parent, now)) return std::nullopt;
      Record next = now;
      for (const Link& link : relation->links)
        if (const auto value = job.next.Find(link.parent_attribute))
          next.Set(link.attribute, std::string(value->bytes()));
      for (const Copy& copy : relation->copies)
        if (const auto value = job.next.Find(copy.from))
          next.Set(copy.to, std::string(value->bytes()));
      return next;
    };
    TRY(VisitChildren(state, *relation, job.parent, [&](const value::Item& key, const TypedItem&) {
      return MaintainItem(state, key, move, maintenance);
    }));
  }
  return Ok();
}

Status MarkArrived(RuntimeState& state, const Job& job) {
  WriteItem mark{.kind = ActionKind::kUpdate,
                 .table = state.table,
                 .item = TRY(KeyOf(state.model, *job.entity, job.next))};
  const std::string arriving = NameAlias(mark.expressions, kArriving);
  mark.update = "REMOVE " + arriving;
  mark.condition =
      fmt::format("{} = {}", arriving, ValueAlias(mark.expressions, EncodeText(job.id)));
  Status marked = state.backend.Write(mark);
  if (!marked.ok() && marked.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return marked;
}

}  // namespace

Status FollowDelete(RuntimeState& state, const Entity& entity, const Record& parent) {
  return FollowDelete(state, entity, parent, {});
}

Status MendOrphan(RuntimeState& state, const Relation& relation, const value::Item& child_key) {
  if (relation.on_delete == DeleteRule::kCascade)
    return RemoveItem(state, child_key, [](const Record&) { return true; });
  return MaintainItem(state, child_key, [&](const Record& now) { return Detached(relation, now); });
}

Status RunJob(RuntimeState& state, const Job& job) {
  const WriteItem still_to_do = StillToDo(state, job);
  switch (job.kind) {
    case JobKind::kDelete:
      TRY(FollowDelete(state, *job.entity, job.parent, {.together_with = {still_to_do}}));
      break;
    case JobKind::kRekey:
      TRY(FollowRekey(state, job, {.together_with = {still_to_do}}));
      TRY(MarkArrived(state, job));
      break;
  }
  WriteItem remove = still_to_do;
  remove.kind = ActionKind::kDelete;
  const Status removed = state.backend.Write(remove);
  const bool is_removed =
      !removed.ok() && removed.error().code() == ErrorCode::kConditionalCheckFailed;
  return is_removed ? Ok() : removed;
}

}  // namespace trestle::design
