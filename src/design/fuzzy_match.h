#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle::design {

// How well a text matches what somebody typed; smaller is better, nothing is no match. Case and
// accents do not count. Every word that was typed must be in the text: as it is, at the start of a
// word, inside one, or with one mistake from 4 letters on and two from 8.
[[nodiscard]] std::optional<unsigned> FuzzyDistance(std::string_view text, std::string_view typed);

}  // namespace trestle::design
