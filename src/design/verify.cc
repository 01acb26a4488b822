#include "design/verify.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/hash.h"
#include "design/condition.h"
#include "design/follow_change_internal.h"
#include "design/job.h"
#include "design/job_run_internal.h"
#include "design/recognise.h"
#include "design/stored_item.h"
#include "design/syntax/template_text.h"
#include "design/values.h"
#include "design/verify_internal.h"
#include "design/write_plan.h"

namespace trestle::design {
namespace {

using syntax::PathText;
using value::Number;
using value::Type;

constexpr int kRoundsMax = 10;
constexpr std::uint32_t kPageItems = 500;
constexpr std::array<std::string_view, 16> kDriftNames = {
    "unknown item",   "NULL",         "wrong key",      "wrong index key",
    "orphan",         "wrong copy",   "wrong count",    "wrong average",
    "missing mirror", "wrong mirror", "extra mirror",   "missing guard",
    "extra guard",    "taken guard",  "unfinished job", "unfinished write"};

std::uint64_t TallyHash(const value::Item& parent, const Path& into) {
  return StableHash(parent.bytes() + PathText(into));
}

}  // namespace

std::string_view DriftName(DriftKind kind) { return kDriftNames[static_cast<std::size_t>(kind)]; }

Result<VerifyReport> Verify(Runtime& runtime, const VerifyOptions& options) {
  VerifyReport report;
  for (int round = 0; round < kRoundsMax; ++round) {
    report.items = 0;
    report.drifts = report.mended;
    VerifyRound verify(runtime.state(), options, report);
    TRY(verify.Run());
    if (verify.mended() == 0) break;
  }
  return report;
}

Status VerifyRound::Run() {
  // What a write in steps has left is no drift of its own.
  if (!state_.backend.features().has_transactions) {
    Status checked = ForEachPage([&](const std::vector<value::Item>& items) -> Status {
      for (const value::Item& item : items)
        TRY(CheckSteps(item));
      return Ok();
    });
    if (!checked.ok()) return checked;
  }
  TRY(ForEachPage([&](const std::vector<value::Item>& items) { return CheckPage(items); }));
  return ForEachPage([&](const std::vector<value::Item>& items) -> Status {
    for (const value::Item& item : items) {
      const auto typed = Recognise(state_.model, item.view());
      if (!typed) continue;
      TRY(typed->kind.entity != nullptr ? CheckTallies(item, *typed) : CheckMirrorItem(item));
    }
    return Ok();
  });
}

Status VerifyRound::ForEachPage(
    const std::function<Status(const std::vector<value::Item>& items)>& use) {
  ReadPage read{.table = state_.table, .limit = kPageItems, .is_consistent = true};
  do {
    const Page page = TRY(state_.backend.Read(read));
    TRY(use(page.items));
    read.exclusive_start_key = page.last_evaluated_key;
  } while (read.exclusive_start_key);
  return Ok();
}

Status VerifyRound::Report(DriftKind kind, std::string sentence, const Mend& mend) {
  Drift drift{.kind = kind, .sentence = std::move(sentence)};
  ++report_.drifts;
  if (options_.repair && mend) {
    TRY(mend());
    drift.is_mended = true;
    ++mended_;
    ++report_.mended;
  }
  if (options_.report) options_.report(drift);
  return Ok();
}

std::string VerifyRound::KeyWords(value::ItemView item) const {
  std::string words;
  for (const std::string* name :
       {&state_.model.table.partition_key, &state_.model.table.sort_key}) {
    const auto value = name->empty() ? std::nullopt : item.Find(*name);
    if (!value) continue;
    words += words.empty() ? "" : " / ";
    words += value->type() == Type::kS ? std::string(value->text()) : "?";
  }
  return words;
}

void VerifyRound::AddNamed(const value::Item& item,
                           std::map<std::string, value::Item>& keys) const {
  const auto typed = Recognise(state_.model, item.view());
  if (!typed || typed->kind.entity == nullptr) return;
  const auto add = [&](const std::optional<value::Item>& key) {
    if (key) keys.emplace(key->bytes(), *key);
  };
  const Entity& entity = *typed->kind.entity;
  for (const Relation& relation : entity.relations)
    add(ParentKey(state_.model, relation, typed->record));
  for (const Unique& unique : entity.uniques)
    add(UniqueGuardKey(state_.model, entity, unique, typed->record));
  for (const Mirror* mirror : entity.mirrors) {
    const auto stored = StoredMirror(state_.model, *mirror, typed->record);
    if (stored.ok() && *stored) add(KeyPart(state_.model, (*stored)->ToItem().view()));
  }
}

Result<VerifyRound::Found> VerifyRound::FindNamed(const std::vector<value::Item>& items) {
  std::map<std::string, value::Item> keys;
  for (const value::Item& item : items)
    AddNamed(item, keys);
  std::vector<value::Item> wanted;
  wanted.reserve(keys.size());
  for (auto& [bytes, key] : keys)
    wanted.push_back(std::move(key));
  Found found;
  if (wanted.empty()) return found;
  std::vector<value::Item> read = TRY(state_.backend.BatchGet(state_.table, wanted, true));
  for (value::Item& item : read) {
    std::string key = std::move(KeyPart(state_.model, item.view())).bytes();
    found.emplace(std::move(key), std::move(item));
  }
  return found;
}

Status VerifyRound::CheckPage(const std::vector<value::Item>& items) {
  const Found found = TRY(FindNamed(items));
  for (const value::Item& item : items) {
    if (IsInternal(state_.model, item.view())) {
      TRY(CheckInternal(item));
      continue;
    }
    ++report_.items;
    TRY(CheckNulls(item));
    const auto typed = Recognise(state_.model, item.view());
    if (!typed) {
      TRY(Report(DriftKind::kUnknownItem,
                 fmt::format("{} is nothing that the design knows", KeyWords(item.view())), {}));
    } else if (typed->kind.entity != nullptr) {
      TRY(CheckEntity(item, *typed, found));
    }
  }
  return Ok();
}

Status VerifyRound::CheckSteps(const value::Item& item) {
  const bool is_left = IsLeft(item.view(), state_.clock.NowUnixMs());
  if (IsNamed(state_.model, item.view(), kStepsNames)) {
    StepRecord record = StepsOf(state_, item);
    // A repair does not wait: a process that is still at it notices, and takes its steps back.
    if (!is_left && (record.is_given_up() || !options_.repair)) return Ok();
    return Report(DriftKind::kUnfinishedWrite,
                  fmt::format("the write of {} was left in its steps", record.at()),
                  [&] { return record.TakeBackAll(); });
  }
  if (!is_left || !IsNamed(state_.model, item.view(), kStepsPartNames)) return Ok();
  const std::string of(Record(item.view()).FindText(kStepsPartOf).value_or(""));
  const auto record = TRY(
      state_.backend.Get({.table = state_.table,
                          .key = InternalKey(state_.model, fmt::format("{}{}", kStepsNames, of)),
                          .is_consistent = true}));
  if (record) return Ok();
  return Report(DriftKind::kUnfinishedWrite,
                fmt::format("{} is a part of a write that is over", KeyWords(item.view())), [&] {
                  return state_.backend.Write({.kind = ActionKind::kDelete,
                                               .table = state_.table,
                                               .item = KeyPart(state_.model, item.view())});
                });
}

Status VerifyRound::CheckInternal(const value::Item& item) {
  const auto job = TRY(ReadJob(state_.model, item.view()));
  if (!job) return CheckGuardItem(item);
  return Report(DriftKind::kUnfinishedJob,
                fmt::format("the children of {} have not all followed it",
                            ItemWords(*job->entity, job->parent)),
                [&] { return RunJob(state_, *job); });
}

// A guard must be that of the item that it names.
Status VerifyRound::CheckGuardItem(const value::Item& item) {
  const Record guard(item.view());
  const auto partition_key = guard.FindText("~pk");
  if (!partition_key) return Ok();
  Record owner_key;
  owner_key.SetText(state_.model.table.partition_key, *partition_key);
  const auto sort_key = guard.FindText("~sk");
  if (sort_key) owner_key.SetText(state_.model.table.sort_key, *sort_key);
  const value::Item key = KeyPart(state_.model, item.view());

  const auto owner = TRY(state_.backend.Get(
      {.table = state_.table, .key = owner_key.ToItem(), .is_consistent = true}));
  const auto typed = owner ? Recognise(state_.model, owner->view()) : std::nullopt;
  if (typed && typed->kind.entity != nullptr) {
    const Entity& entity = *typed->kind.entity;
    const bool is_of_it = std::ranges::any_of(entity.uniques, [&](const Unique& unique) {
      return UniqueGuardKey(state_.model, entity, unique, typed->record) == key;
    });
    if (is_of_it) return Ok();
  }
  return Report(
      DriftKind::kExtraGuard,
      fmt::format("{} keeps a value for an item that does not have it", KeyWords(item.view())),
      [&] {
        return state_.backend.Write(
            {.kind = ActionKind::kDelete, .table = state_.table, .item = key});
      });
}

// What the parent should hold is known when all children have been read.
void VerifyRound::Count(const TypedItem& typed, const Relation& relation,
                        const value::Item& parent) {
  const auto add = [&](const Path& into, const Number& number) {
    Number& sum = tallies_[TallyHash(parent, into)];
    const auto added = value::Add(sum, number);
    if (added.ok()) sum = *added;
  };
  for (const Tally& tally : relation.tallies) {
    if (!Holds(tally.when, typed.record, relation.child->attributes)) continue;
    if (!tally.attribute) {
      add(tally.into, Number::FromInteger(1));
      continue;
    }
    const auto value = typed.record.Find(*tally.attribute);
    if (!value || value->type() != Type::kN) continue;
    const bool is_average = tally.kind == Derived::kAverage;
    add(is_average ? SumOfAverage(tally.into) : tally.into, DecodeNumber(*value));
    if (is_average) add(CountOfAverage(tally.into), Number::FromInteger(1));
  }
}

Status VerifyRound::CheckTallies(const value::Item& item, const TypedItem& typed) {
  const value::Item key = KeyPart(state_.model, item.view());
  const Record stored(item.view());
  std::vector<Path> paths;
  for (const Relation* relation : typed.kind.entity->child_relations) {
    for (const Tally& tally : relation->tallies) {
      const bool is_average = tally.kind == Derived::kAverage;
      paths.push_back(is_average ? SumOfAverage(tally.into) : tally.into);
      if (is_average) paths.push_back(CountOfAverage(tally.into));
    }
  }
  std::ranges::sort(paths, {}, &Path::parts);
  const auto is_same = [](const Path& left, const Path& right) {
    return left.parts == right.parts;
  };
  paths.erase(std::unique(paths.begin(), paths.end(), is_same), paths.end());

  for (const Path& path : paths) {
    const auto counted = tallies_.find(TallyHash(key, path));
    const Number expected = counted == tallies_.end() ? Number() : counted->second;
    const auto value = stored.Find(path);
    const Number held = value && value->type() == Type::kN ? DecodeNumber(*value) : Number();
    if (held == expected) continue;
    TRY(Report(
        DriftKind::kWrongTally,
        fmt::format("{} has {} {}, counted are {}", ItemWords(*typed.kind.entity, typed.record),
                    PathText(path), value::NumberText(held.encoded()),
                    value::NumberText(expected.encoded())),
        [&] { return ReplaceAt(item, path, EncodeNumber(expected)); }));
  }
  return Ok();
}

Status VerifyRound::CheckMirrorItem(const value::Item& item) {
  const value::Item key = KeyPart(state_.model, item.view());
  if (mirrors_.contains(StableHash(key.bytes()))) return Ok();
  return Report(DriftKind::kExtraMirror, fmt::format("{} follows no item", KeyWords(item.view())),
                [&] {
                  return state_.backend.Write(
                      {.kind = ActionKind::kDelete, .table = state_.table, .item = key});
                });
}

}  // namespace trestle::design
