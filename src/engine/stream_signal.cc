#include "engine/stream_signal.h"

namespace trestle::engine {

std::uint64_t StreamSignal::version() const {
  const MutexLock lock(mutex_);
  return version_;
}

void StreamSignal::WaitFor(std::uint64_t seen, std::chrono::milliseconds time) {
  const MutexLock lock(mutex_);
  if (version_ == seen) changed_.WaitFor(mutex_, time);
}

void StreamSignal::Notify() {
  {
    const MutexLock lock(mutex_);
    ++version_;
  }
  changed_.WakeAll();
}

}  // namespace trestle::engine
