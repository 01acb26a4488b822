#pragma once

#include <string_view>

#include "base/result.h"
#include "platform/app.h"
#include "platform/jobs.h"

namespace trestle::apps::watch {

// Makes the lists of a curator private who was suspended, as a job.
inline constexpr std::string_view kSuspensionJob = "suspension";
[[nodiscard]] Result<platform::JobStep> FollowSuspension(const platform::Mount& mount,
                                                         platform::JobState& job);

}  // namespace trestle::apps::watch
