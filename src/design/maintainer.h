#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#include "base/result.h"
#include "design/follower.h"
#include "design/runtime.h"

namespace trestle::design {

struct MaintainerOptions {
  // Names the position in the table: ~trestle#position#<consumer>. One maintainer at a time has it.
  std::string consumer = "maintainer";
  // How many times in a row a change may fail before it is left out and counted.
  int tries_max = 5;
};

// Follows the table's stream and does what a design derives from it: copies, cascades, detaches,
// large moves, averages, and what expired items leave behind.
//
// Safe from many threads.
class Maintainer {
 public:
  // The run time must outlive it.
  Maintainer(Runtime& runtime, const MaintainerOptions& options);
  ~Maintainer();
  Maintainer(const Maintainer&) = delete;
  Maintainer& operator=(const Maintainer&) = delete;

  // As of Follower. What lost changes meant is mended by `verify --repair`.
  [[nodiscard]] Status Start() { return follower_.Start(); }
  [[nodiscard]] Status SkipToNow() { return follower_.SkipToNow(); }
  void Stop() { follower_.Stop(); }
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait) { return follower_.Drained(wait); }
  [[nodiscard]] Follower::Counters counters() { return follower_.counters(); }

  // Changes that were left out because they kept failing; the log says which.
  [[nodiscard]] std::uint64_t failed_changes() { return counters().given_up; }

 private:
  struct Work;

  std::unique_ptr<Work> work_;
  Follower follower_;  // last: its thread uses the work
};

}  // namespace trestle::design
