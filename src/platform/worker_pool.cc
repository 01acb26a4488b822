#include "platform/worker_pool.h"

#include <optional>
#include <utility>

namespace trestle::platform {

WorkerPool::WorkerPool(const Options& options)
    : waiting_max_(options.waiting_max), workers_(options.worker_count) {
  for (Worker& worker : workers_)
    worker.thread = std::thread([this, &worker] { Work(worker); });
}

WorkerPool::~WorkerPool() { Stop(); }

bool WorkerPool::Offer(http::Task& task) {
  Worker* called = nullptr;
  {
    const MutexLock lock(mutex_);
    if (is_stopped_ || waiting_.size() >= waiting_max_) {
      ++refused_;
      return false;
    }
    waiting_.push_back(std::move(task));
    called = CallOne();
  }
  if (called != nullptr) called->is_called.Wake();
  return true;
}

WorkerPool::Worker* WorkerPool::CallOne() {
  if (is_calling_ || waiting_.empty() || idle_.empty()) return nullptr;
  Worker* const called = idle_.back();
  idle_.pop_back();
  called->is_idle = false;
  is_calling_ = true;
  return called;
}

void WorkerPool::WaitForTask(Worker& self) {
  while (waiting_.empty() && !is_stopped_) {
    self.is_idle = true;
    idle_.push_back(&self);
    while (self.is_idle)
      self.is_called.Wait(mutex_);
    is_calling_ = false;
  }
}

void WorkerPool::Work(Worker& self) {
  while (true) {
    std::optional<http::Task> task;
    Worker* called = nullptr;
    {
      const MutexLock lock(mutex_);
      WaitForTask(self);
      if (is_stopped_) return;
      task = std::move(waiting_.front());
      waiting_.pop_front();
      ++running_;
      called = CallOne();
    }
    if (called != nullptr) called->is_called.Wake();
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
    for (Worker* worker : idle_)
      worker->is_idle = false;
    idle_.clear();
  }
  for (Worker& worker : workers_) {
    worker.is_called.Wake();
    if (worker.thread.joinable()) worker.thread.join();
  }
}

WorkerPool::Counters WorkerPool::counters() const {
  const MutexLock lock(mutex_);
  return {.waiting = waiting_.size(), .running = running_, .refused = refused_};
}

}  // namespace trestle::platform
