#include "engine/table_writer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/limits.h"
#include "engine/rows.h"
#include "engine/table_change.h"
#include "engine/tags.h"
#include "engine/ttl.h"

namespace trestle::engine {
namespace {

std::string NextIdRow() { return std::string(1, static_cast<char>(RowKind::kMeta)) + "next_id"; }

// Rows of one kind and id that the maintenance is to remove.
void MarkGarbage(storage::Batch& batch, RowKind kind, std::uint32_t id) {
  std::string row(1, static_cast<char>(RowKind::kGarbage));
  row += RowPrefix(kind, id);
  batch.Put(row, "");
}

Error NotFoundError(std::string_view table) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Table: {} not found", table)};
}

// What the reply to a change shows: the status that the service would pass through, even where it
// has passed already.
TableReply ReplyWith(TableDescription description, TableStatus status) {
  TableSchema schema = *description.schema;
  schema.status = status;
  if (status == TableStatus::kCreating) {
    for (IndexSchema& index : schema.indexes)
      index.status = IndexStatus::kCreating;
  }
  description.schema = std::make_shared<const TableSchema>(std::move(schema));
  return {std::move(description)};
}

void KeepUnits(const ProvisionedThroughput& before, ProvisionedThroughput& throughput) {
  throughput.read_capacity_units = before.read_capacity_units;
  throughput.write_capacity_units = before.write_capacity_units;
}

// What the reply to a change of throughput shows: the units from before, already with the time of
// the change.
TableReply WithUnitsBefore(const TableSchema& before, TableReply reply) {
  TableSchema schema = *reply.description.schema;
  if (schema.billing_mode != before.billing_mode) return reply;
  KeepUnits(before.throughput, schema.throughput);
  for (IndexSchema& index : schema.indexes) {
    const IndexSchema* index_before = before.FindIndex(index.name);
    if (index_before != nullptr) KeepUnits(index_before->throughput, index.throughput);
  }
  reply.description.schema = std::make_shared<const TableSchema>(std::move(schema));
  return reply;
}

bool IsOver(const IndexSchema& index, std::int64_t now_unix_ms) {
  return now_unix_ms >= index.status_until_unix_ms && !index.is_backfilling;
}

// What such a request changes does not keep the table busy.
bool LeavesTableActive(const UpdateTableRequest& request) {
  if (request.billing_mode || request.throughput || request.table_class || request.stream) {
    return false;
  }
  const auto is_update = [](const GlobalIndexUpdate& it) { return it.update.has_value(); };
  return !request.global_index_updates ||
         std::ranges::all_of(*request.global_index_updates, is_update);
}

}  // namespace

Result<std::uint32_t> TableWriter::TakeId(storage::Batch& batch) {
  std::string bytes;
  const bool is_there = TRY(store_.Read(NextIdRow(), bytes, nullptr));
  if (is_there && bytes.size() != 4) return CorruptionError("the next id is damaged");
  const std::uint32_t id = is_there ? ReadU32Be(bytes) : 1;
  std::string next;
  AppendU32Be(next, id + 1);
  batch.Put(NextIdRow(), next);
  return id;
}

// Where statuses pass at once, none is stored: a clock that is set back would bring it to life.
void TableWriter::Begin(TableStatus status, std::int64_t now_unix_ms, TableSchema& schema) const {
  schema.status = options_.transient_status_ms > 0 ? status : TableStatus::kActive;
  schema.status_until_unix_ms = now_unix_ms + options_.transient_status_ms;
}

Status TableWriter::Commit(const storage::Batch& batch) {
  return store_.Commit(batch, options_.durability);
}

Status TableWriter::Save(TableSchema schema, storage::Batch& batch, std::optional<Stream> stream) {
  batch.Put(RowPrefix(RowKind::kCatalog, schema.id), EncodeSchema(schema).bytes());
  if (stream) batch.Put(StreamStateRow(stream->id), EncodeStream(*stream));
  TRY(Commit(batch));
  // The stream first: a record of the table needs it.
  if (stream) catalog_.PublishStream(std::make_shared<const Stream>(*std::move(stream)));
  catalog_.Publish(std::make_shared<const TableSchema>(std::move(schema)));
  return Ok();
}

void TableWriter::ChooseLabel(TableSchema& schema) const {
  while (catalog_.FindStream(schema.name, schema.stream->created_unix_ms)) {
    ++schema.stream->created_unix_ms;
  }
}

std::optional<Stream> TableWriter::ChangedStream(const TableSchema& schema,
                                                 std::int64_t now_unix_ms) const {
  if (!schema.stream) return std::nullopt;
  const std::uint64_t last_sequence = catalog_.Counters(schema.name).stream_sequence;
  const std::shared_ptr<const Stream> current = catalog_.FindStream(schema.stream->id);
  if (!current && schema.stream->is_enabled) return OpenStream(schema, last_sequence + 1);
  if (!current || schema.stream->is_enabled || !current->IsEnabled()) return std::nullopt;
  Stream stream = *current;
  CloseStream(stream, last_sequence, now_unix_ms);
  return stream;
}

