#include "engine/counters.h"

#include "base/bytes.h"

namespace trestle::engine {
namespace {

constexpr char kFormat = 1;

}  // namespace

std::string EncodeCounters(const TableCounters& counters) {
  std::string bytes(1, kFormat);
  AppendVarint(bytes, counters.table.item_count);
  AppendVarint(bytes, counters.table.size_bytes);
  AppendVarint(bytes, counters.stream_sequence);
  AppendVarint(bytes, counters.indexes.size());
  for (const auto& [id, index] : counters.indexes) {
    AppendVarint(bytes, static_cast<std::uint32_t>(id));
    AppendVarint(bytes, index.item_count);
    AppendVarint(bytes, index.size_bytes);
  }
  return bytes;
}

Result<TableCounters> DecodeCounters(std::string_view bytes) {
  const Error damaged = CorruptionError("a counters row is damaged");
  if (bytes.empty() || bytes[0] != kFormat) return damaged;
  bytes.remove_prefix(1);
  TableCounters counters;
  std::uint64_t index_count = 0;
  if (!TakeVarint(bytes, counters.table.item_count) ||
      !TakeVarint(bytes, counters.table.size_bytes) ||
      !TakeVarint(bytes, counters.stream_sequence) || !TakeVarint(bytes, index_count)) {
    return damaged;
  }
  for (std::uint64_t i = 0; i < index_count; ++i) {
    std::uint64_t id = 0;
    IndexCounters index;
    if (!TakeVarint(bytes, id) || !TakeVarint(bytes, index.item_count) ||
        !TakeVarint(bytes, index.size_bytes)) {
      return damaged;
    }
    counters.indexes.emplace(static_cast<IndexId>(id), index);
  }
  if (!bytes.empty()) return damaged;
  return counters;
}

}  // namespace trestle::engine
