#include "design/step_record.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/limits.h"
#include "base/log.h"
#include "design/condition.h"
#include "design/job.h"
#include "design/recognise.h"
#include "design/record.h"
#include "design/time_text.h"
#include "design/values.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using value::Type;

constexpr std::string_view kAt = "~at";
constexpr std::string_view kGivenUp = "~given_up";
constexpr std::string_view kSteps = "~steps";
constexpr std::string_view kParts = "~parts";
constexpr std::size_t kPartBytes = kItemSizeBytesMax - 4096;
constexpr std::int64_t kLeftMs = 60'000;

std::string EncodeBinary(std::string_view bytes) {
  std::string encoded;
  value::AppendBinary(encoded, bytes);
  return encoded;
}

std::string EncodeSteps(std::span<const WriteStep> steps) {
  std::string list;
  const std::size_t place = value::BeginContainer(list, Type::kL);
  for (const WriteStep& step : steps) {
    Record members;
    members.SetText("table", step.table);
    members.Set("key", EncodeBinary(step.key.bytes()));
    if (step.was) members.Set("was", EncodeBinary(step.was->bytes()));
    if (step.is) members.Set("is", EncodeBinary(step.is->bytes()));
    list += EncodeBinary(members.ToItem().bytes());
  }
  value::EndContainer(list, place, static_cast<std::uint32_t>(steps.size()));
  Record all;
  all.Set(kSteps, std::move(list));
  return std::move(all.ToItem()).bytes();
}

// Bytes that the endpoint has kept.
Result<value::Item> ItemOf(std::string_view bytes) {
  TRY(value::CheckItem(bytes));
  return value::Item(std::string(bytes));
}

Result<std::string_view> BytesOf(const std::optional<value::ValueView>& found, Type type) {
  if (!found || found->type() != type) return CorruptionError("the steps of a write are damaged");
  return type == Type::kL ? found->contents() : found->text();
}

Result<std::optional<value::Item>> ImageOf(const value::Item& members, std::string_view name) {
  const auto image = members.Find(name);
  if (!image) return std::optional<value::Item>();
  const std::string_view bytes = TRY(BytesOf(image, Type::kB));
  return std::optional(TRY(ItemOf(bytes)));
}

Result<std::vector<WriteStep>> DecodeSteps(std::string_view bytes) {
  const value::Item all = TRY(ItemOf(bytes));
  std::vector<WriteStep> steps;
  std::string_view left = TRY(BytesOf(all.Find(kSteps), Type::kL));
  while (!left.empty()) {
    const std::string_view step = TRY(BytesOf(value::TakeValue(left), Type::kB));
    const value::Item members = TRY(ItemOf(step));
    auto key = TRY(ImageOf(members, "key"));
    if (!key) return CorruptionError("a step of a write has no key");
    steps.push_back({.table = std::string(TRY(BytesOf(members.Find("table"), Type::kS))),
                     .key = *std::move(key),
                     .was = TRY(ImageOf(members, "was")),
                     .is = TRY(ImageOf(members, "is"))});
  }
  return steps;
}

bool IsConditionFailed(const Status& status) {
  return !status.ok() && status.error().code() == ErrorCode::kConditionalCheckFailed;
}

}  // namespace

bool IsLeft(value::ItemView item, std::int64_t now_unix_ms) {
  const auto at = item.Find(kAt);
  return !at || at->type() != Type::kS ||
         at->text() <= TimestampText(now_unix_ms - kLeftMs, syntax::Precision::kMilliseconds);
}

Result<StepRecord> StepRecord::Put(Backend& backend, const std::string& table,
                                   const KeyNames& names, const std::string& id,
                                   std::int64_t now_unix_ms, std::span<const WriteStep> steps) {
  StepRecord record(backend, table, names, id,
                    TimestampText(now_unix_ms, syntax::Precision::kMilliseconds));
  const std::string bytes = EncodeSteps(steps);
  const auto put = [&](const value::Item& key, std::string_view part, auto&& add) {
    Record item(key.view());
    item.SetText(kAt, record.at_);
    item.Set(kSteps, EncodeBinary(part));
    add(item);
    return backend.Write({.kind = ActionKind::kPut, .table = table, .item = item.ToItem()});
  };
  for (std::size_t at = kPartBytes; at < bytes.size(); at += kPartBytes) {
    TRY(put(record.PartKey(++record.parts_), std::string_view(bytes).substr(at, kPartBytes),
            [&](Record& item) { item.SetText(kStepsPartOf, id); }));
  }
  TRY(put(record.Key(), std::string_view(bytes).substr(0, kPartBytes), [&](Record& item) {
    item.Set(kParts, EncodeInteger(static_cast<std::int64_t>(record.parts_)));
  }));
  return record;
}

