#include "engine/group.h"

#include <utility>

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

TableCounters& Group::Counters(const TableSchema& table) {
  const auto found = counters_.find(table.name);
  if (found != counters_.end()) return found->second.counters;
  return counters_
      .emplace(table.name,
               ChangedCounters{.id = table.id, .counters = catalog_.Counters(table.name)})
      .first->second.counters;
}

void Group::Finish() {
  for (const auto& [name, changed] : counters_) {
    batch_.Put(RowPrefix(RowKind::kCounters, changed.id), EncodeCounters(changed.counters));
  }
}

void Group::Publish(Catalog& catalog) const {
  for (const auto& [name, changed] : counters_)
    catalog.PublishCounters(name, changed.counters);
}

void Group::Clear() {
  batch_.Clear();
  overlay_.clear();
  counters_.clear();
}

}  // namespace trestle::engine
