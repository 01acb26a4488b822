#include "engine/write.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "engine/capacity.h"
#include "engine/keys.h"
#include "engine/rows.h"
#include "engine/stream.h"
#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::engine {
namespace {

Status CheckUpdateTargets(const TableSchema& table, const expr::Update& update) {
  for (const value::DocumentPath& path : update.targets()) {
    if (table.IsKeyAttribute(path.attribute())) {
      return ValidationError(
          fmt::format("One or more parameter values were invalid: Cannot update attribute {}. This "
                      "attribute is part of the key",
                      path.attribute()));
    }
  }
  return Ok();
}

// A local index's part of an item counts with it: together they fit one item.
bool IsTooLarge(const TableSchema& table, value::ItemView item) {
  std::uint64_t size_bytes = item.size_bytes();
  // No part is larger than the item.
  if (size_bytes * (1 + table.indexes.size()) <= kItemSizeBytesMax) return false;
  for (const IndexSchema& index : table.indexes) {
    if (index.is_global || !IsIndexed(index, item)) continue;
    size_bytes += ProjectForIndex(table, index, item).view().size_bytes();
  }
  return size_bytes > kItemSizeBytesMax;
}

// What an update can make of an item that was fine before.
Status CheckUpdatedItem(const TableSchema& table, const expr::Update& update,
                        value::ItemView item) {
  TRY(CheckIndexKeys(table, item, /*is_update=*/!update.is_attribute_updates()));
  if (IsTooLarge(table, item)) {
    return ValidationError("Item size to update has exceeded the maximum allowed size");
  }
  for (const value::AttributeView attribute : item.attributes()) {
    if (value::ValueDepth(attribute.value) > kDocumentDepthMax) {
      return ValidationError(std::string(value::kTooDeepText));
    }
  }
  return Ok();
}

std::optional<value::ItemView> ViewOf(const std::optional<value::Item>& item) {
  if (!item) return std::nullopt;
  return item->view();
}

Result<std::optional<value::Item>> MakeNewItem(const TableSchema& table, const WriteAction& action,
                                               const std::optional<value::Item>& old_item) {
  switch (action.kind) {
    case WriteKind::kPut:
      return std::optional(action.item);
    case WriteKind::kDelete:
      return std::optional<value::Item>();
    case WriteKind::kConditionCheck:
      return old_item;
    case WriteKind::kUpdate:
      break;
  }
  if (!old_item && !action.update.CreatesItem()) return std::optional<value::Item>();
  const value::ItemView base = old_item ? old_item->view() : action.item.view();
  if (action.update.empty()) return std::optional(value::Item(std::string(base.bytes())));
  value::Item updated = TRY(action.update.Apply(ViewOf(old_item), base));
  TRY(CheckUpdatedItem(table, action.update, updated.view()));
  return std::optional(std::move(updated));
}

// For differences of counters, which wrap around at 64 bits on their way.
template <typename T>
std::uint64_t CountOf(const std::optional<T>& it) {
  return it ? 1 : 0;
}

std::uint64_t SizeOf(const std::optional<value::Item>& item) {
  return item ? item->view().size_bytes() : 0;
}

Result<std::uint64_t> ReadCollectionBytes(const std::string& row, const Group& group) {
  const std::optional<std::string> bytes = TRY(group.Read(row));
  if (!bytes) return std::uint64_t{0};
  if (bytes->size() != 8) return CorruptionError("an item collection's size is damaged");
  return ReadU64Be(*bytes);
}

// A collection that is full may shrink, not grow.
Status CheckCollection(const Decision& decision, const Group& group) {
  const std::uint64_t old_bytes = SizeOf(decision.old_item);
  const std::uint64_t new_bytes = SizeOf(decision.new_item);
  if (!decision.table->HasLocalIndexes() || new_bytes <= old_bytes) return Ok();
  const std::string row = CollectionRow(*decision.table, decision.new_item->view());
  const std::uint64_t size_bytes = TRY(ReadCollectionBytes(row, group));
  if (size_bytes + (new_bytes - old_bytes) > kItemCollectionBytesMax) {
    return Error(ErrorCode::kItemCollectionTooLarge, "Collection size exceeded.");
  }
  return Ok();
}

// A backfill, of an index or of expiry rows, has not come to this row yet; it will find the item
// as it is then.
template <typename Filled>
bool IsBeforeBackfill(const Filled& filled, std::string_view row) {
  return filled.is_backfilling && row >= filled.backfill_next_row;
}

struct IndexDelta {
  double write_units = 0;
  std::int64_t size_bytes = 0;
};

// One index row of an item, before or after the write.
struct IndexEntry {
  std::string row;
  value::Item item;
};

std::optional<IndexEntry> EntryOf(const TableSchema& table, const IndexSchema& index,
                                  const std::optional<value::Item>& item) {
  if (!item || !IsIndexed(index, item->view())) return std::nullopt;
  return IndexEntry{.row = IndexRow(table, index, item->view()),
                    .item = ProjectForIndex(table, index, item->view())};
}

// Changes the index only where its view of the item changes.
IndexDelta ApplyToIndex(const Decision& decision, const IndexSchema& index, Group& group) {
  const TableSchema& table = *decision.table;
  const std::optional<IndexEntry> before = EntryOf(table, index, decision.old_item);
  const std::optional<IndexEntry> after = EntryOf(table, index, decision.new_item);
  const bool is_same_row = before && after && before->row == after->row;
  if (is_same_row && before->item == after->item) return {};
  if (!before && !after) return {};

  const std::int64_t old_bytes = before ? before->item.view().size_bytes() : 0;
  const std::int64_t new_bytes = after ? after->item.view().size_bytes() : 0;
  IndexDelta delta{.size_bytes = new_bytes - old_bytes};
  if (is_same_row) {
    delta.write_units = WriteUnits(static_cast<std::uint64_t>(std::max(old_bytes, new_bytes)));
  } else {
    if (before) delta.write_units += WriteUnits(static_cast<std::uint64_t>(old_bytes));
    if (after) delta.write_units += WriteUnits(static_cast<std::uint64_t>(new_bytes));
  }

  if (before && !is_same_row) group.DeleteUnread(before->row);
  if (after) group.PutUnread(after->row, after->item.bytes());
  IndexCounters& counters = group.Counters(table).indexes[index.id];
  counters.size_bytes += static_cast<std::uint64_t>(delta.size_bytes);
  counters.item_count += CountOf(after) - CountOf(before);
  return delta;
}

Status ApplyToCollection(const Decision& decision, std::int64_t delta_bytes, Group& group,
                         Applied& applied) {
  if (!decision.old_item && !decision.new_item) {
    applied.collection_bytes = 0;
    return Ok();
  }
  const value::ItemView item =
      decision.new_item ? decision.new_item->view() : decision.old_item->view();
  const std::string row = CollectionRow(*decision.table, item);
  const std::uint64_t old_bytes = TRY(ReadCollectionBytes(row, group));
  const std::uint64_t new_bytes = old_bytes + static_cast<std::uint64_t>(delta_bytes);
  applied.collection_bytes = new_bytes;
  if (delta_bytes == 0) return Ok();
  if (new_bytes == 0) {
    group.Delete(row);
    return Ok();
  }
  std::string bytes;
  AppendU64Be(bytes, new_bytes);
  group.Put(row, std::move(bytes));
  return Ok();
}

std::optional<std::string> ExpiryRowOf(const TimeToLive& time_to_live, const Decision& decision,
                                       const std::optional<value::Item>& item) {
  if (!item) return std::nullopt;
  return ExpiryRow(time_to_live, decision.row, item->view());
}

void ApplyToExpiry(const Decision& decision, Group& group) {
  const std::optional<TimeToLive>& time_to_live = decision.table->time_to_live;
  if (!time_to_live || !time_to_live->is_enabled) return;
  if (IsBeforeBackfill(*time_to_live, decision.row)) return;
  const auto before = ExpiryRowOf(*time_to_live, decision, decision.old_item);
  const auto after = ExpiryRowOf(*time_to_live, decision, decision.new_item);
  if (before == after) return;
  if (before) group.DeleteUnread(*before);
  if (after) group.PutExpiryRow(time_to_live->id, *after);
}

void ApplyToStream(const Decision& decision, std::int64_t now_unix_ms, Group& group) {
  const TableSchema& table = *decision.table;
  if (!table.stream || !table.stream->is_enabled) return;
  auto record =
      MakeStreamRecord(table, now_unix_ms, ViewOf(decision.old_item), ViewOf(decision.new_item));
  if (!record) return;
  if (record->event == StreamEvent::kRemove) record->event = decision.removal;
  const std::uint64_t sequence = ++group.Counters(table).stream_sequence;
  record->shard = group.PlaceRecord(table.stream->id, RowHash(decision.row), sequence, now_unix_ms);
  group.PutUnread(StreamRow(table.stream->id, sequence), EncodeStreamRecord(*record));
}

}  // namespace

