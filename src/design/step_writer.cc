#include "design/step_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "design/condition.h"
#include "design/values.h"
#include "expr/condition.h"
#include "expr/placeholders.h"
#include "expr/update.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

// More attributes than these are not compared before a write is taken back: an expression is short.
constexpr std::size_t kComparedMax = 100;

// A value that a write has changed, added or removed.
struct Changed {
  Path path;
  std::optional<ValueView> was;
  std::optional<ValueView> is;
};

using Members =
    std::map<std::string, std::pair<std::optional<ValueView>, std::optional<ValueView>>>;

void AppendChanged(const Members& members, const Path& outer, std::vector<Changed>& changed) {
  for (const auto& [name, values] : members) {
    const auto& [was, is] = values;
    if (was == is) continue;
    Path path = outer;
    path.parts.push_back(name);
    if (!was || !is || was->type() != Type::kM || is->type() != Type::kM) {
      changed.push_back({std::move(path), was, is});
      continue;
    }
    Members inner;
    for (const value::AttributeView it : value::AttributeRange(was->contents()))
      inner[std::string(it.name)].first = it.value;
    for (const value::AttributeView it : value::AttributeRange(is->contents()))
      inner[std::string(it.name)].second = it.value;
    AppendChanged(inner, path, changed);
  }
}

std::vector<Changed> ChangedOf(value::ItemView was, value::ItemView is) {
  Members members;
  for (const value::AttributeView it : was.attributes())
    members[std::string(it.name)].first = it.value;
  for (const value::AttributeView it : is.attributes())
    members[std::string(it.name)].second = it.value;
  std::vector<Changed> changed;
  AppendChanged(members, {}, changed);
  return changed;
}

// By how much a number has grown; nothing when it is not one.
std::optional<value::Number> Difference(const Changed& change) {
  if (!change.was || !change.is || change.was->type() != Type::kN ||
      change.is->type() != Type::kN) {
    return std::nullopt;
  }
  const auto difference = value::Subtract(DecodeNumber(*change.is), DecodeNumber(*change.was));
  return difference.ok() ? std::optional(*difference) : std::nullopt;
}

// That what was written is still there.
std::string StillIs(const Changed& change, ExpressionNames& names) {
  const std::string path = PathAlias(names, change.path);
  if (!change.is) return fmt::format("attribute_not_exists({})", path);
  return fmt::format("{} = {}", path, ValueAlias(names, std::string(change.is->bytes())));
}

struct OneWrite {
  const WriteItem* write = nullptr;
  std::size_t index = 0;  // in the transaction
  value::Item key;
  std::optional<value::Item> was;
  std::optional<value::Item> is;  // once it is decided
};

bool ComesBefore(const OneWrite& left, const OneWrite& right) {
  const auto rank = [](const WriteItem& write) {
    return std::pair(write.turn, write.kind == ActionKind::kDelete);
  };
  return rank(*left.write) < rank(*right.write);
}

Error Cancelled(std::vector<std::optional<Error>> reasons) {
  ErrorDetails details;
  details.reasons = std::move(reasons);
  return {ErrorCode::kTransactionCanceled, "Transaction cancelled",
          std::make_shared<const ErrorDetails>(std::move(details))};
}

Error FailedCondition(const OneWrite& step) {
  ErrorDetails details;
  if (step.write->return_item_on_failure && step.was) details.item = step.was->bytes();
  return {ErrorCode::kConditionalCheckFailed, "The conditional request failed",
          std::make_shared<const ErrorDetails>(std::move(details))};
}

// Whether the write may be done, and what the item is then.
Status Decide(OneWrite& step) {
  const WriteItem& write = *step.write;
  const auto now = step.was ? std::optional(step.was->view()) : std::nullopt;
  expr::Placeholders placeholders(write.expressions.names, write.expressions.values);
  expr::Update update;
  if (!write.update.empty()) update = TRY(expr::Update::Parse(write.update, placeholders));
  if (!write.condition.empty()) {
    const auto condition =
        TRY(expr::Condition::Parse(expr::ConditionKind::kCondition, write.condition, placeholders));
    if (!condition.Matches(now)) return FailedCondition(step);
  }
  if (write.kind == ActionKind::kPut) step.is = write.item;
  if (write.kind == ActionKind::kUpdate)
    step.is = TRY(update.Apply(now, now.value_or(step.key.view())));
  return Ok();
}

WriteItem BackToAbsent(const OneWrite& step) {
  WriteItem back{.kind = ActionKind::kDelete, .table = step.write->table, .item = step.key};
  std::vector<std::string> conditions;
  for (const Changed& change : ChangedOf(step.key.view(), step.is->view()))
    if (conditions.size() < kComparedMax) conditions.push_back(StillIs(change, back.expressions));
  back.condition = fmt::format("{}", fmt::join(conditions, " AND "));
  return back;
}

