#pragma once

#include <cstdint>

#include "base/mutex.h"
#include "base/random.h"

namespace trestle::remote {

struct RetryPolicy {
  int attempts_max = 8;
  // Before attempt n + 1 a time between 0 and 2^(n-1) times the first is waited ("full jitter"), so
  // that clients that failed together do not come back together.
  std::int64_t first_delay_ms = 25;
  std::int64_t delay_ms_max = 5'000;
};

// How long to wait after `attempt` attempts, counted from 1.
[[nodiscard]] std::int64_t DelayMs(const RetryPolicy& policy, int attempt, Random& random);

// What all calls of a client may spend on retries together: when most calls fail, more calls do not
// help. Safe from many threads.
class RetryBudget {
 public:
  // False when there is nothing left for another attempt.
  [[nodiscard]] bool Take() EXCLUDES(mutex_);
  // A call has succeeded.
  void Refill() EXCLUDES(mutex_);

 private:
  static constexpr int kUnitsMax = 500;
  static constexpr int kUnitsPerRetry = 5;

  Mutex mutex_;
  int units_ GUARDED_BY(mutex_) = kUnitsMax;
};

}  // namespace trestle::remote
