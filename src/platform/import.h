#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.h"
#include "platform/jobs.h"

// Files that people bring along from elsewhere: jobs that go through them row by row.

namespace trestle::platform {

inline constexpr std::uint32_t kImportBytesMax = 2 * 1024 * 1024;  // of Route::body_bytes_max
inline constexpr std::size_t kImportRowsMax = 5000;

// The problem too-large when there are more.
[[nodiscard]] Status CheckImportRows(std::size_t row_count);

// A step of a job: the rows behind those that it has done, as many as there is time for. A row may
// come again after a crash. `take` is given its number, from 0.
[[nodiscard]] Result<JobStep> TakeRows(const Clock& clock, JobState& job, std::size_t row_count,
                                       const std::function<Status(std::size_t row)>& take);

}  // namespace trestle::platform
