#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "base/mutex.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/runtime.h"

namespace trestle::design {

struct MaintainerOptions {
  // Names the position in the table: ~trestle#position#<consumer>. One maintainer at a time has it.
  std::string consumer = "maintainer";
  // How many times in a row a change may fail before it is left out and counted.
  int tries_max = 5;
};

// Follows the table's stream and does what a design derives from it: copies, cascades, detaches,
// large moves, averages, and what expired items leave behind. The position is stored after what
// follows from the changes before it, so a crash repeats, and loses nothing.
//
// Safe from many threads.
class Maintainer {
 public:
  // The run time must outlive it.
  Maintainer(Runtime& runtime, const MaintainerOptions& options);
  ~Maintainer();
  Maintainer(const Maintainer&) = delete;
  Maintainer& operator=(const Maintainer&) = delete;

  // Starts the thread, from the stored position; without one from the oldest change that is kept.
  // kTrimmedDataAccess when changes were lost meanwhile: `verify --repair` mends what they meant,
  // and SkipToNow goes on behind them.
  [[nodiscard]] Status Start();
  // Forgets the position: the next Start begins with what is written from now on.
  [[nodiscard]] Status SkipToNow();
  // Ends the thread after the change that it is at.
  void Stop();

  // Waits until everything that was written before the call, and all that followed from it, is
  // done. False when the time is over, or the thread has ended.
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait);

  // Changes that were left out because they kept failing; the log says which.
  [[nodiscard]] std::uint64_t failed_changes() const { return failed_changes_; }

 private:
  void Work();
  void FollowAll(const std::vector<Change>& changes);
  void FollowOne(const Change& change);
  void Pause() EXCLUDES(mutex_);

  [[nodiscard]] value::Item PositionKey() const;
  [[nodiscard]] Result<std::string> ReadPosition();
  [[nodiscard]] Status WritePosition(const std::string& position);
  // When there is something to save.
  [[nodiscard]] Status SavePosition();
  [[nodiscard]] bool IsSaveDue() const;

  struct Following;

  Runtime& runtime_;
  const MaintainerOptions options_;
  std::unique_ptr<Following> following_;  // of the thread, while there is one
  std::thread thread_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> failed_changes_ = 0;

  Mutex mutex_;
  ::trestle::Condition changed_;
  std::uint64_t asked_ GUARDED_BY(mutex_) = 0;     // how many times Drained was called
  std::uint64_t answered_ GUARDED_BY(mutex_) = 0;  // all up to this one are drained
  bool is_over_ GUARDED_BY(mutex_) = true;
};

}  // namespace trestle::design