WriteItem BackToThere(const OneWrite& step) {
  WriteItem back{.kind = ActionKind::kPut, .table = step.write->table, .item = *step.was};
  const value::AttributeView key = *step.key.view().attributes().begin();
  back.condition = fmt::format("attribute_not_exists({})", NameAlias(back.expressions, key.name));
  return back;
}

// Of a number that was surely changed, the difference is taken back: others may have counted on.
WriteItem BackToOld(const OneWrite& step, bool is_done) {
  WriteItem back{.kind = ActionKind::kUpdate, .table = step.write->table, .item = step.key};
  std::vector<std::string> conditions;
  std::vector<std::string> sets;
  std::vector<std::string> removes;
  for (const Changed& change : ChangedOf(step.was->view(), step.is->view())) {
    const std::string path = PathAlias(back.expressions, change.path);
    const auto less = is_done ? Difference(change) : std::nullopt;
    if (less) {
      sets.push_back(
          fmt::format("{0} = {0} - {1}", path, ValueAlias(back.expressions, EncodeNumber(*less))));
      continue;
    }
    if (conditions.size() < kComparedMax) conditions.push_back(StillIs(change, back.expressions));
    if (change.was) {
      sets.push_back(fmt::format("{} = {}", path,
                                 ValueAlias(back.expressions, std::string(change.was->bytes()))));
    } else {
      removes.push_back(path);
    }
  }
  if (!sets.empty()) back.update = fmt::format("SET {}", fmt::join(sets, ", "));
  if (!removes.empty()) back.update += fmt::format(" REMOVE {}", fmt::join(removes, ", "));
  back.condition = fmt::format("{}", fmt::join(conditions, " AND "));
  return back;
}

// `is_done`: else nobody knows.
void TakeBack(Backend& backend, const OneWrite& step, bool is_done) {
  if (step.was == step.is) return;
  const WriteItem back = !step.was  ? BackToAbsent(step)
                         : !step.is ? BackToThere(step)
                                    : BackToOld(step, is_done);
  const Status taken = backend.Write(back);
  const bool may_fail =
      !is_done && !taken.ok() && taken.error().code() == ErrorCode::kConditionalCheckFailed;
  if (taken.ok() || may_fail) return;
  log::Warn("a step of a write could not be taken back; `trestle design verify` finds it",
            {{"table", back.table}, {"error", taken.error().message()}});
}

}  // namespace

Result<value::Item> StepWriter::KeyOf(const WriteItem& write) {
  if (write.kind != ActionKind::kPut) return write.item;
  std::vector<std::string> names;
  {
    const MutexLock lock(mutex_);
    const auto known = key_names_.find(write.table);
    if (known != key_names_.end()) names = known->second;
  }
  if (names.empty()) {
    const TableSettings table = TRY(backend_.DescribeTable(write.table));
    names = {table.partition_key};
    if (!table.sort_key.empty()) names.push_back(table.sort_key);
    const MutexLock lock(mutex_);
    key_names_[write.table] = names;
  }
  value::ItemBuilder key;
  for (const std::string& name : names) {
    const auto value = write.item.Find(name);
    if (!value) return ValidationError(fmt::format("the item has no {}", name));
    key.Add(name, value->bytes());
  }
  return key.Finish();
}

Status StepWriter::Write(std::span<const WriteItem> writes) {
  std::vector<OneWrite> steps;
  std::vector<std::optional<Error>> reasons(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    OneWrite step{.write = &writes[i], .index = i, .key = TRY(KeyOf(writes[i]))};
    step.was =
        TRY(backend_.Get({.table = writes[i].table, .key = step.key, .is_consistent = true}));
    const Status decided = Decide(step);
    if (!decided.ok()) reasons[i] = decided.error();
    if (writes[i].kind != ActionKind::kCheck) steps.push_back(std::move(step));
  }
  if (std::ranges::any_of(reasons, &std::optional<Error>::has_value))
    return Cancelled(std::move(reasons));

  std::ranges::stable_sort(steps, ComesBefore);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Status done = backend_.Write(*steps[i].write);
    if (done.ok()) continue;
    const bool is_refused = done.error().code() == ErrorCode::kConditionalCheckFailed ||
                            done.error().code() == ErrorCode::kValidation;
    if (!is_refused) TakeBack(backend_, steps[i], false);
    for (std::size_t before = i; before > 0; --before)
      TakeBack(backend_, steps[before - 1], true);
    if (!is_refused) return done;
    reasons[steps[i].index] = done.error();
    return Cancelled(std::move(reasons));
  }
  return Ok();
}

}  // namespace trestle::design