Result<TableReply> TableWriter::Create(const CreateTableRequest& request,
                                       std::int64_t now_unix_ms) {
  TableSchema schema = TRY(PlanCreate(request, now_unix_ms));
  if (catalog_.Find(request.table)) {
    return Error(ErrorCode::kResourceInUse, fmt::format("Table already exists: {}", request.table));
  }
  if (catalog_.All().size() >= kTablesMax) {
    return Error(ErrorCode::kLimitExceeded,
                 fmt::format("Subscriber limit exceeded: There is a limit of {} tables per "
                             "subscriber",
                             kTablesMax));
  }

  // Ids are taken one after another in one batch; the last Put of the next id wins.
  storage::Batch batch;
  std::uint32_t next_id = TRY(TakeId(batch));
  schema.id = static_cast<TableId>(next_id++);
  for (IndexSchema& index : schema.indexes)
    index.id = static_cast<IndexId>(next_id++);
  if (schema.stream) {
    schema.stream->id = static_cast<StreamId>(next_id++);
    ChooseLabel(schema);
  }
  std::string next_bytes;
  AppendU32Be(next_bytes, next_id);
  batch.Put(NextIdRow(), next_bytes);

  schema.uuid = random_.Uuid();
  schema.created_unix_ms = now_unix_ms;
  Begin(TableStatus::kCreating, now_unix_ms, schema);
  for (IndexSchema& index : schema.indexes) {
    const bool is_delayed = index.is_global && options_.transient_status_ms > 0;
    index.status = is_delayed ? IndexStatus::kCreating : IndexStatus::kActive;
    index.status_until_unix_ms = schema.status_until_unix_ms;
  }
  std::optional<Stream> stream = ChangedStream(schema, now_unix_ms);
  TRY(Save(std::move(schema), batch, std::move(stream)));
  return ReplyWith(*catalog_.Describe(request.table), TableStatus::kCreating);
}

Result<TableReply> TableWriter::Update(const UpdateTableRequest& request,
                                       std::int64_t now_unix_ms) {
  TRY(CheckUpdate(request));
  const std::shared_ptr<const TableSchema> current = catalog_.Find(request.table);
  if (!current) return NotFoundError(request.table);
  TableSchema as_now = *current;
  as_now.status = StatusAt(*current, now_unix_ms);
  TableSchema schema = TRY(PlanUpdate(as_now, request, now_unix_ms));

  storage::Batch batch;
  const auto needs_id = [](const IndexSchema& index) { return index.id == IndexId{}; };
  if (std::ranges::any_of(schema.indexes, needs_id)) {
    std::ranges::find_if(schema.indexes, needs_id)->id = static_cast<IndexId>(TRY(TakeId(batch)));
  } else if (schema.stream && schema.stream->id == StreamId{}) {
    schema.stream->id = static_cast<StreamId>(TRY(TakeId(batch)));
    ChooseLabel(schema);
  }
  const TableStatus status =
      LeavesTableActive(request) ? TableStatus::kActive : TableStatus::kUpdating;
  if (status == TableStatus::kUpdating) Begin(status, now_unix_ms, schema);
  for (IndexSchema& index : schema.indexes) {
    const IndexSchema* before = current->FindIndex(index.name);
    if (before == nullptr || before->status != index.status) {
      index.status_until_unix_ms = schema.status_until_unix_ms;
      // The table is ACTIVE again while an index is filled.
      if (before == nullptr) index.status_until_unix_ms += options_.transient_status_ms;
    }
  }
  std::optional<Stream> stream = ChangedStream(schema, now_unix_ms);
  TRY(Save(std::move(schema), batch, std::move(stream)));
  TableReply reply =
      WithUnitsBefore(*current, ReplyWith(*catalog_.Describe(request.table), status));
  const Result<bool> ended = EndTransientStatuses(now_unix_ms);
  if (!ended.ok()) return ended.error();
  return reply;
}

Status TableWriter::UpdateTimeToLive(const UpdateTimeToLiveRequest& request,
                                     std::int64_t now_unix_ms) {
  const std::shared_ptr<const TableSchema> current = catalog_.Find(request.table);
  if (!current) return NotFoundError(request.table);
  TableSchema schema = *current;
  schema.time_to_live = TRY(PlanTimeToLive(*current, request, now_unix_ms));

  storage::Batch batch;
  if (options_.transient_status_ms > 0) {
    schema.time_to_live->status_until_unix_ms = now_unix_ms + options_.transient_status_ms;
  }
  if (request.is_enabled) {
    schema.time_to_live->id = static_cast<ExpiryId>(TRY(TakeId(batch)));
  } else {
    MarkGarbage(batch, RowKind::kExpiry, static_cast<std::uint32_t>(current->time_to_live->id));
    if (options_.transient_status_ms == 0) schema.time_to_live.reset();
  }
  return Save(std::move(schema), batch);
}

