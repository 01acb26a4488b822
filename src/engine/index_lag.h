#pragma once

#include <cstdint>
#include <deque>
#include <memory>

#include "base/clock.h"
#include "base/mutex.h"
#include "storage/store.h"

namespace trestle::engine {

// Global indexes as they were a while ago, as on a service where they follow their tables. Safe
// from many threads.
class IndexLag {
 public:
  // Both outlive it.
  IndexLag(const storage::Store& store, const Clock& clock, std::int64_t lag_ms)
      : store_(store), clock_(clock), lag_ms_(lag_ms) {}

  // Before a write: remembers the state that it ends.
  void BeforeWrite() EXCLUDES(mutex_);
  // The state of a while ago; null: nothing was written since.
  [[nodiscard]] std::shared_ptr<const storage::Snapshot> Past() EXCLUDES(mutex_);

 private:
  struct State {
    std::int64_t until_unix_ms = 0;
    std::shared_ptr<const storage::Snapshot> snapshot;
  };

  void ForgetOld(std::int64_t now_unix_ms) REQUIRES(mutex_);

  const storage::Store& store_;
  const Clock& clock_;
  const std::int64_t lag_ms_;
  Mutex mutex_;
  std::deque<State> states_ GUARDED_BY(mutex_);  // the oldest first
};

}  // namespace trestle::engine
