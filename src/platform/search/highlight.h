#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/search/query.h"

namespace trestle::platform::search {

// The parts of a text where a term is that `is_match` accepts, or nothing when there is none. Of a
// long text what is around the first of them, with "…" where something is left out.
[[nodiscard]] std::vector<Segment> HighlightText(
    std::string_view text, const std::function<bool(std::string_view term)>& is_match);

}  // namespace trestle::platform::search
