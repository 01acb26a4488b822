#include "engine/maintenance.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"
#include "engine/client_token.h"
#include "engine/rows.h"
#include "engine/stream.h"
#include "engine/write.h"
#include "value/key_codec.h"

namespace trestle::engine {
namespace {

constexpr std::size_t kSliceRowsMax = 500;
constexpr std::size_t kSliceBytesMax = 1024 * 1024;
constexpr std::int64_t kTrimPeriodMs = 60'000;

}  // namespace

Result<bool> Maintenance::RunSlice(std::int64_t now_unix_ms) {
  group_.Clear();
  const bool has_filled = TRY(BackfillSlice());
  if (has_filled) return true;
  const bool has_filled_expiry = TRY(FillExpirySlice());
  if (has_filled_expiry) return true;
  const bool has_removed = TRY(RemoveGarbageSlice());
  if (has_removed) return true;
  return TrimSlice(now_unix_ms);
}

Status Maintenance::Commit() {
  if (group_.batch().empty()) return Ok();
  group_.Finish();
  TRY(store_.Commit(group_.batch(), durability_));
  group_.Publish(catalog_);
  return Ok();
}

Result<bool> Maintenance::BackfillSlice() {
  for (const auto& table : catalog_.All()) {
    if (table->status == TableStatus::kDeleting) continue;
    for (std::size_t i = 0; i < table->indexes.size(); ++i) {
      const IndexSchema& index = table->indexes[i];
      if (!index.is_backfilling || index.status == IndexStatus::kDeleting) continue;
      TRY(Backfill(*table, i));
      return true;
    }
  }
  return false;
}

// The committer is the only writer, so the items of the slice cannot change under it. Writes to
// items after the slice's end leave the index alone until the backfill has come to them.
Status Maintenance::Backfill(const TableSchema& table, std::size_t index_position) {
  TableSchema changed = table;
  IndexSchema& index = changed.indexes[index_position];
  const std::string prefix = RowPrefix(RowKind::kItem, table.id);
  const auto cursor = store_.NewCursor(prefix, value::PrefixEnd(prefix));
  cursor->Seek(index.backfill_next_row.empty() ? prefix : index.backfill_next_row);
  for (std::size_t rows = 0; cursor->Valid(); cursor->Next(), ++rows) {
    if (rows == kSliceRowsMax || group_.batch().size_bytes() >= kSliceBytesMax) break;
    const value::ItemView item(cursor->value());
    if (IsIndexed(index, item)) AddIndexRow(table, index, item, group_);
  }
  TRY(cursor->status());
  index.is_backfilling = cursor->Valid();
  index.backfill_next_row = cursor->Valid() ? std::string(cursor->key()) : std::string();
  group_.PutUnread(RowPrefix(RowKind::kCatalog, table.id), EncodeSchema(changed).bytes());
  TRY(Commit());
  catalog_.Publish(std::make_shared<const TableSchema>(std::move(changed)));
  return Ok();
}

Result<bool> Maintenance::FillExpirySlice() {
  for (const auto& table : catalog_.All()) {
    if (table->status == TableStatus::kDeleting) continue;
    if (!table->time_to_live || !table->time_to_live->is_backfilling) continue;
    TRY(FillExpiry(*table));
    return true;
  }
  return false;
}

// As a backfill of an index. The rows are swept once all are there.
Status Maintenance::FillExpiry(const TableSchema& table) {
  TableSchema changed = table;
  TimeToLive& time_to_live = *changed.time_to_live;
  const std::string prefix = RowPrefix(RowKind::kItem, table.id);
  const auto cursor = store_.NewCursor(prefix, value::PrefixEnd(prefix));
  cursor->Seek(std::max(prefix, time_to_live.backfill_next_row));
  for (std::size_t rows = 0; cursor->Valid() && rows < kSliceRowsMax; cursor->Next(), ++rows) {
    const auto row = ExpiryRow(time_to_live, cursor->key(), value::ItemView(cursor->value()));
    if (row) group_.PutUnread(*row, "");
  }
  TRY(cursor->status());
  time_to_live.is_backfilling = cursor->Valid();
  time_to_live.backfill_next_row = cursor->Valid() ? std::string(cursor->key()) : std::string();
  group_.PutUnread(RowPrefix(RowKind::kCatalog, table.id), EncodeSchema(changed).bytes());
  TRY(Commit());
  catalog_.Publish(std::make_shared<const TableSchema>(std::move(changed)));
  return Ok();
}

Result<bool> Maintenance::RemoveGarbageSlice() {
  const std::string kind(1, static_cast<char>(RowKind::kGarbage));
  const auto marks = store_.NewCursor(kind, value::PrefixEnd(kind));
  marks->Seek(kind);
  TRY(marks->status());
  if (!marks->Valid()) return false;

  const std::string prefix(marks->key().substr(1));
  const auto cursor = store_.NewCursor(prefix, value::PrefixEnd(prefix));
  std::size_t rows = 0;
  for (cursor->Seek(prefix); cursor->Valid() && rows < kSliceRowsMax; cursor->Next(), ++rows) {
    group_.DeleteUnread(cursor->key());
  }
  TRY(cursor->status());
  if (!cursor->Valid()) group_.DeleteUnread(marks->key());
  TRY(Commit());
  return true;
}

Result<bool> Maintenance::TrimSlice(std::int64_t now_unix_ms) {
  if (now_unix_ms < next_trim_unix_ms_) return false;
  const std::size_t tokens = TRY(ForgetOldTokens(store_, now_unix_ms, kSliceRowsMax, group_));
  TRY(Commit());
  group_.Clear();
  std::size_t records = 0;
  for (const auto& stream : catalog_.AllStreams()) {
    if (records >= kSliceRowsMax) break;
    records += TRY(TrimStream(*stream, now_unix_ms - kStreamRetentionMs));
  }
  const bool has_more = tokens == kSliceRowsMax || records >= kSliceRowsMax;
  if (!has_more) next_trim_unix_ms_ = now_unix_ms + kTrimPeriodMs;
  return has_more;
}

// Records lie in the order of their time, so the first young one ends it. With its last record a
// closed shard goes, and with its last shard a stream that was disabled.
Result<std::size_t> Maintenance::TrimStream(const Stream& stream, std::int64_t before_unix_ms) {
  const std::string first = RowPrefix(RowKind::kStream, static_cast<std::uint32_t>(stream.id));
  const auto cursor = store_.NewCursor(first, value::PrefixEnd(first));
  std::size_t count = 0;
  // Not from the first row on: what was trimmed before may still cost a walk over deletions.
  cursor->Seek(StreamRow(stream.id, stream.FirstSequence()));
  for (; cursor->Valid() && count < kSliceRowsMax; cursor->Next(), ++count) {
    const StreamRecord record = TRY(DecodeStreamRecord(cursor->value()));
    if (record.time_unix_ms >= before_unix_ms) break;
    group_.DeleteUnread(cursor->key());
  }
  TRY(cursor->status());

  Stream trimmed = stream;
  const std::uint64_t first_kept =
      cursor->Valid() ? SequenceOf(cursor->key()) : std::numeric_limits<std::uint64_t>::max();
  const bool is_changed = ForgetShards(trimmed, first_kept, before_unix_ms);
  const bool is_over = !trimmed.IsEnabled() && trimmed.shards.empty();
  if (is_over) {
    group_.DeleteUnread(StreamStateRow(stream.id));
  } else if (is_changed) {
    group_.PutUnread(StreamStateRow(stream.id), EncodeStream(trimmed));
  }
  TRY(Commit());
  group_.Clear();
  if (is_over) {
    catalog_.EraseStream(stream.id);
  } else if (is_changed) {
    catalog_.PublishStream(std::make_shared<const Stream>(std::move(trimmed)));
  }
  return count;
}

}  // namespace trestle::engine
