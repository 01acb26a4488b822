#include "engine/catalog.h"

#include <utility>

#include "base/bytes.h"
#include "engine/rows.h"
#include "value/key_codec.h"

namespace trestle::engine {

Status Catalog::Load(const storage::Store& store) {
  const std::string first(1, static_cast<char>(RowKind::kCatalog));
  const auto cursor = store.NewCursor(first, value::PrefixEnd(first));
  for (cursor->Seek(first); cursor->Valid(); cursor->Next()) {
    auto schema = std::make_shared<TableSchema>(TRY(DecodeSchema(cursor->value())));
    std::string counters_bytes;
    const bool has_counters =
        TRY(store.Read(RowPrefix(RowKind::kCounters, schema->id), counters_bytes, nullptr));
    TableCounters counters;
    if (has_counters) counters = TRY(DecodeCounters(counters_bytes));
    const std::string name = schema->name;
    Publish(std::move(schema));
    PublishCounters(name, counters);
  }
  TRY(cursor->status());
  return LoadStreams(store);
}

Status Catalog::LoadStreams(const storage::Store& store) {
  const std::string first(1, static_cast<char>(RowKind::kStreamState));
  const auto cursor = store.NewCursor(first, value::PrefixEnd(first));
  for (cursor->Seek(first); cursor->Valid(); cursor->Next()) {
    if (cursor->key().size() != 5) return CorruptionError("the row of a stream is damaged");
    const auto id = static_cast<StreamId>(ReadU32Be(cursor->key().substr(1)));
    PublishStream(std::make_shared<const Stream>(TRY(DecodeStream(id, cursor->value()))));
  }
  return cursor->status();
}

std::shared_ptr<const TableSchema> Catalog::Find(std::string_view table) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(table);
  return found == tables_.end() ? nullptr : found->second.schema;
}

std::optional<TableDescription> Catalog::Describe(std::string_view table) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(table);
  if (found == tables_.end()) return std::nullopt;
  const auto& [schema, counters] = found->second;
  TableDescription description{.schema = schema, .table = counters.table, .indexes = {}};
  for (const IndexSchema& index : schema->indexes) {
    const auto of_index = counters.indexes.find(index.id);
    description.indexes.push_back(of_index == counters.indexes.end() ? IndexCounters{}
                                                                     : of_index->second);
  }
  return description;
}

ListTablesReply Catalog::List(const ListTablesRequest& request) const {
  const MutexLock lock(mutex_);
  auto at = request.exclusive_start_table_name
                ? tables_.upper_bound(*request.exclusive_start_table_name)
                : tables_.begin();
  ListTablesReply reply;
  for (; at != tables_.end(); ++at) {
    if (reply.tables.size() == request.limit) {
      reply.last_evaluated_table_name = reply.tables.back();
      break;
    }
    reply.tables.push_back(at->first);
  }
  return reply;
}

std::vector<std::shared_ptr<const TableSchema>> Catalog::All() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const TableSchema>> all;
  for (const auto& [name, entry] : tables_)
    all.push_back(entry.schema);
  return all;
}

TableCounters Catalog::Counters(std::string_view table) const {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(table);
  return found == tables_.end() ? TableCounters{} : found->second.counters;
}

void Catalog::Publish(std::shared_ptr<const TableSchema> schema) {
  const MutexLock lock(mutex_);
  tables_[schema->name].schema = std::move(schema);
}

void Catalog::PublishCounters(std::string_view table, const TableCounters& counters) {
  std::optional<StreamId> changed;
  {
    const MutexLock lock(mutex_);
    const auto found = tables_.find(table);
    if (found == tables_.end()) return;
    auto& [schema, known] = found->second;
    if (schema->stream && known.stream_sequence != counters.stream_sequence) {
      changed = schema->stream->id;
    }
    known = counters;
  }
  if (changed) stream_signal(*changed).Notify();
}

void Catalog::Erase(std::string_view table) {
  const MutexLock lock(mutex_);
  const auto found = tables_.find(table);
  if (found != tables_.end()) tables_.erase(found);
}

std::shared_ptr<const Stream> Catalog::FindStream(StreamId stream) const {
  const MutexLock lock(mutex_);
  const auto found = streams_.find(stream);
  return found == streams_.end() ? nullptr : found->second;
}

std::shared_ptr<const Stream> Catalog::FindStream(std::string_view table,
                                                  std::int64_t created_unix_ms) const {
  const MutexLock lock(mutex_);
  for (const auto& [id, stream] : streams_) {
    if (stream->created_unix_ms == created_unix_ms && stream->table == table) return stream;
  }
  return nullptr;
}

std::vector<std::shared_ptr<const Stream>> Catalog::AllStreams() const {
  const MutexLock lock(mutex_);
  std::vector<std::shared_ptr<const Stream>> all;
  all.reserve(streams_.size());
  for (const auto& [id, stream] : streams_)
    all.push_back(stream);
  return all;
}

void Catalog::PublishStream(std::shared_ptr<const Stream> stream) {
  const StreamId id = stream->id;
  {
    const MutexLock lock(mutex_);
    streams_[id] = std::move(stream);
  }
  stream_signal(id).Notify();
}

void Catalog::EraseStream(StreamId stream) {
  {
    const MutexLock lock(mutex_);
    streams_.erase(stream);
  }
  stream_signal(stream).Notify();
}

TableStatus StatusAt(const TableSchema& schema, std::int64_t now_unix_ms) {
  const bool is_over = now_unix_ms >= schema.status_until_unix_ms;
  return schema.status != TableStatus::kDeleting && is_over ? TableStatus::kActive : schema.status;
}

}  // namespace trestle::engine
