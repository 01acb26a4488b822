#include "apps/watch/order.h"

#include <algorithm>
#include <cstddef>

namespace trestle::apps::watch {
namespace {

// Which items stay: a longest run of positions that grow, as indexes into `positions`.
std::vector<std::size_t> LongestGrowing(std::span<const std::int64_t> positions) {
  std::vector<std::size_t> ends;  // the last item of the best run of each length
  std::vector<std::optional<std::size_t>> before(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto place = std::ranges::lower_bound(
        ends, positions[i], {}, [&](std::size_t index) { return positions[index]; });
    if (place != ends.begin()) before[i] = *std::prev(place);
    if (place == ends.end()) {
      ends.push_back(i);
    } else {
      *place = i;
    }
  }
  std::vector<std::size_t> run;
  run.reserve(ends.size());
  for (auto at = ends.empty() ? std::nullopt : std::optional(ends.back()); at; at = before[*at])
    run.push_back(*at);
  std::ranges::reverse(run);
  return run;
}

std::vector<std::optional<std::int64_t>> Renumbered(std::span<const std::int64_t> positions,
                                                    std::int64_t step) {
  std::vector<std::optional<std::int64_t>> plan(positions.size());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const std::int64_t position = static_cast<std::int64_t>(i + 1) * step;
    if (positions[i] != position) plan[i] = position;
  }
  return plan;
}

}  // namespace

std::vector<std::optional<std::int64_t>> PlanPositions(std::span<const std::int64_t> positions,
                                                       std::int64_t step) {
  constexpr std::int64_t kPositionMax = 1'000'000'000;
  std::vector<std::optional<std::int64_t>> plan(positions.size());
  const std::vector<std::size_t> stay = LongestGrowing(positions);
  std::size_t first = 0;  // of the items between two that stay
  std::int64_t low = 0;   // where the one before them stands
  for (std::size_t i = 0; i <= stay.size(); ++i) {
    const std::size_t last = i < stay.size() ? stay[i] : positions.size();
    const auto count = static_cast<std::int64_t>(last - first);
    const std::int64_t high =
        i < stay.size() ? positions[stay[i]] : std::min(low + (count + 1) * step, kPositionMax);
    const std::int64_t gap = (high - low) / (count + 1);
    if (count > 0 && gap == 0) return Renumbered(positions, step);
    for (std::int64_t n = 0; n < count; ++n)
      plan[first + static_cast<std::size_t>(n)] = low + (n + 1) * gap;
    first = last + 1;
    low = high;
  }
  return plan;
}

}  // namespace trestle::apps::watch
