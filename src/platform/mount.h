#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/clock.h"
#include "base/mutex.h"
#include "design/runtime.h"
#include "platform/app.h"
#include "platform/cursor.h"

namespace trestle::platform {

class Catalogue;
class Idempotency;
class Jobs;
class LiveHub;
class RateLimiter;

namespace identity {
class Accounts;
}
namespace search {
class Index;
class SearchFeed;
}  // namespace search

// What all apps of a server share. Parts that it does not have are null.
struct Shared {
  const Clock* clock = nullptr;
  const CursorSealer* cursors = nullptr;
  identity::Accounts* accounts = nullptr;
  Jobs* jobs = nullptr;
  LiveHub* live = nullptr;
  Idempotency* idempotency = nullptr;
  RateLimiter* public_writes = nullptr;
  design::Runtime* platform = nullptr;   // of platform.design, where uploaded files are
  const Catalogue* catalogue = nullptr;  // where codes and titles are looked up
  bool requires_if_match = false;        // of who changes or deletes what has a tag
  // How long what others can continue may be changed; 0: until somebody has.
  std::int64_t edit_window_ms = 3'600'000;
  // How late global indexes may be: what must find everything looks once more then.
  std::int64_t index_lag_ms = 0;
};

// Who has a profile in an app already, so that it is not looked for with each request. Forgets all
// when it is full. Safe from many threads.
class KnownPeople {
 public:
  [[nodiscard]] bool Contains(const std::string& sub) const EXCLUDES(mutex_);
  void Add(const std::string& sub) EXCLUDES(mutex_);
  void Remove(const std::string& sub) EXCLUDES(mutex_);

 private:
  static constexpr std::size_t kPeopleMax = 100'000;

  mutable Mutex mutex_;
  std::unordered_set<std::string> people_ GUARDED_BY(mutex_);
};

// An app at work. All that it points to outlives it.
struct Mount {
  const App* app = nullptr;
  design::Runtime* runtime = nullptr;
  const Shared* shared = nullptr;
  KnownPeople* known = nullptr;
  search::Index* search = nullptr;  // null: nothing can be found
  search::SearchFeed* feed = nullptr;
  // Waits until what follows from earlier writes is there; false when it took longer.
  std::function<bool(std::chrono::milliseconds wait)> settle = nullptr;
};

// Where an app's routes begin: "/api/notes/v1".
[[nodiscard]] std::string MountPath(const App& app);

}  // namespace trestle::platform
