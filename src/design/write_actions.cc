#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/condition.h"
#include "design/recognise.h"
#include "design/write_plan.h"
#include "value/item_codec.h"

// A plan as requests to the back end, and what its refusals mean.

namespace trestle::design {
namespace {

using value::Number;
using value::Type;

Number NumberAt(const Record& record, const Path& path) {
  const auto value = record.Find(path);
  return value && value->type() == Type::kN ? DecodeNumber(*value) : Number();
}

bool IsUnder(const Path& path, const Path& prefix) {
  return path.parts.size() > prefix.parts.size() &&
         std::equal(prefix.parts.begin(), prefix.parts.end(), path.parts.begin());
}

// A put makes the item, so that it exists is no question; what is deleted counts nothing.
bool IsMet(const PlannedItem& item, const Guard& guard) {
  return guard.kind == Guard::Kind::kExists && item.put.has_value();
}

Result<std::string> GuardText(const Model& model, const Guard& guard, ExpressionNames& names) {
  switch (guard.kind) {
    case Guard::Kind::kExists:
      return "attribute_exists(" + NameAlias(names, model.table.partition_key) + ")";
    case Guard::Kind::kNotExists:
      return "attribute_not_exists(" + NameAlias(names, model.table.partition_key) + ")";
    case Guard::Kind::kEquals: {
      std::string path = PathAlias(names, guard.path);
      return std::move(path) + " = " + ValueAlias(names, guard.value);
    }
    case Guard::Kind::kAbsent:
      return PresenceText(names, guard.path, true);
    case Guard::Kind::kCondition:
      return CompileCondition(*guard.condition,
                              {.attributes = guard.entity->attributes, .sources = guard.sources},
                              names);
  }
  return std::string();
}

Result<std::string> ConditionText(const Model& model, const PlannedItem& item,
                                  ExpressionNames& names) {
  std::vector<std::string> texts;
  for (const Guard& guard : item.guards) {
    if (IsMet(item, guard)) continue;
    std::string text = TRY(GuardText(model, guard, names));
    if (std::ranges::find(texts, text) == texts.end()) texts.push_back(std::move(text));
  }
  return fmt::format("{}", fmt::join(texts, " AND "));
}

Result<Record> WithAdded(Record put, std::span<const PlannedItem::Addition> additions) {
  for (const PlannedItem::Addition& addition : additions) {
    put.Set(addition.path,
            EncodeNumber(TRY(value::Add(NumberAt(put, addition.path), addition.number))));
  }
  return put;
}

// What is set with what is added inside of it, which is taken out of `additions`.
Result<std::string> WithAdditions(const PlannedItem::Assignment& set,
                                  std::vector<PlannedItem::Addition>& additions) {
  std::vector<PlannedItem::Addition> inside;
  for (const PlannedItem::Addition& addition : additions)
    if (IsUnder(addition.path, set.path)) inside.push_back(addition);
  std::erase_if(additions, [&](const auto& it) { return IsUnder(it.path, set.path); });
  Record value;
  value.Set(set.path, set.value);
  value = TRY(WithAdded(std::move(value), inside));
  return std::string(value.Find(set.path)->bytes());
}

// "SET #n0 = :v0, #n1.#n2 = if_not_exists(#n1.#n2, :v1) + :v2 REMOVE #n3"
Result<std::string> UpdateText(const PlannedItem& item, ExpressionNames& names) {
  std::vector<std::string> sets;
  std::vector<PlannedItem::Addition> additions = item.add;
  for (const PlannedItem::Assignment& set : item.set) {
    std::string value = set.value;
    // Counts inside a map that is set as a whole are set with it.
    if (!additions.empty()) value = TRY(WithAdditions(set, additions));
    std::string path = PathAlias(names, set.path);
    sets.push_back(std::move(path) + " = " + ValueAlias(names, std::move(value)));
  }
  for (const PlannedItem::Addition& addition : additions) {
    const std::string path = PathAlias(names, addition.path);
    const std::string zero = ValueAlias(names, EncodeNumber(Number()));
    sets.push_back(fmt::format("{0} = if_not_exists({0}, {1}) + {2}", path, zero,
                               ValueAlias(names, EncodeNumber(addition.number))));
  }
  std::vector<std::string> removes;
  removes.reserve(item.remove.size());
  for (const Path& path : item.remove)
    removes.push_back(PathAlias(names, path));
  std::string text;
  if (!sets.empty()) text = fmt::format("SET {}", fmt::join(sets, ", "));
  if (!removes.empty()) {
    text += fmt::format("{}REMOVE {}", text.empty() ? "" : " ", fmt::join(removes, ", "));
  }
  return text;
}

// Whether a guard holds for the item that the back end has found; none: there is none.
bool HoldsFor(const Model& model, const Guard& guard, const std::optional<value::Item>& item) {
  const Record stored = item ? Record(item->view()) : Record();
  switch (guard.kind) {
    case Guard::Kind::kExists:
      return item.has_value();
    case Guard::Kind::kNotExists:
      return !item.has_value();
    case Guard::Kind::kEquals: {
      const auto value = stored.Find(guard.path);
      return value && value->bytes() == guard.value;
    }
    case Guard::Kind::kAbsent:
      return !stored.Find(guard.path);
    case Guard::Kind::kCondition: {
      const auto typed = item ? Recognise(model, item->view()) : std::nullopt;
      return Evaluate(*guard.condition, typed ? typed->record : stored,
                      {.attributes = guard.entity->attributes, .sources = guard.sources});
    }
  }
  return true;
}

std::optional<value::Item> ItemOf(const Error& error) {
  const ErrorDetails* details = error.details();
  if (details == nullptr || details->item.empty()) return std::nullopt;
  return value::Item(details->item);
}

}  // namespace

Result<std::vector<WriteItem>> WritePlan::Actions() const {
  std::vector<WriteItem> actions;
  actions.reserve(items_.size());
  for (const PlannedItem& item : items_) {
    WriteItem action{.kind = ActionKind::kCheck, .table = *table_, .item = item.key};
    action.turn = item.turn;
    action.condition = TRY(ConditionText(*model_, item, action.expressions));
    action.return_item_on_failure = !action.condition.empty();
    if (item.put) {
      action.kind = ActionKind::kPut;
      action.item =
          item.add.empty() ? item.put->ToItem() : TRY(WithAdded(*item.put, item.add)).ToItem();
    } else if (item.is_delete) {
      action.kind = ActionKind::kDelete;
    } else {
      action.update = TRY(UpdateText(item, action.expressions));
      if (!action.update.empty()) action.kind = ActionKind::kUpdate;
    }
    actions.push_back(std::move(action));
  }
  return actions;
}

std::variant<Error, WritePlan::PlanAgain> WritePlan::Explain(const Error& error) const {
  PlanAgain again;
  bool has_moved = false;  // what the plan is about: nothing else that it says is of interest
  // The first failure that is final for the caller counts; else all is planned again.
  const auto explain = [&](const PlannedItem& item, const Error& reason) -> std::optional<Error> {
    if (reason.code() == ErrorCode::kTransactionConflict) return std::nullopt;
    if (reason.code() != ErrorCode::kConditionalCheckFailed) return reason;
    const auto found = ItemOf(reason);
    for (const Guard& guard : item.guards) {
      if (IsMet(item, guard) || HoldsFor(*model_, guard, found)) continue;
      if (guard.failure == Guard::Failure::kMissingParent) {
        again.missing_parents.insert(item.key.bytes());
      }
      if (guard.failure == Guard::Failure::kCollision) again.is_collision = true;
      if (guard.failure == Guard::Failure::kConflict && guard.kind == Guard::Kind::kExists) {
        has_moved = true;
      }
      if (guard.failure == Guard::Failure::kUnfinishedJob) {
        again.unfinished_jobs.push_back(item.key);
      }
      if (guard.failure != Guard::Failure::kFinal) return std::nullopt;
      return Error(guard.code, guard.message);
    }
    return std::nullopt;
  };
  switch (error.code()) {
    case ErrorCode::kConditionalCheckFailed: {
      auto reason = explain(items_.front(), error);
      if (reason) return *std::move(reason);
      return again;
    }
    case ErrorCode::kTransactionConflict:
      return again;
    case ErrorCode::kTransactionCanceled: {
      const ErrorDetails* details = error.details();
      if (details == nullptr) return error;
      std::optional<Error> final;
      for (std::size_t i = 0; i < details->reasons.size(); ++i) {
        const auto& reason = details->reasons[i];
        if (!reason) continue;
        if (i >= items_.size()) return *reason;  // of what the caller has added
        auto explained = explain(items_[i], *reason);
        if (!final) final = std::move(explained);
      }
      if (final && !has_moved) return *std::move(final);
      return again;
    }
    default:
      return error;
  }
}

std::vector<WriteItem> WritePlan::MissingMaps() const {
  std::vector<WriteItem> writes;
  for (const PlannedItem& item : items_) {
    if (item.put || item.is_delete) continue;
    std::set<std::string> maps;
    for (const PlannedItem::Addition& addition : item.add)
      if (addition.path.parts.size() > 1) maps.insert(addition.path.parts.front());
    for (const std::string& map : maps) {
      WriteItem write{.kind = ActionKind::kUpdate, .table = *table_, .item = item.key};
      const std::string name = NameAlias(write.expressions, map);
      std::string empty;
      value::ItemBuilder().AppendMapTo(empty);
      write.update = fmt::format("SET {0} = if_not_exists({0}, {1})", name,
                                 ValueAlias(write.expressions, std::move(empty)));
      write.condition = fmt::format("attribute_exists({})",
                                    NameAlias(write.expressions, model_->table.partition_key));
      writes.push_back(std::move(write));
    }
  }
  return writes;
}

}  // namespace trestle::design
