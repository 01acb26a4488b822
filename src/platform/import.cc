#include "platform/import.h"

#include <fmt/format.h>

#include "platform/problem.h"
#include "platform/service.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

constexpr std::int64_t kStepNs = 500'000'000;
static_assert(kImportBytesMax <= kWebBodyBytesMax);

}  // namespace

Status CheckImportRows(std::size_t row_count) {
  if (row_count <= kImportRowsMax) return Ok();
  return ProblemError("too-large",
                      fmt::format("a file has at most {} rows; send several", kImportRowsMax));
}

Result<JobStep> TakeRows(const Clock& clock, JobState& job, std::size_t row_count,
                         const std::function<Status(std::size_t row)>& take) {
  const std::int64_t started_ns = clock.SteadyNs();
  auto next = static_cast<std::size_t>(IntegerOf(job.progress, "next").value_or(0));
  for (; next < row_count && clock.SteadyNs() - started_ns < kStepNs; ++next)
    TRY(take(next));
  job.total = static_cast<std::int64_t>(row_count);
  job.done = static_cast<std::int64_t>(next);
  SetInteger(job.progress, "next", job.done);
  return next < row_count ? JobStep::kMore : JobStep::kEnd;
}

}  // namespace trestle::platform
