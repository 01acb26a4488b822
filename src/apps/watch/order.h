#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Where the items of a list stand: whole numbers with room between, so that one item can be moved
// alone.

namespace trestle::apps::watch {

// New positions for items that stand at `positions`, given in the order that is wanted: nothing for
// those that stay. As few as possible change; when there is no room between two that stay, all are
// numbered anew, in steps of `step`.
[[nodiscard]] std::vector<std::optional<std::int64_t>> PlanPositions(
    std::span<const std::int64_t> positions, std::int64_t step);

}  // namespace trestle::apps::watch
