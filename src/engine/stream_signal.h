#pragma once

#include <chrono>
#include <cstdint>

#include "base/mutex.h"

namespace trestle::engine {

// Wakes those who wait for records when a commit has brought some. Safe from many threads.
//
//   const std::uint64_t seen = signal.version();
//   ... look for records; there are none ...
//   signal.WaitFor(seen, time);     // returns at once when some came in between
class StreamSignal {
 public:
  [[nodiscard]] std::uint64_t version() const EXCLUDES(mutex_);
  // Until the version is another one than `seen`, or the time is over, or for no reason.
  void WaitFor(std::uint64_t seen, std::chrono::milliseconds time) EXCLUDES(mutex_);
  void Notify() EXCLUDES(mutex_);

 private:
  mutable Mutex mutex_;
  Condition changed_;
  std::uint64_t version_ GUARDED_BY(mutex_) = 0;
};

}  // namespace trestle::engine
