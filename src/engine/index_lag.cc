#include "engine/index_lag.h"

namespace trestle::engine {
namespace {

// Writes that come close together are one: so many states are remembered at most.
constexpr std::int64_t kStatesMax = 8;

}  // namespace

void IndexLag::BeforeWrite() {
  const std::int64_t now_unix_ms = clock_.NowUnixMs();
  const MutexLock lock(mutex_);
  ForgetOld(now_unix_ms);
  if (!states_.empty() && now_unix_ms - states_.back().until_unix_ms < lag_ms_ / kStatesMax) return;
  states_.push_back({.until_unix_ms = now_unix_ms, .snapshot = store_.TakeSnapshot()});
}

std::shared_ptr<const storage::Snapshot> IndexLag::Past() {
  const MutexLock lock(mutex_);
  ForgetOld(clock_.NowUnixMs());
  return states_.empty() ? nullptr : states_.front().snapshot;
}

void IndexLag::ForgetOld(std::int64_t now_unix_ms) {
  while (!states_.empty() && states_.front().until_unix_ms <= now_unix_ms - lag_ms_)
    states_.pop_front();
}

}  // namespace trestle::engine
