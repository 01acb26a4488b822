#include "platform/worker_pool.h"

#include <optional>
#include <utility>

namespace trestle::platform {

WorkerPool::WorkerPool(const Options& options) : waiting_max_(options.waiting_max) {
  workers_.reserve(options.worker_count);
  for (unsigned i = 0; i < options.worker_count; ++i)
    workers_.emplace_back([this] { Work(); });
}

WorkerPool::~WorkerPool() { Stop(); }

bool WorkerPool::Offer(http::Task& task) {
  const MutexLock lock(mutex_);
  if (is_stopped_ || waiting_.size() >= waiting_max_) {
    ++refused_;
    return false;
  }
  waiting_.push_back(std::move(task));
  if (!idle_.empty()) {
    Sleeper& worker = *idle_.back();
    idle_.pop_back();
    worker.is_idle = false;
    worker.is_called.Wake();
  }
  return true;
}

void WorkerPool::WaitForTask() {
  Sleeper self;
  while (waiting_.empty() && !is_stopped_) {
    self.is_idle = true;
    idle_.push_back(&self);
    while (self.is_idle)
      self.is_called.Wait(mutex_);
  }
}

void WorkerPool::Work() {
  while (true) {
    std::optional<http::Task> task;
    {
      const MutexLock lock(mutex_);
      WaitForTask();
      if (is_stopped_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
    }
    (*task)();
    task.reset();
    const MutexLock lock(mutex_);
    --running_;
  }
}

void WorkerPool::Stop() {
  std::deque<http::Task> dropped;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
    dropped.swap(waiting_);
    for (Sleeper* worker : idle_) {
      worker->is_idle = false;
      worker->is_called.Wake();
    }
    idle_.clear();
  }
  for (std::thread& worker : workers_)
    worker.join();
  workers_.clear();
}

WorkerPool::Counters WorkerPool::counters() const {
  const MutexLock lock(mutex_);
  return {.waiting = waiting_.size(), .running = running_, .refused = refused_};
}

}  // namespace trestle::platform
