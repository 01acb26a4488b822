// What an item must be by itself and beside the items that it names. What must be known of all
// items is in verify.cc.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/hash.h"
#include "design/children.h"
#include "design/condition.h"
#include "design/follow_change_internal.h"
#include "design/job_run_internal.h"
#include "design/maintain_item_internal.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/syntax/template_text.h"
#include "design/values.h"
#include "design/verify_internal.h"
#include "design/write_plan.h"

namespace trestle::design {
namespace {

using syntax::PathText;
using value::ValueView;

std::string_view Bytes(const std::optional<ValueView>& value) {
  return value ? value->bytes() : std::string_view();
}

// For people.
std::string Shown(const std::optional<ValueView>& value) {
  if (!value) return "nothing";
  switch (value->type()) {
    case value::Type::kS:
      return fmt::format("\"{}\"", value->text());
    case value::Type::kN:
      return value::NumberText(value->number());
    case value::Type::kBool:
      return value->boolean() ? "true" : "false";
    default:
      return fmt::format("another {}", TypeName(value->type()));
  }
}

// The keys of indexes that the entity's attributes do not hold themselves, and the tag.
std::set<std::string> DerivedNames(const Model& model, const Entity& entity) {
  std::set<std::string> names;
  for (const Index& index : model.table.indexes) {
    names.insert(index.partition_key);
    names.insert(index.sort_key);
  }
  for (const Attribute& attribute : entity.attributes)
    if (!attribute.computed) names.erase(attribute.name);
  for (const Attribute& attribute : entity.attributes)
    if (attribute.computed) names.insert(attribute.name);
  names.insert(model.table.discriminator);
  names.erase("");
  names.erase(model.table.partition_key);
  names.erase(model.table.sort_key);
  return names;
}

}  // namespace

// Only what was read is replaced: who has changed it meanwhile has made it right.
Status VerifyRound::ReplaceAt(const value::Item& item, const Path& path, std::string value) {
  WriteItem write{.kind = ActionKind::kUpdate,
                  .table = state_.table,
                  .item = KeyPart(state_.model, item.view())};
  const std::string name = PathAlias(write.expressions, path);
  const Record stored(item.view());
  const auto held = stored.Find(path);
  const auto raw = path.parts.size() == 1 ? item.Find(path.parts.front()) : std::nullopt;
  write.update = value.empty() ? fmt::format("REMOVE {}", name)
                               : fmt::format("SET {} = {}", name,
                                             ValueAlias(write.expressions, std::move(value)));
  if (held || raw) {
    const std::string_view bytes = held ? held->bytes() : raw->bytes();
    write.condition =
        fmt::format("{} = {}", name, ValueAlias(write.expressions, std::string(bytes)));
  } else {
    write.condition = fmt::format("attribute_not_exists({}) AND attribute_exists({})", name,
                                  NameAlias(write.expressions, state_.model.table.partition_key));
  }
  Status written = state_.backend.Write(write);
  if (!written.ok() && written.error().code() == ErrorCode::kConditionalCheckFailed) return Ok();
  return written;
}

Status VerifyRound::CheckNulls(const value::Item& item) {
  for (const value::AttributeView attribute : item.view().attributes()) {
    if (attribute.value.type() != value::Type::kNull) continue;
    const Path path{.position = {}, .parts = {std::string(attribute.name)}};
    TRY(Report(DriftKind::kNull,
               fmt::format("{} has NULL in {}", KeyWords(item.view()), attribute.name),
               [&] { return ReplaceAt(item, path, {}); }));
  }
  return Ok();
}

Status VerifyRound::CheckEntity(const value::Item& item, const TypedItem& typed,
                                const Found& found) {
  TRY(CheckKeys(item, typed));
  for (const Relation& relation : typed.kind.entity->relations)
    TRY(CheckRelation(item, typed, relation, found));
  TRY(CheckMirrors(typed, found));
  TRY(CheckUniques(item, typed, found));
  return CheckAverages(item, typed);
}

Status VerifyRound::CheckKeys(const value::Item& item, const TypedItem& typed) {
  const Entity& entity = *typed.kind.entity;
  const value::Item key = KeyPart(state_.model, item.view());
  const auto stored = StoredEntity(state_.model, entity, typed.record);
  if (!stored.ok()) {
    return Report(DriftKind::kWrongKey,
                  fmt::format("{} has no key by the design: {}", KeyWords(item.view()),
                              stored.error().message()),
                  {});
  }
  const value::Item expected_key = KeyPart(state_.model, stored->ToItem().view());
  if (expected_key != key) {
    return Report(
        DriftKind::kWrongKey,
        fmt::format("{} should be {}", KeyWords(item.view()), KeyWords(expected_key.view())),
        [&] { return RewriteItem(state_, key); });
  }
  for (const std::string& name : DerivedNames(state_.model, entity)) {
    const auto expected = stored->Find(name);
    const auto held = item.Find(name);
    if (Bytes(held) == Bytes(expected)) continue;
    const Path path{.position = {}, .parts = {name}};
    TRY(Report(DriftKind::kWrongIndexKey,
               fmt::format("{} has {} in {}, it should be {}", ItemWords(entity, typed.record),
                           Shown(held), name, Shown(expected)),
               [&] { return ReplaceAt(item, path, std::string(Bytes(expected))); }));
  }
  return Ok();
}

Status VerifyRound::CheckRelation(const value::Item& item, const TypedItem& typed,
                                  const Relation& relation, const Found& found) {
  const auto parent_key = ParentKey(state_.model, relation, typed.record);
  if (!parent_key) return Ok();
  Count(typed, relation, *parent_key);
  const value::Item key = KeyPart(state_.model, item.view());
  const auto at = found.find(parent_key->bytes());
  const auto parent = at == found.end() ? std::nullopt : Recognise(state_.model, at->second.view());
  if (!parent) {
    // With `ignore` a child may outlive its parent.
    if (!relation.must_exist || relation.on_delete == DeleteRule::kIgnore) return Ok();
    Mend mend;
    if (relation.on_delete != DeleteRule::kRestrict)
      mend = [&] { return MendOrphan(state_, relation, key); };
    return Report(
        DriftKind::kOrphan,
        fmt::format("{} belongs to a {} that is not there",
                    ItemWords(*typed.kind.entity, typed.record), relation.parents.front()->name),
        mend);
  }
  for (const Copy& copy : relation.copies) {
    const auto held = typed.record.Find(copy.to);
    const auto expected = parent->record.Find(copy.from);
    if (Bytes(held) == Bytes(expected)) continue;
    TRY(Report(
        DriftKind::kWrongCopy,
        fmt::format("{} has {} in {}, its {} has {}", ItemWords(*typed.kind.entity, typed.record),
                    Shown(held), PathText(copy.to), parent->kind.kind().name, Shown(expected)),
        [&] { return CopyFrom(state_, relation, key, parent->record); }));
  }
  return Ok();
}

Status VerifyRound::CheckMirrors(const TypedItem& typed, const Found& found) {
  for (const Mirror* mirror : typed.kind.entity->mirrors) {
    const auto stored = StoredMirror(state_.model, *mirror, typed.record);
    if (!stored.ok() || !*stored) continue;
    const value::Item expected = (*stored)->ToItem();
    const value::Item key = KeyPart(state_.model, expected.view());
    mirrors_.insert(StableHash(key.bytes()));
    const auto at = found.find(key.bytes());
    if (at != found.end() && at->second == expected) continue;
    const bool is_missing = at == found.end();
    TRY(Report(
        is_missing ? DriftKind::kMissingMirror : DriftKind::kWrongMirror,
        fmt::format("the {} of {} {}", mirror->name, ItemWords(*typed.kind.entity, typed.record),
                    is_missing ? "is not there" : "does not hold what the item holds"),
        [&] {
          return state_.backend.Write(
              {.kind = ActionKind::kPut, .table = state_.table, .item = expected});
        }));
  }
  return Ok();
}

Status VerifyRound::CheckUniques(const value::Item& item, const TypedItem& typed,
                                 const Found& found) {
  const Entity& entity = *typed.kind.entity;
  for (const Unique& unique : entity.uniques) {
    const auto key = UniqueGuardKey(state_.model, entity, unique, typed.record);
    if (!key) continue;
    const value::Item guard = UniqueGuard(state_.model, *key, KeyPart(state_.model, item.view()));
    const auto at = found.find(key->bytes());
    if (at != found.end() && at->second == guard) continue;
    const std::string words = ItemWords(entity, typed.record);
    if (at != found.end()) {
      TRY(Report(
          DriftKind::kTakenGuard,
          fmt::format("{} has what another {} has (unique {})", words, entity.name, unique.name),
          {}));
      continue;
    }
    TRY(Report(DriftKind::kMissingGuard,
               fmt::format("nothing keeps {} unique (unique {})", words, unique.name), [&] {
                 WriteItem put{.kind = ActionKind::kPut, .table = state_.table, .item = guard};
                 put.condition =
                     fmt::format("attribute_not_exists({})",
                                 NameAlias(put.expressions, state_.model.table.partition_key));
                 const Status written = state_.backend.Write(put);
                 const bool is_taken =
                     !written.ok() && written.error().code() == ErrorCode::kConditionalCheckFailed;
                 return is_taken ? Ok() : written;
               }));
  }
  return Ok();
}

Status VerifyRound::CheckAverages(const value::Item& item, const TypedItem& typed) {
  const Record stored(item.view());
  for (const Path& path : AveragesOf(*typed.kind.entity)) {
    if (!stored.Find(CountOfAverage(path))) continue;
    const auto expected = Average(stored, path);
    const auto held = stored.Find(path);
    if (Bytes(held) == (expected ? std::string_view(*expected) : std::string_view())) continue;
    TRY(Report(DriftKind::kWrongAverage,
               fmt::format("{} has {} in {}", ItemWords(*typed.kind.entity, typed.record),
                           Shown(held), PathText(path)),
               [&] { return StoreAverages(state_, *typed.kind.entity, item); }));
  }
  return Ok();
}

}  // namespace trestle::design
