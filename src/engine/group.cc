#include "engine/group.h"

#include <utility>

#include "base/check.h"
#include "engine/rows.h"

namespace trestle::engine {

Result<std::optional<std::string>> Group::Read(const std::string& row) const {
  const auto written = overlay_.find(row);
  if (written != overlay_.end()) return written->second;
  std::string value;
  const bool is_there = TRY(store_.Read(row, value, nullptr));
  if (!is_there) return std::optional<std::string>();
  return std::optional(std::move(value));
}

void Group::Put(const std::string& row, std::string value) {
  batch_.Put(row, value);
  overlay_.insert_or_assign(row, std::move(value));
}

void Group::Delete(const std::string& row) {
  batch_.Delete(row);
  overlay_.insert_or_assign(row, std::nullopt);
}

void Group::PutExpiryRow(ExpiryId id, const std::string& row) {
  batch_.Put(row, "");
  const auto [first, is_new] = first_expiry_rows_.try_emplace(id, row);
  if (!is_new && row < first->second) first->second = row;
}

TableCounters& Group::Counters(const TableSchema& table) {
  const auto found = counters_.find(table.name);
  if (found != counters_.end()) return found->second.counters;
  return counters_
      .emplace(table.name,
               ChangedCounters{.id = table.id, .counters = catalog_.Counters(table.name)})
      .first->second.counters;
}

ShardId Group::PlaceRecord(StreamId stream, std::uint64_t hash, std::uint64_t sequence,
                           std::int64_t now_unix_ms) {
  std::shared_ptr<const Stream>& current = streams_[stream];
  if (!current) current = catalog_.FindStream(stream);
  CHECK(current != nullptr, "a table's stream is in the catalogue");
  const Shard& shard = current->OpenShardOf(hash);
  const bool is_busy = shard_loads_[stream].Count(shard.id, now_unix_ms, shard_policy_) &&
                       shard.first_hash < shard.last_hash &&
                       current->OpenShardCount() < shard_policy_.open_shards_max;
  const bool is_old = now_unix_ms - shard.opened_unix_ms >= shard_policy_.lifetime_ms;
  if (!is_busy && !is_old) return shard.id;

  Stream changed = *current;
  ReplaceShard(changed, shard.id, is_busy ? Children::kTwo : Children::kOne, sequence, now_unix_ms);
  batch_.Put(StreamStateRow(stream), EncodeStream(changed));
  current = std::make_shared<const Stream>(std::move(changed));
  return current->OpenShardOf(hash).id;
}

void Group::Finish() {
  for (const auto& [name, changed] : counters_) {
    batch_.Put(RowPrefix(RowKind::kCounters, changed.id), EncodeCounters(changed.counters));
  }
}

void Group::Publish(Catalog& catalog) const {
  for (const auto& [id, stream] : streams_) {
    if (catalog.FindStream(id) != stream) catalog.PublishStream(stream);
  }
  for (const auto& [name, changed] : counters_)
    catalog.PublishCounters(name, changed.counters);
}

void Group::Clear() {
  batch_.Clear();
  overlay_.clear();
  counters_.clear();
  streams_.clear();
  first_expiry_rows_.clear();
}

}  // namespace trestle::engine
