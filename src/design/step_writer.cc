#include "design/step_writer.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "expr/condition.h"
#include "expr/placeholders.h"
#include "expr/update.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

struct OneWrite {
  const WriteItem* write = nullptr;
  std::size_t index = 0;  // in the transaction
  WriteStep step;
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

Error FailedCondition(const WriteItem& write, const WriteStep& step) {
  ErrorDetails details;
  if (write.return_item_on_failure && step.was) details.item = step.was->bytes();
  return {ErrorCode::kConditionalCheckFailed, "The conditional request failed",
          std::make_shared<const ErrorDetails>(std::move(details))};
}

// Whether the write may be done, and what the item is then.
Status Decide(const WriteItem& write, WriteStep& step) {
  const auto now = step.was ? std::optional(step.was->view()) : std::nullopt;
  expr::Placeholders placeholders(expr::Placeholders::EntriesOf(write.expressions.names),
                                  expr::Placeholders::EntriesOf(write.expressions.values));
  expr::Update update;
  if (!write.update.empty()) update = TRY(expr::Update::Parse(write.update, placeholders));
  if (!write.condition.empty()) {
    const auto condition =
        TRY(expr::Condition::Parse(expr::ConditionKind::kCondition, write.condition, placeholders));
    if (!condition.Matches(now)) return FailedCondition(write, step);
  }
  if (write.kind == ActionKind::kPut) step.is = write.item;
  if (write.kind == ActionKind::kUpdate)
    step.is = TRY(update.Apply(now, now.value_or(step.key.view())));
  return Ok();
}

}  // namespace

Result<KeyNames> StepWriter::KeyNamesOf(const std::string& table) {
  {
    const MutexLock lock(mutex_);
    const auto known = key_names_.find(table);
    if (known != key_names_.end()) return known->second;
  }
  const TableSettings settings = TRY(backend_.DescribeTable(table));
  KeyNames names{.partition_key = settings.partition_key, .sort_key = settings.sort_key};
  const MutexLock lock(mutex_);
  key_names_[table] = names;
  return names;
}

Result<value::Item> StepWriter::KeyOf(const WriteItem& write) {
  if (write.kind != ActionKind::kPut) return write.item;
  const KeyNames names = TRY(KeyNamesOf(write.table));
  value::ItemBuilder key;
  for (const std::string* name : {&names.partition_key, &names.sort_key}) {
    if (name->empty()) continue;
    const auto value = write.item.Find(*name);
    if (!value) return ValidationError(fmt::format("the item has no {}", *name));
    key.Add(*name, value->bytes());
  }
  return key.Finish();
}

Result<std::optional<StepRecord>> StepWriter::Record(std::span<const WriteStep> steps) {
  if (steps.size() < 2) return std::optional<StepRecord>();
  const std::string& table = steps.front().table;
  const KeyNames names = TRY(KeyNamesOf(table));
  return std::optional(
      TRY(StepRecord::Put(backend_, table, names, random_.Uuid(), clock_.NowUnixMs(), steps)));
}

Status StepWriter::TakeBackOwn(StepRecord& record, std::span<const WriteStep> steps,
                               bool is_last_done) {
  Status given_up = record.GiveUp();
  // Else somebody else takes the steps back too.
  const bool is_ours = given_up.ok();
  if (!is_ours && given_up.error().code() != ErrorCode::kConditionalCheckFailed) return given_up;
  for (std::size_t i = steps.size(); i > 0; --i) {
    const bool is_done = i < steps.size() || is_last_done;
    TRY(TakeBack(backend_, steps[i - 1], is_ours && is_done));
  }
  return record.Remove();
}

void StepWriter::Abandon(StepRecord& record, std::span<const WriteStep> steps, bool is_last_done) {
  const Status taken = TakeBackOwn(record, steps, is_last_done);
  if (taken.ok()) return;
  log::Warn("a write was left in its steps; who follows the table takes it back",
            {{"began", record.at()}, {"error", taken.error().message()}});
}

Status StepWriter::Write(std::span<const WriteItem> writes) {
  std::vector<OneWrite> all;
  std::vector<std::optional<Error>> reasons(writes.size());
  for (std::size_t i = 0; i < writes.size(); ++i) {
    WriteStep step{.table = writes[i].table, .key = TRY(KeyOf(writes[i]))};
    step.was = TRY(backend_.Get({.table = step.table, .key = step.key, .is_consistent = true}));
    const Status decided = Decide(writes[i], step);
    if (!decided.ok()) reasons[i] = decided.error();
    if (writes[i].kind != ActionKind::kCheck)
      all.push_back({.write = &writes[i], .index = i, .step = std::move(step)});
  }
  if (std::ranges::any_of(reasons, &std::optional<Error>::has_value))
    return Cancelled(std::move(reasons));

  std::ranges::stable_sort(all, ComesBefore);
  std::vector<WriteStep> steps;
  steps.reserve(all.size());
  for (OneWrite& one : all)
    steps.push_back(std::move(one.step));
  std::optional<StepRecord> record = TRY(Record(steps));
  for (std::size_t i = 0; i < all.size(); ++i) {
    Status done = backend_.Write(*all[i].write);
    if (done.ok()) continue;
    const bool is_refused = done.error().code() == ErrorCode::kConditionalCheckFailed ||
                            done.error().code() == ErrorCode::kValidation;
    if (record) Abandon(*record, std::span(steps).first(is_refused ? i : i + 1), is_refused);
    if (!is_refused) return done;
    reasons[all[i].index] = done.error();
    return Cancelled(std::move(reasons));
  }
  if (!record) return Ok();
  Status ended = record->End();
  if (ended.ok() || ended.error().code() != ErrorCode::kConditionalCheckFailed) return ended;
  Abandon(*record, steps, false);
  return Error(ErrorCode::kTransactionConflict, "the write took so long that others took it back");
}

}  // namespace trestle::design
