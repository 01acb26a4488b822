#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace trestle::platform {

// How many requests one client may make: `burst` at once, and `count` more in each `period_ms`.
struct RateLimit {
  std::int64_t count = 0;
  std::int64_t period_ms = 1000;
  std::int64_t burst = 0;
};

// Of one client, by default: all of its requests, and what it writes for everybody to see.
inline constexpr RateLimit kRequestLimit = {.count = 100, .period_ms = 1000, .burst = 400};
inline constexpr RateLimit kPublicWriteLimit = {.count = 60, .period_ms = 3'600'000, .burst = 60};

// A token bucket for each client, by its key: who signed in, or an address. A bucket that is full
// again is forgotten. Safe from many threads.
class RateLimiter {
 public:
  // The clock must outlive it. With more clients than `keys_max` between full and empty, those that
  // are nearest to full begin anew.
  RateLimiter(const RateLimit& limit, const Clock& clock, std::size_t keys_max = 65'536);

  // Takes one; when there is none, the seconds until there is, for Retry-After.
  [[nodiscard]] std::optional<std::int64_t> Take(std::string_view key) EXCLUDES(mutex_);

  [[nodiscard]] std::size_t key_count() const EXCLUDES(mutex_);

 private:
  void Forget(std::int64_t now_ns) REQUIRES(mutex_);

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const {
      return std::hash<std::string_view>()(key);
    }
  };

  const std::int64_t interval_ns_;  // in which one comes back
  const std::int64_t burst_ns_;     // in which all come back
  const Clock& clock_;
  const std::size_t keys_max_;

  mutable Mutex mutex_;
  // When each bucket is full again, which says all about it.
  std::unordered_map<std::string, std::int64_t, Hash, std::equal_to<>> full_ns_ GUARDED_BY(mutex_);
};

}  // namespace trestle::platform
