#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "design/backend.h"
#include "design/runtime.h"

namespace trestle::design {

// Where a consumer of a stream keeps how far it is. A consumer that stores what it makes of the
// changes elsewhere writes both in one transaction there. One thread at a time.
class PositionStore {
 public:
  virtual ~PositionStore() = default;
  // Empty: there is none yet.
  [[nodiscard]] virtual Result<std::string> Read() = 0;
  // Everything before the position is done.
  [[nodiscard]] virtual Status Write(const std::string& position) = 0;
};

// In the table itself: ~trestle#position#<consumer>. The run time must outlive it.
[[nodiscard]] std::unique_ptr<PositionStore> NewTablePosition(Runtime& runtime,
                                                              const std::string& consumer);

// Whether an item is such a position, or another note of a follower for itself.
[[nodiscard]] bool IsOfFollower(const Model& model, value::ItemView item);

struct FollowerOptions {
  std::string consumer;  // one name, one follower at a time of the table
  // Does what follows from one change. It may be called again with a change that it has seen.
  std::function<Status(const Change& change)> follow;
  // Takes a change that keeps failing; when it fails too, the change is tried once more.
  std::function<Status(const Change& change, const Error& error, int tries)> give_up;
  // How many times in a row a change may fail before it is given up.
  int tries_max = 5;
  // The same for failures that pass by themselves; none: for as long as it takes.
  std::optional<int> passing_tries_max;
  // The position is stored when there is nothing more to do, and at the latest after these.
  std::size_t unsaved_max = 1000;
  std::chrono::milliseconds save_every{1000};
};

// A thread that gives a function the changes of a table, those of one item in their order. The
// position is stored after what follows from the changes before it, so a crash repeats, and loses
// nothing. Notes of the run time itself, such as positions, are left out; jobs are not.
//
// Safe from many threads.
class Follower {
 public:
  // The run time and the store must outlive it.
  Follower(Runtime& runtime, PositionStore& positions, FollowerOptions options);
  ~Follower();
  Follower(const Follower&) = delete;
  Follower& operator=(const Follower&) = delete;

  // Starts the thread, from the stored position; without one from the oldest change that is kept.
  // kTrimmedDataAccess when changes were lost meanwhile: SkipToNow goes on behind them.
  [[nodiscard]] Status Start();
  // Forgets the position: the next Start begins with what is written from now on.
  [[nodiscard]] Status SkipToNow();
  // Ends the thread after the change that it is at.
  void Stop();

  // Waits until everything that was written before the call, and all that followed from it, is
  // done. False when the time is over, or the thread has ended.
  [[nodiscard]] bool Drained(std::chrono::milliseconds wait);

  struct Counters {
    std::uint64_t changes = 0;  // that were dealt with, one way or the other
    std::uint64_t retries = 0;
    std::uint64_t given_up = 0;
    // How old the changes are that it is at; 0 when there is nothing to do.
    std::int64_t lag_ms = 0;
    bool is_running = false;
  };
  [[nodiscard]] Counters counters();

 private:
  void Work();
  // False when the stream cannot be read any more.
  [[nodiscard]] bool WorkOnce();
  void FollowAll(const std::vector<Change>& changes);
  void FollowOne(const Change& change);
  void Pause() EXCLUDES(mutex_);
  [[nodiscard]] bool IsSpent(const Error& error, int tries) const;
  [[nodiscard]] Status SavePosition();
  [[nodiscard]] bool IsSaveDue() const;

  struct Reading;

  Runtime& runtime_;
  PositionStore& positions_;
  const FollowerOptions options_;
  std::unique_ptr<Reading> reading_;  // of the thread, while there is one
  std::thread thread_;
  std::atomic<bool> is_stopped_ = false;
  std::atomic<std::uint64_t> changes_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<std::uint64_t> given_up_ = 0;
  // Everything that was written before this time is done.
  std::atomic<std::int64_t> done_until_unix_ms_ = 0;
  std::atomic<bool> is_idle_ = false;

  Mutex mutex_;
  ::trestle::Condition changed_;
  std::uint64_t asked_ GUARDED_BY(mutex_) = 0;     // how many times Drained was called
  std::uint64_t answered_ GUARDED_BY(mutex_) = 0;  // all up to this one are drained
  bool is_over_ GUARDED_BY(mutex_) = true;
};

// Whether the run time's own notes are all that changed: positions and marks.
[[nodiscard]] bool IsOwnNote(const Model& model, const Change& change);

}  // namespace trestle::design
