#pragma once

#include <string>

#include "design/model.h"

namespace trestle::design {

// A condition as people say it: "price is given and status is READ".
[[nodiscard]] std::string ConditionWords(const Condition& condition);

}  // namespace trestle::design
