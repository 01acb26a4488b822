#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"

namespace trestle::platform::identity {

// Slows down who guesses: after a few failures in a row each one more doubles the wait. It is kept
// in memory, and knows names that exist and names that do not alike, so that it tells nothing about
// which is which. Safe from many threads.
class Backoff {
 public:
  struct Options {
    int free_failures = 10;
    std::int64_t first_wait_s = 1;
    std::int64_t wait_max_s = 60;
    std::size_t names_max = 100'000;
  };
  // The clock must outlive it.
  Backoff(Options options, const Clock& clock) : options_(options), clock_(clock) {}

  // Seconds until an attempt is allowed; 0: now.
  [[nodiscard]] std::int64_t WaitSeconds(const std::string& name) const EXCLUDES(mutex_);
  // Counts an attempt as failed, before its outcome is known: many at once gain nothing.
  void Begin(const std::string& name) EXCLUDES(mutex_);
  // It did not fail: it counts no more, or nothing does.
  void Forgive(const std::string& name) EXCLUDES(mutex_);
  void Forget(const std::string& name) EXCLUDES(mutex_);

 private:
  struct Record {
    int failures = 0;
    std::int64_t last_ns = 0;
  };
  [[nodiscard]] std::int64_t WaitNs(const Record& record) const;

  const Options options_;
  const Clock& clock_;

  mutable Mutex mutex_;
  std::unordered_map<std::string, Record> records_ GUARDED_BY(mutex_);
};

// What stands for a client's address: an IPv6 network of 64 bits is one client.
[[nodiscard]] std::string AddressGroup(std::string_view address);

}  // namespace trestle::platform::identity
