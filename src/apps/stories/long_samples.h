#pragma once

#include <span>

#include "base/result.h"
#include "platform/app.h"

namespace trestle::apps::stories {

// The long sample story, for people who have profiles already.
[[nodiscard]] Status LoadLongSample(const platform::Mount& mount,
                                    std::span<const platform::Person> people);

}  // namespace trestle::apps::stories
