#pragma once

#include <cstddef>
#include <string_view>

namespace trestle::platform::search {

// How many mistakes a word of so many letters may have.
[[nodiscard]] constexpr unsigned MistakesMax(std::size_t letters) {
  if (letters >= 8) return 2;
  return letters >= 4 ? 1 : 0;
}

// How many letters must be added, removed, changed or swapped with a neighbour to make one of the
// other; more than `distance_max` is distance_max + 1. Words have at most kTermLettersMax letters.
[[nodiscard]] unsigned EditDistance(std::u32string_view left, std::u32string_view right,
                                    unsigned distance_max);

}  // namespace trestle::platform::search