Status CheckAction(const TableSchema& table, const WriteAction& action) {
  if (action.kind != WriteKind::kPut) {
    TRY(CheckKey(table, action.item.view()));
    return CheckUpdateTargets(table, action.update);
  }
  TRY(CheckItemKey(table, action.item.view()));
  TRY(CheckIndexKeys(table, action.item.view(), /*is_update=*/false));
  if (IsTooLarge(table, action.item.view())) {
    return ValidationError("Item size has exceeded the maximum allowed size");
  }
  return Ok();
}

Result<Decision> Decide(std::shared_ptr<const TableSchema> table, const WriteAction& action,
                        const Group& group) {
  Decision decision{.table = std::move(table)};
  decision.row = ItemRow(*decision.table, action.item.view());
  std::optional<std::string> old_bytes = TRY(group.Read(decision.row));
  if (old_bytes) decision.old_item = value::Item(*std::move(old_bytes));

  if (!action.condition.Matches(ViewOf(decision.old_item))) {
    ErrorDetails details;
    if (action.return_item_on_condition_failure && decision.old_item) {
      details.item = decision.old_item->bytes();
    }
    return Error(ErrorCode::kConditionalCheckFailed, "The conditional request failed",
                 std::make_shared<const ErrorDetails>(std::move(details)));
  }

  decision.new_item = TRY(MakeNewItem(*decision.table, action, decision.old_item));
  TRY(CheckCollection(decision, group));
  return decision;
}

