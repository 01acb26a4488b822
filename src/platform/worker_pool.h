#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "http/server.h"

namespace trestle::platform {

// A bounded number of threads that run handlers, which may block, in the order in which they were
// offered. The event loops never run them. A task goes to the worker that was busy last, whose
// memory is still in the processor's caches. Safe from many threads.
class WorkerPool {
 public:
  struct Options {
    // Enough that the committer has several writes to put on disk together.
    unsigned worker_count = 64;
    std::size_t waiting_max = 1024;
  };

  explicit WorkerPool(const Options& options);
  ~WorkerPool();  // Stop

  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  // False, and `task` is untouched, when too many wait already or after Stop.
  [[nodiscard]] bool Offer(http::Task& task) EXCLUDES(mutex_);

  // Ends the tasks that run, drops those that wait, and returns when no worker runs any more. One
  // thread calls it.
  void Stop() EXCLUDES(mutex_);

  struct Counters {
    std::size_t waiting = 0;
    std::size_t running = 0;
    std::uint64_t refused = 0;  // since the start
  };
  [[nodiscard]] Counters counters() const EXCLUDES(mutex_);

 private:
  struct Worker {
    Condition is_called;
    bool is_idle = false;
    std::thread thread;
  };

  void Work(Worker& self) EXCLUDES(mutex_);
  void WaitForTask(Worker& self) REQUIRES(mutex_);
  // Whom to wake for what waits; nobody while one who was called is still on the way.
  [[nodiscard]] Worker* CallOne() REQUIRES(mutex_);

  const std::size_t waiting_max_;
  std::deque<Worker> workers_;

  mutable Mutex mutex_;
  std::deque<http::Task> waiting_ GUARDED_BY(mutex_);
  std::vector<Worker*> idle_ GUARDED_BY(mutex_);  // the last was busy last
  bool is_calling_ GUARDED_BY(mutex_) = false;
  std::size_t running_ GUARDED_BY(mutex_) = 0;
  std::uint64_t refused_ GUARDED_BY(mutex_) = 0;
  bool is_stopped_ GUARDED_BY(mutex_) = false;
};

}  // namespace trestle::platform
