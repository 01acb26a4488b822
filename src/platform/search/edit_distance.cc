#include "platform/search/edit_distance.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/check.h"
#include "text/words.h"

namespace trestle::platform::search {

unsigned EditDistance(std::u32string_view left, std::u32string_view right, unsigned distance_max) {
  const unsigned too_far = distance_max + 1;
  if (left.size() > right.size()) std::swap(left, right);
  CHECK(right.size() <= text::kTermLettersMax, "a word as text::Words makes it");
  if (right.size() - left.size() > distance_max) return too_far;
  std::array<std::array<unsigned, text::kTermLettersMax + 1>, 3>
      rows;  // of left's letters, by turns
  for (std::size_t k = 0; k <= right.size(); ++k)
    rows[0][k] = static_cast<unsigned>(k);
  for (std::size_t i = 1; i <= left.size(); ++i) {
    const auto& before = rows[(i + 1) % 3];  // two above
    const auto& above = rows[(i + 2) % 3];
    auto& row = rows[i % 3];
    // Whatever is further from the diagonal is too far.
    const std::size_t first = i > distance_max ? i - distance_max : 1;
    const std::size_t last = std::min(i + distance_max, right.size());
    row[first - 1] = first == 1 ? static_cast<unsigned>(i) : too_far;
    unsigned smallest = row[first - 1];
    for (std::size_t k = first; k <= last; ++k) {
      const unsigned changed = above[k - 1] + (left[i - 1] == right[k - 1] ? 0 : 1);
      row[k] = std::min({changed, above[k] + 1, row[k - 1] + 1});
      const bool is_swapped =
          i > 1 && k > 1 && left[i - 1] == right[k - 2] && left[i - 2] == right[k - 1];
      if (is_swapped) row[k] = std::min(row[k], before[k - 2] + 1);
      smallest = std::min(smallest, row[k]);
    }
    for (std::size_t k = last + 1; k <= std::min(last + 2, right.size()); ++k)
      row[k] = too_far;
    if (smallest > distance_max) return too_far;
  }
  return std::min(rows[left.size() % 3][right.size()], too_far);
}

}  // namespace trestle::platform::search