Result<Applied> Apply(const Decision& decision, std::int64_t now_unix_ms, Group& group) {
  const TableSchema& table = *decision.table;
  const std::uint64_t old_bytes = SizeOf(decision.old_item);
  const std::uint64_t new_bytes = SizeOf(decision.new_item);
  Applied applied;
  applied.consumed.table = table.name;
  applied.size_bytes = std::max(old_bytes, new_bytes);
  applied.consumed.table_write_units = WriteUnits(applied.size_bytes);

  // The same bytes again: nothing to write, and no stream record.
  const bool is_changed = decision.old_item != decision.new_item;
  std::int64_t collection_delta = 0;
  if (is_changed) {
    if (decision.new_item) {
      group.Put(decision.row, decision.new_item->bytes());
    } else {
      group.Delete(decision.row);
    }
    IndexCounters& counters = group.Counters(table).table;
    counters.size_bytes += new_bytes - old_bytes;
    counters.item_count += CountOf(decision.new_item) - CountOf(decision.old_item);
    collection_delta = static_cast<std::int64_t>(new_bytes - old_bytes);

    for (const IndexSchema& index : table.indexes) {
      if (index.status == IndexStatus::kDeleting || IsBeforeBackfill(index, decision.row)) continue;
      const IndexDelta delta = ApplyToIndex(decision, index, group);
      if (!index.is_global) collection_delta += delta.size_bytes;
      if (delta.write_units == 0) continue;
      applied.consumed.indexes.push_back(
          {.index = index.name, .is_global = index.is_global, .write_units = delta.write_units});
    }
    ApplyToExpiry(decision, group);
    ApplyToStream(decision, now_unix_ms, group);
  }
  if (table.HasLocalIndexes()) TRY(ApplyToCollection(decision, collection_delta, group, applied));
  return applied;
}

void AddIndexRow(const TableSchema& table, const IndexSchema& index, value::ItemView item,
                 Group& group) {
  const value::Item projected = ProjectForIndex(table, index, item);
  group.PutUnread(IndexRow(table, index, item), projected.bytes());
  IndexCounters& counters = group.Counters(table).indexes[index.id];
  counters.size_bytes += projected.view().size_bytes();
  counters.item_count += 1;
}

ItemCollectionMetrics MetricsOf(const TableSchema& table, value::ItemView item,
                                std::uint64_t size_bytes) {
  value::SortedItemWriter key;
  key.Add(table.partition.name, item.Find(table.partition.name)->bytes());
  return {.table = table.name, .key = std::move(key).Finish(), .size_bytes = size_bytes};
}

}  // namespace trestle::engine
