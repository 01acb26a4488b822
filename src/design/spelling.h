#pragma once

#include <span>
#include <string_view>

namespace trestle::design {

// The candidate that `word` is most likely a misspelling of, or nothing when none is near: at most
// a third of its letters missing, added, wrong or swapped with a neighbour. Case does not count.
[[nodiscard]] std::string_view ClosestWord(std::string_view word,
                                           std::span<const std::string_view> candidates);

}  // namespace trestle::design