StepRecord::StepRecord(Backend& backend, std::string table, KeyNames names, value::ItemView item)
    : backend_(&backend), table_(std::move(table)), names_(std::move(names)) {
  const Record record(item);
  id_ = record.FindText(names_.partition_key)
            .value_or("")
            .substr(kInternalPrefix.size() + kStepsNames.size());
  at_ = record.FindText(kAt).value_or("");
  is_given_up_ = record.Find(kGivenUp).has_value();
  const auto steps = record.Find(kSteps);
  if (steps && steps->type() == Type::kB) first_ = steps->text();
  const auto parts = record.Find(kParts);
  if (parts && parts->type() == Type::kN) {
    const auto count = value::NumberInteger(parts->number());
    parts_ = static_cast<std::size_t>(std::max<std::int64_t>(count.value_or(0), 0));
  }
}

value::Item StepRecord::Key() const {
  return InternalKey(names_.partition_key, names_.sort_key, fmt::format("{}{}", kStepsNames, id_));
}

value::Item StepRecord::PartKey(std::size_t number) const {
  return InternalKey(names_.partition_key, names_.sort_key,
                     fmt::format("{}{}#{}", kStepsPartNames, id_, number));
}

WriteItem StepRecord::WhileOpen(ActionKind kind) const {
  WriteItem write{.kind = kind, .table = table_, .item = Key()};
  write.condition = fmt::format("attribute_exists({}) AND attribute_not_exists({})",
                                NameAlias(write.expressions, names_.partition_key),
                                NameAlias(write.expressions, kGivenUp));
  return write;
}

Status StepRecord::End() {
  TRY(backend_->Write(WhileOpen(ActionKind::kDelete)));
  const Status removed = RemoveParts();
  if (!removed.ok()) {
    log::Warn("a part of a write that is done stays in the table until `trestle design verify`",
              {{"table", table_}, {"error", removed.error().message()}});
  }
  return Ok();
}

Status StepRecord::GiveUp() {
  WriteItem write = WhileOpen(ActionKind::kUpdate);
  std::string yes;
  value::AppendBool(yes, true);
  write.update = fmt::format("SET {} = {}", NameAlias(write.expressions, kGivenUp),
                             ValueAlias(write.expressions, std::move(yes)));
  return backend_->Write(write);
}

Status StepRecord::Remove() {
  TRY(RemoveParts());
  return backend_->Write({.kind = ActionKind::kDelete, .table = table_, .item = Key()});
}

Status StepRecord::RemoveParts() {
  for (std::size_t number = 1; number <= parts_; ++number) {
    TRY(backend_->Write({.kind = ActionKind::kDelete, .table = table_, .item = PartKey(number)}));
  }
  return Ok();
}

Result<std::vector<WriteStep>> StepRecord::ReadSteps() const {
  std::string bytes = first_;
  for (std::size_t number = 1; number <= parts_; ++number) {
    const auto part =
        TRY(backend_->Get({.table = table_, .key = PartKey(number), .is_consistent = true}));
    const auto steps = part ? part->Find(kSteps) : std::nullopt;
    // Who has taken everything back was about to remove the record too.
    if (!steps || steps->type() != Type::kB) return std::vector<WriteStep>();
    bytes += steps->text();
  }
  return DecodeSteps(bytes);
}

Status StepRecord::TakeBackAll() {
  if (!is_given_up_) {
    Status given_up = GiveUp();
    if (IsConditionFailed(given_up)) return Ok();
    TRY(std::move(given_up));
  }
  const std::vector<WriteStep> steps = TRY(ReadSteps());
  for (auto step = steps.rbegin(); step != steps.rend(); ++step)
    TRY(TakeBack(*backend_, *step, false));
  return Remove();
}

}  // namespace trestle::design
