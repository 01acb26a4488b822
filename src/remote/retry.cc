#include "remote/retry.h"

#include <algorithm>

namespace trestle::remote {

std::int64_t DelayMs(const RetryPolicy& policy, int attempt, Random& random) {
  constexpr int kDoublingsMax = 30;
  const std::int64_t longest = std::min(
      policy.delay_ms_max, policy.first_delay_ms << std::clamp(attempt - 1, 0, kDoublingsMax));
  return static_cast<std::int64_t>(random.Next() % static_cast<std::uint64_t>(longest + 1));
}

bool RetryBudget::Take() {
  const MutexLock lock(mutex_);
  if (units_ < kUnitsPerRetry) return false;
  units_ -= kUnitsPerRetry;
  return true;
}

void RetryBudget::Refill() {
  const MutexLock lock(mutex_);
  units_ = std::min(kUnitsMax, units_ + 1);
}

}  // namespace trestle::remote
