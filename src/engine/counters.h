#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/schema.h"

namespace trestle::engine {

// The numbers of a table that change with its items, kept in the same batch as the items.
//
//   counters := 01 item_count size_bytes stream_sequence count (index_id item_count size_bytes)*
//
// All varints.
struct TableCounters {
  IndexCounters table;
  std::uint64_t stream_sequence = 0;  // of the last stream record
  std::map<IndexId, IndexCounters> indexes;
};

[[nodiscard]] std::string EncodeCounters(const TableCounters& counters);
[[nodiscard]] Result<TableCounters> DecodeCounters(std::string_view bytes);

}  // namespace trestle::engine
