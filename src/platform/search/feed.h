#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "design/runtime.h"
#include "platform/consumers.h"
#include "platform/search/document.h"
#include "platform/search/index.h"

namespace trestle::platform::search {

struct FeedOptions {
  std::string app;
  design::Runtime* runtime = nullptr;  // these must outlive it
  Index* index = nullptr;
  const Clock* clock = nullptr;
  Describe describe;
  std::uint32_t segments = 2;  // of the parallel scan of a rebuild
};

// Keeps an index what its table is: the consumer "search-index" of the table's stream. An index
// that is empty, damaged or too far behind is built anew from a scan, while writes go on.
//
// Safe from many threads.
class SearchFeed {
 public:
  explicit SearchFeed(FeedOptions options);
  ~SearchFeed();
  SearchFeed(const SearchFeed&) = delete;
  SearchFeed& operator=(const SearchFeed&) = delete;

  // Returns at once; a rebuild goes on behind it.
  void Start();
  void Stop();
  // Builds the index anew, in the background.
  void Rebuild();
  // Waits until everything that was written before the call can be found.
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait);

  // For `Index-Lag-Ms`: how old the changes are that are being indexed, 0 when there are none.
  // During a rebuild, how long it has been going on.
  [[nodiscard]] std::int64_t LagMs() { return state().counters.lag_ms; }
  [[nodiscard]] ConsumerState state();
  [[nodiscard]] std::uint64_t rebuilds() const;  // that were finished

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace trestle::platform::search
