#pragma once

#include <cstdint>

#include "engine/request.h"

// How the service counts read and write units.

namespace trestle::engine {

inline constexpr std::uint64_t kReadUnitBytes = 4096;
inline constexpr std::uint64_t kWriteUnitBytes = 1024;

// Of one read, or of one page: half a unit for every started 4 KB, a whole one when consistent.
[[nodiscard]] double ReadUnits(std::uint64_t size_bytes, Consistency consistency);

// Of one written item or index row: a unit for every started KB.
[[nodiscard]] double WriteUnits(std::uint64_t size_bytes);

// Adds `from` to what `into` counts for the same table, in a list with one entry per table.
void AddConsumed(std::vector<ConsumedCapacity>& into, ConsumedCapacity from);

}  // namespace trestle::engine
