#pragma once

#include <span>

#include "platform/app.h"

// The list of apps.

namespace trestle::apps {

[[nodiscard]] std::span<const platform::App> All();

[[nodiscard]] platform::App Books();
[[nodiscard]] platform::App Library();
[[nodiscard]] platform::App Watch();
[[nodiscard]] platform::App Stories();
[[nodiscard]] platform::App Notes();

}  // namespace trestle::apps
