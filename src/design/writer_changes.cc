#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/children.h"
#include "design/condition.h"
#include "design/condition_words.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/time_text.h"
#include "design/write_plan_internal.h"
#include "design/writer_internal.h"

// What each kind of change asks before it is planned, and what it draws after it.

namespace trestle::design {
namespace {

// A move takes two actions of each item; the rest is left for the parent, its mirrors and counts.
constexpr std::size_t kMovedChildrenMax = 48;
constexpr std::size_t kMovedBytesMax = kTransactBytesMax / 4;

// The one attribute of a design's `monotonic` entity, moved on.
void StepOn(const Entity& entity, std::int64_t step_ms, Record& record) {
  for (const Attribute& attribute : entity.attributes) {
    if (!attribute.is_monotonic || step_ms == 0) continue;
    const auto text = record.FindText(attribute.name);
    const auto unix_ms = text ? ParseTimestamp(*text) : std::nullopt;
    if (!unix_ms) continue;
    const bool is_ms = attribute.type.precision == syntax::Precision::kMilliseconds;
    record.SetText(attribute.name, TimestampText(*unix_ms + step_ms * (is_ms ? 1 : 1000),
                                                 attribute.type.precision));
  }
}

QueryPlace PlaceOf(RuntimeState& state) {
  return {.model = state.model,
          .backend = state.backend,
          .table = state.table,
          .now_unix_ms = state.clock.NowUnixMs()};
}

// A count of all children, whatever they are like.
const Tally* WholeCount(const Relation& relation) {
  const auto found = std::ranges::find_if(relation.tallies, [&](const Tally& tally) {
    return tally.kind == Derived::kCount && !tally.when;
  });
  return relation.when || found == relation.tallies.end() ? nullptr : &*found;
}

}  // namespace

Status Writer::CheckVersion(const ItemState& old, const WriteOptions& options) const {
  if (!options.expected_version) return Ok();
  const std::int64_t version = VersionOf(state_.model, old.item.view()).value_or(0);
  if (version == *options.expected_version) return Ok();
  return Error(ErrorCode::kConditionalCheckFailed,
               fmt::format("the {} is at version {}, not {}", ItemWords(*old.entity, old.record),
                           version, *options.expected_version));
}

Status Writer::AddWhere(const Entity& entity, const Record& now, const Record& words,
                        const ValueSources& sources, const WriteOptions& options,
                        EntityChange& change) const {
  if (options.where == nullptr) return Ok();
  ValueSources of_where = sources;
  of_where.identifiers = nullptr;
  if (options.arguments != nullptr) of_where.arguments = options.arguments;
  Guard guard{.kind = Guard::Kind::kCondition,
              .condition = options.where,
              .entity = &entity,
              .sources = of_where,
              .message = fmt::format("{}: it does not hold that {}", ItemWords(entity, words),
                                     ConditionWords(*options.where))};
  if (!Evaluate(*options.where, now, {.attributes = entity.attributes, .sources = of_where})) {
    return Error(guard.code, guard.message);
  }
  change.guards.push_back(std::move(guard));
  return Ok();
}

Status Writer::AddCreate(Batch& batch, const Entity& entity, const Record& given,
                         const ValueSources& sources, const Attempt& attempt,
                         const WriteOptions& options) {
  Record next = TRY(state_.validator.ForCreate(entity, given, sources, options.fields));
  if (options.check) TRY(options.check(next));
  StepOn(entity, attempt.step_ms, next);
  value::Item key = TRY(KeyOf(state_.model, entity, next));
  EntityChange change{.entity = &entity, .key = std::move(key)};
  TRY(AddWhere(entity, Record(), next, sources, options, change));
  change.next = std::move(next);
  batch.changes.push_back(std::move(change));
  return Ok();
}

Status Writer::AddUpdate(Batch& batch, ItemState old, Record next, const ValueSources& sources,
                         const Attempt& attempt, const WriteOptions& options) {
  if (options.check) TRY(options.check(next));
  const Entity& entity = *old.entity;
  if (entity.is_append_only && !options.is_maintenance) {
    return ValidationError(fmt::format("a {} is never changed", entity.name));
  }
  TRY(CheckVersion(old, options));
  EntityChange change{.entity = &entity,
                      .key = KeyPart(state_.model, old.item.view()),
                      .expected_version = options.expected_version,
                      .is_maintenance = options.is_maintenance};
  TRY(AddWhere(entity, old.record, old.record, sources, options, change));
  value::Item next_key = TRY(KeyOf(state_.model, entity, next));
  if (next_key != change.key) {
    TRY(LetArrive(old));
    // A create checks this in its transaction. Here that would cost a child its place in it, and
    // what is asked for could only be missed if something came and went there in between.
    if (HasFollowers(entity)) TRY(FinishJob(JobKey(state_.model, JobId(entity, next_key))));
    TRY(AddMovedChildren(batch, old, next, attempt));
  }
  change.old = std::move(old);
  change.next = std::move(next);
  change.next_key = std::move(next_key);
  batch.changes.push_back(std::move(change));
  return Ok();
}

Status Writer::AddDelete(Batch& batch, ItemState old, const ValueSources& sources,
                         const Attempt& attempt, const WriteOptions& options) {
  const Entity& entity = *old.entity;
  if (entity.is_append_only && !options.is_maintenance) {
    return ValidationError(fmt::format("a {} is never deleted by itself", entity.name));
  }
  TRY(CheckVersion(old, options));
  EntityChange change{.entity = &entity,
                      .key = KeyPart(state_.model, old.item.view()),
                      .expected_version = options.expected_version,
                      .is_maintenance = options.is_maintenance};
  TRY(AddWhere(entity, old.record, old.record, sources, options, change));
  TRY(LetArrive(old));
  if (!options.is_maintenance) TRY(CheckRestrict(old, change));
  const bool has_followers =
      std::ranges::any_of(entity.child_relations, [](const Relation* relation) {
        return relation->on_delete == DeleteRule::kCascade ||
               relation->on_delete == DeleteRule::kDetach;
      });
  if (has_followers) {
    // The job is left in any case: it finds the children that came while this was on its way.
    batch.jobs.push_back(MakeJob(JobKind::kDelete, old));
    if (!attempt.is_without_followers) TRY(AddFollowers(batch, old));
  }
  change.old = std::move(old);
  batch.changes.push_back(std::move(change));
  return Ok();
}

// A parent that counts all its children is deleted only while the count is what was read, so no
// child can come in between. Without a count, one that is created between the question and the
// delete stays behind as an orphan, and so does one that an index does not know yet; `verify`
// finds it.
Status Writer::CheckRestrict(const ItemState& old, EntityChange& change) {
  for (const Relation* relation : old.entity->child_relations) {
    if (relation->on_delete != DeleteRule::kRestrict) continue;
    bool has_children = false;
    if (const Tally* count = WholeCount(*relation)) {
      const auto number = old.record.Find(count->into);
      has_children =
          number && number->type() == value::Type::kN && DecodeNumber(*number) > value::Number();
      change.guards.push_back(Unchanged(old.item, count->into));
    }
    if (!has_children) {
      const auto children = TRY(FindChildren(PlaceOf(state_), *relation, old.record, 1));
      has_children = !children.empty();
    }
    if (has_children) {
      return Error(ErrorCode::kConditionalCheckFailed,
                   fmt::format("the {} cannot be deleted: it has a {}",
                               ItemWords(*old.entity, old.record), relation->child->name));
    }
  }
  return Ok();
}

Job Writer::MakeJob(JobKind kind, const ItemState& old) {
  const std::int64_t now = state_.clock.NowUnixMs();
  return {.id = JobId(*old.entity, KeyPart(state_.model, old.item.view())),
          .kind = kind,
          .entity = old.entity,
          .parent = old.record,
          .at = TimestampText(now, syntax::Precision::kMilliseconds),
          .nonce = state_.identifiers.Ulid(now)};
}

// Few children move with their parent, in its transaction. The job finds those that are more, and
// those that were created while this was on its way.
Status Writer::AddMovedChildren(Batch& batch, const ItemState& old, const Record& next,
                                const Attempt& attempt) {
  std::vector<EntityChange> moved;
  std::size_t bytes = 0;
  bool has_movers = false;
  for (const Relation* relation : old.entity->child_relations) {
    if (!relation->on_rekey_move) continue;
    has_movers = true;
    if (attempt.is_without_followers) break;
    // Those that others move with go one by one, each with a job of its own.
    if (HasMovers(*relation->child)) continue;
    const auto children =
        TRY(FindChildren(PlaceOf(state_), *relation, old.record, kMovedChildrenMax + 1));
    for (const TypedItem& child : children) {
      const Entity* const entity = relation->child;
      auto state = TRY(Load(std::span(&entity, 1), child.record));
      if (!state) continue;
      bytes += state->item.view().size_bytes();
      moved.push_back(Moved(*relation, *std::move(state), next));
    }
  }
  if (!has_movers) return Ok();
  Job job = MakeJob(JobKind::kRekey, old);
  job.next = next;
  batch.jobs.push_back(std::move(job));
  if (moved.size() > kMovedChildrenMax || bytes > kMovedBytesMax) return Ok();
  std::ranges::move(moved, std::back_inserter(batch.followers));
  return Ok();
}

// A child with the links that its parent has now.
EntityChange Writer::Moved(const Relation& relation, ItemState child, const Record& parent) const {
  Record next = child.record;
  for (const Link& link : relation.links) {
    const auto value = parent.Find(link.parent_attribute);
    if (value) next.Set(link.attribute, std::string(value->bytes()));
  }
  EntityChange change{.entity = child.entity,
                      .key = KeyPart(state_.model, child.item.view()),
                      .is_maintenance = true};
  change.old = std::move(child);
  change.next = std::move(next);
  return change;
}

}  // namespace trestle::design
