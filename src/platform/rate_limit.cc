#include "platform/rate_limit.h"

#include <algorithm>
#include <vector>

#include "base/check.h"

namespace trestle::platform {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;
constexpr std::int64_t kNsPerSecond = 1'000'000'000;

}  // namespace

RateLimiter::RateLimiter(const RateLimit& limit, const Clock& clock, std::size_t keys_max)
    : interval_ns_(limit.period_ms * kNsPerMs / std::max<std::int64_t>(limit.count, 1)),
      burst_ns_(interval_ns_ * limit.burst),
      clock_(clock),
      keys_max_(keys_max) {
  CHECK(limit.count > 0 && limit.burst > 0, "a limit that lets nobody in");
}

std::optional<std::int64_t> RateLimiter::Take(std::string_view key) {
  const std::int64_t now_ns = clock_.SteadyNs();
  const MutexLock lock(mutex_);
  auto found = full_ns_.find(key);
  const std::int64_t before_ns = found == full_ns_.end() ? now_ns : std::max(found->second, now_ns);
  const std::int64_t full_ns = before_ns + interval_ns_;
  const std::int64_t missing_ns = full_ns - now_ns - burst_ns_;
  if (missing_ns > 0) return (missing_ns + kNsPerSecond - 1) / kNsPerSecond;
  if (found != full_ns_.end()) {
    found->second = full_ns;
    return std::nullopt;
  }
  if (full_ns_.size() >= keys_max_) Forget(now_ns);
  full_ns_.emplace(key, full_ns);
  return std::nullopt;
}

// Those that are full; and at least half, so that it is seldom done.
void RateLimiter::Forget(std::int64_t now_ns) {
  std::vector<std::int64_t> times;
  times.reserve(full_ns_.size());
  for (const auto& [key, full_ns] : full_ns_)
    times.push_back(full_ns);
  const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
  std::nth_element(times.begin(), middle, times.end());
  const std::int64_t until_ns = std::max(now_ns, *middle);
  std::erase_if(full_ns_, [&](const auto& bucket) { return bucket.second <= until_ns; });
}

std::size_t RateLimiter::key_count() const {
  const MutexLock lock(mutex_);
  return full_ns_.size();
}

}  // namespace trestle::platform
