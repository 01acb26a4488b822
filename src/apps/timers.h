#pragma once

#include <span>

#include "platform/timers.h"

namespace trestle::apps {

// What apps do at a time.
[[nodiscard]] std::span<const platform::AppTimer> Timers();

}  // namespace trestle::apps
