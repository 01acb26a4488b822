#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/job_run_internal.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/writer_internal.h"

namespace trestle::design {
namespace {

constexpr int kAttemptsMax = 50;
constexpr std::int64_t kStepsMax = 10'000;
constexpr std::int64_t kWaitMsMax = 64;

// How an item reads after the request.
TypedItem After(const Model& model, const EntityChange& change,
                std::span<const WriteItem> actions) {
  if (!change.next) {
    const auto typed = change.old ? Recognise(model, change.old->item.view()) : std::nullopt;
    return typed ? *typed : TypedItem{.kind = {.entity = change.entity}};
  }
  if (std::ranges::find(actions, ActionKind::kPut, &WriteItem::kind) != actions.end()) {
    const auto key =
        change.old ? KeyOf(model, *change.entity, *change.next) : Result<value::Item>(change.key);
    const auto put = std::ranges::find_if(actions, [&](const WriteItem& it) {
      return it.kind == ActionKind::kPut && key.ok() && KeyPart(model, it.item.view()) == *key;
    });
    auto typed = put != actions.end() ? Recognise(model, put->item.view()) : std::nullopt;
    if (typed) return *std::move(typed);
  }
  TypedItem item{.kind = {.entity = change.entity}, .record = *change.next};
  const bool is_counted = !change.is_maintenance &&
                          !ChangesOnlyCounters(*change.entity, change.old->record, *change.next);
  const bool has_lock = !model.table.lock.empty() && !change.entity->is_append_only;
  if (has_lock)
    item.version = VersionOf(model, change.old->item.view()).value_or(0) + (is_counted ? 1 : 0);
  return item;
}

// A transaction names each item once: what the caller asks of one that the plan has too becomes
// part of that action's condition.
void Join(const Model& model, const std::string& table, const WriteItem& added,
          std::vector<WriteItem>& actions) {
  const auto same = std::ranges::find_if(actions, [&](const WriteItem& it) {
    return added.kind == ActionKind::kCheck && added.table == table && it.table == table &&
           KeyPart(model, it.item.view()) == added.item;
  });
  if (same == actions.end()) {
    actions.push_back(added);
    return;
  }
  same->condition = same->condition.empty()
                        ? added.condition
                        : fmt::format("({}) AND ({})", same->condition, added.condition);
  same->expressions.names.insert(added.expressions.names.begin(), added.expressions.names.end());
  same->expressions.values.insert(added.expressions.values.begin(), added.expressions.values.end());
}

}  // namespace

void Writer::WaitBeforeAttempt(int attempt) {
  if (attempt < 2) return;
  const std::int64_t longest = std::min(kWaitMsMax, std::int64_t{1} << std::min(attempt, 6));
  const auto wait =
      static_cast<std::int64_t>(state_.random.Next() % static_cast<std::uint64_t>(longest * 1000));
  std::this_thread::sleep_for(std::chrono::microseconds(wait));
}

Status Writer::Send(std::span<const WriteItem> actions) {
  if (actions.size() > kTransactActionsMax) {
    return Error(ErrorCode::kLimitExceeded,
                 fmt::format("this takes {} actions, and a transaction has at most {}",
                             actions.size(), kTransactActionsMax));
  }
  if (actions.size() == 1 && actions.front().kind != ActionKind::kCheck) {
    return state_.backend.Write(actions.front());
  }
  return state_.backend.Transact(actions, state_.random.Uuid());
}

Result<Writer::Planned> Writer::Plan(const PlanInput& input, Batch& batch,
                                     const WriteOptions& options) {
  const auto plan_all = [&](std::vector<EntityChange>& changes) -> Result<Planned> {
    WritePlan plan = TRY(WritePlan::Make(input, changes));
    std::vector<WriteItem> actions = TRY(plan.Actions());
    for (const Job& job : batch.jobs)
      actions.push_back(PutJob(state_.model, state_.table, job));
    for (const WriteItem& added : options.together_with)
      Join(state_.model, state_.table, added, actions);
    return Planned{std::move(plan), std::move(actions)};
  };
  if (!batch.followers.empty()) {
    std::vector<EntityChange> all = batch.changes;
    std::ranges::copy(batch.followers, std::back_inserter(all));
    Planned planned = TRY(plan_all(all));
    if (planned.actions.size() <= kTransactActionsMax) {
      all.resize(batch.changes.size());
      batch.changes = std::move(all);
      return planned;
    }
  }
  return plan_all(batch.changes);
}

Result<std::vector<TypedItem>> Writer::Commit(const Prepare& prepare, const WriteOptions& options) {
  std::set<std::string> missing_parents;
  Attempt learnt;
  bool has_made_maps = false;
  PlanInput input{.model = state_.model,
                  .table = state_.table,
                  .find = [&](const value::Item& key) { return Find(key, true); },
                  .missing_parents = missing_parents};
  for (int attempt = 0; attempt < kAttemptsMax;) {
    Batch batch = TRY(prepare(learnt));
    input.moves = batch.moves;
    const auto [plan, actions] = TRY(Plan(input, batch, options));
    const Status sent = actions.empty() ? Ok() : Send(actions);
    if (sent.ok()) {
      std::vector<TypedItem> items;
      items.reserve(batch.changes.size());
      for (const EntityChange& change : batch.changes)
        if (change.old || change.next) items.push_back(After(state_.model, change, actions));
      return items;
    }
    auto why = plan.Explain(sent.error());
    if (const auto* error = std::get_if<Error>(&why)) {
      const auto maps = plan.MissingMaps();
      const bool may_be_maps = error->code() == ErrorCode::kValidation && !maps.empty();
      if (!may_be_maps || has_made_maps) return *error;
      // Items that others have written may lack the map of their counters.
      has_made_maps = true;
      for (const WriteItem& map : maps) {
        const Status made = state_.backend.Write(map);
        if (!made.ok() && made.error().code() != ErrorCode::kConditionalCheckFailed) {
          return made.error();
        }
      }
      continue;
    }
    auto& again = std::get<WritePlan::PlanAgain>(why);
    missing_parents.merge(again.missing_parents);
    for (const value::Item& key : again.unfinished_jobs)
      TRY(FinishJob(key));
    if (again.is_collision && ++learnt.step_ms <= kStepsMax) continue;
    learnt.is_without_followers = attempt > 2;
    WaitBeforeAttempt(++attempt);
  }
  return Error(ErrorCode::kTransactionConflict,
               "others kept changing the same items; nothing was changed");
}

Status Writer::FinishJob(const value::Item& key) {
  const auto item = TRY(Find(key, true));
  if (!item) return Ok();
  const auto job = TRY(ReadJob(state_.model, item->view()));
  return job ? RunJob(state_, *job) : Ok();
}

Status Writer::LetArrive(const ItemState& item) {
  const auto job = item.item.Find(kArriving);
  if (!job || job->type() != value::Type::kS) return Ok();
  return FinishJob(JobKey(state_.model, job->text()));
}

Result<std::optional<value::Item>> Writer::Find(const value::Item& key, bool is_consistent) {
  return state_.backend.Get({.table = state_.table, .key = key, .is_consistent = is_consistent});
}

// What callers do not know of a key is in a mirror; what they do not know of the mirror's own key
// is copied from a parent that they know.
Result<Writer::FoundVia> Writer::FindVia(const Entity& entity, const Record& identity,
                                         bool is_consistent) {
  Record known = identity;
  for (const Relation& relation : entity.relations) {
    if (relation.copies.empty()) continue;
    const auto parent_key = ParentKey(state_.model, relation, identity);
    if (!parent_key) continue;
    const auto parent = TRY(Find(*parent_key, is_consistent));
    const auto typed = parent ? Recognise(state_.model, parent->view()) : std::nullopt;
    if (!typed) continue;
    for (const Copy& copy : relation.copies) {
      const auto value = typed->record.Find(copy.from);
      if (value) known.Set(copy.to, std::string(value->bytes()));
    }
  }
  const Mirror& mirror = *entity.identity_via;
  const auto mirror_key = KeyOf(state_.model, mirror, entity.attributes, known);
  if (!mirror_key.ok()) return FoundVia{};
  const auto found = TRY(Find(*mirror_key, is_consistent));
  if (!found) return FoundVia{};
  const auto typed = Recognise(state_.model, found->view());
  if (!typed || typed->kind.mirror != &mirror) return FoundVia{};
  for (const auto& [name, value] : typed->record.attributes())
    known.Set(name, value);
  const value::Item key = TRY(KeyOf(state_.model, entity, known));
  return FoundVia{.has_mirror = true, .item = TRY(Find(key, is_consistent))};
}

Result<std::optional<ItemState>> Writer::Load(std::span<const Entity* const> entities,
                                              const Record& identity, bool is_consistent) {
  constexpr int kMovesMax = 20;  // an item may move between its mirror's reading and its own
  const Entity& entity = *entities.front();
  const Record checked = TRY(state_.validator.Identity(entity, identity));
  std::optional<value::Item> item;
  if (entity.identity_via == nullptr) {
    const value::Item key = TRY(KeyOf(state_.model, entity, checked));
    item = TRY(Find(key, is_consistent));
  } else {
    bool has_mirror = true;
    for (int i = 0; i < kMovesMax && has_mirror && !item; ++i) {
      FoundVia found = TRY(FindVia(entity, checked, is_consistent));
      has_mirror = found.has_mirror;
      item = std::move(found.item);
    }
  }
  auto typed = item ? Recognise(state_.model, item->view()) : std::nullopt;
  const bool is_one = typed && std::ranges::find(entities, typed->kind.entity) != entities.end();
  if (!is_one) return std::optional<ItemState>();
  return std::optional(ItemState{*std::move(item), std::move(typed->record), typed->kind.entity});
}

}  // namespace trestle::design
