#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"

// What is larger than an item may be, as entities of platform.design with numbered parts: `n` and
// `bytes` beside what they are parts of.

namespace trestle::platform {

// Adds the actions that store the parts.
[[nodiscard]] Status PlanParts(design::Runtime& platform, std::string_view entity,
                               const design::Record& whole, std::string_view bytes,
                               std::vector<design::WriteItem>& actions);
// Adds what a part holds; parts come in their order.
void AppendPart(const design::Record& part, std::string& bytes);

}  // namespace trestle::platform