Status TableWriter::ChangeTags(const ChangeTagsRequest& request, std::int64_t now_unix_ms) {
  TRY(CheckTagChange(request));
  const std::shared_ptr<const TableSchema> current = catalog_.Find(request.table);
  if (!current || StatusAt(*current, now_unix_ms) == TableStatus::kCreating) {
    return NotFoundError(request.table);
  }
  if (current->status == TableStatus::kDeleting) TRY(CheckIsActive(*current));
  TableSchema schema = *current;
  schema.tags = TRY(PlanTags(current->tags, request));
  storage::Batch batch;
  return Save(std::move(schema), batch);
}

Result<TableReply> TableWriter::Drop(const DeleteTableRequest& request, std::int64_t now_unix_ms) {
  const std::shared_ptr<const TableSchema> current = catalog_.Find(request.table);
  if (!current) return NotFoundError(request.table);
  TableSchema schema = *current;
  schema.status = StatusAt(*current, now_unix_ms);
  TRY(CheckIsActive(schema));
  const auto is_busy = [&](const IndexSchema& index) {
    return index.status != IndexStatus::kActive && !IsOver(index, now_unix_ms);
  };
  if (std::ranges::any_of(schema.indexes, is_busy)) {
    return Error(ErrorCode::kResourceInUse,
                 "Attempt to change a resource which is still in use: Cannot delete table while "
                 "indexes are being created, updated, or deleted.");
  }
  if (schema.deletion_protection) {
    return ValidationError(
        "Resource cannot be deleted as it is currently protected against deletion. Disable "
        "deletion protection first.");
  }

  TableReply reply = ReplyWith(*catalog_.Describe(request.table), TableStatus::kDeleting);
  schema.status = TableStatus::kDeleting;
  schema.status_until_unix_ms = now_unix_ms + options_.transient_status_ms;
  if (options_.transient_status_ms == 0) {
    TRY(Erase(std::move(schema), now_unix_ms));
  } else {
    storage::Batch batch;
    TRY(Save(std::move(schema), batch));
  }
  return reply;
}

Status TableWriter::Erase(TableSchema schema, std::int64_t now_unix_ms) {
  storage::Batch batch;
  if (schema.stream) schema.stream->is_enabled = false;
  std::optional<Stream> stream = ChangedStream(schema, now_unix_ms);
  if (stream) batch.Put(StreamStateRow(stream->id), EncodeStream(*stream));
  batch.Delete(RowPrefix(RowKind::kCatalog, schema.id));
  batch.Delete(RowPrefix(RowKind::kCounters, schema.id));
  MarkGarbage(batch, RowKind::kItem, static_cast<std::uint32_t>(schema.id));
  if (schema.HasLocalIndexes()) {
    MarkGarbage(batch, RowKind::kCollection, static_cast<std::uint32_t>(schema.id));
  }
  for (const IndexSchema& index : schema.indexes) {
    MarkGarbage(batch, RowKind::kIndex, static_cast<std::uint32_t>(index.id));
  }
  if (schema.time_to_live && schema.time_to_live->is_enabled) {
    MarkGarbage(batch, RowKind::kExpiry, static_cast<std::uint32_t>(schema.time_to_live->id));
  }
  TRY(Commit(batch));
  catalog_.Erase(schema.name);
  if (stream) catalog_.PublishStream(std::make_shared<const Stream>(*std::move(stream)));
  return Ok();
}

// Takes indexes out that were deleted, and makes new ones active that are filled.
Status TableWriter::EraseIndexes(const TableSchema& current, std::int64_t now_unix_ms) {
  TableSchema schema = current;
  storage::Batch batch;
  for (IndexSchema& index : schema.indexes) {
    if (!index.is_global || !IsOver(index, now_unix_ms)) continue;
    if (index.status == IndexStatus::kDeleting) {
      MarkGarbage(batch, RowKind::kIndex, static_cast<std::uint32_t>(index.id));
    } else {
      index.status = IndexStatus::kActive;
    }
  }
  std::erase_if(schema.indexes, [&](const IndexSchema& index) {
    return index.status == IndexStatus::kDeleting && IsOver(index, now_unix_ms);
  });
  return Save(std::move(schema), batch);
}

Result<bool> TableWriter::EndTransientStatuses(std::int64_t now_unix_ms) {
  bool has_ended = false;
  for (const auto& schema : catalog_.All()) {
    if (schema->status == TableStatus::kDeleting) {
      if (now_unix_ms < schema->status_until_unix_ms) continue;
      TRY(Erase(*schema, now_unix_ms));
      has_ended = true;
      continue;
    }
    const bool has_index_over = std::ranges::any_of(schema->indexes, [&](const IndexSchema& index) {
      return index.is_global && index.status != IndexStatus::kActive && IsOver(index, now_unix_ms);
    });
    if (!has_index_over) continue;
    TRY(EraseIndexes(*schema, now_unix_ms));
    has_ended = true;
  }
  return has_ended;
}

}  // namespace trestle::engine
