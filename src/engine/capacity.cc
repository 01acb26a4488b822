#include "engine/capacity.h"

#include <algorithm>
#include <utility>

namespace trestle::engine {
namespace {

double StartedUnits(std::uint64_t size_bytes, std::uint64_t unit_bytes) {
  return static_cast<double>(
      std::max<std::uint64_t>(1, (size_bytes + unit_bytes - 1) / unit_bytes));
}

}  // namespace

double ReadUnits(std::uint64_t size_bytes, Consistency consistency) {
  const double units = StartedUnits(size_bytes, kReadUnitBytes);
  return consistency == Consistency::kStrong ? units : units / 2;
}

double WriteUnits(std::uint64_t size_bytes) { return StartedUnits(size_bytes, kWriteUnitBytes); }

double ConsumedCapacity::ReadUnits() const {
  double sum = table_read_units;
  for (const IndexUnits& index : indexes)
    sum += index.read_units;
  return sum;
}

double ConsumedCapacity::WriteUnits() const {
  double sum = table_write_units;
  for (const IndexUnits& index : indexes)
    sum += index.write_units;
  return sum;
}

void AddConsumed(std::vector<ConsumedCapacity>& into, ConsumedCapacity from) {
  const auto same = std::ranges::find(into, from.table, &ConsumedCapacity::table);
  if (same == into.end()) {
    into.push_back(std::move(from));
    return;
  }
  same->table_read_units += from.table_read_units;
  same->table_write_units += from.table_write_units;
  for (IndexUnits& index : from.indexes) {
    const auto same_index = std::ranges::find(same->indexes, index.index, &IndexUnits::index);
    if (same_index == same->indexes.end()) {
      same->indexes.push_back(std::move(index));
    } else {
      same_index->read_units += index.read_units;
      same_index->write_units += index.write_units;
    }
  }
}

}  // namespace trestle::engine
