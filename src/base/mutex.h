#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

// Clang checks these with -Wthread-safety; GCC reads them as nothing.
#if defined(__clang__)
#define TRESTLE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define TRESTLE_THREAD_ANNOTATION(x)
#endif

#define CAPABILITY(name) TRESTLE_THREAD_ANNOTATION(capability(name))
#define SCOPED_CAPABILITY TRESTLE_THREAD_ANNOTATION(scoped_lockable)
#define GUARDED_BY(mutex) TRESTLE_THREAD_ANNOTATION(guarded_by(mutex))
#define REQUIRES(...) TRESTLE_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
#define EXCLUDES(...) TRESTLE_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))
#define ACQUIRE(...) TRESTLE_THREAD_ANNOTATION(acquire_capability(__VA_ARGS__))
#define RELEASE(...) TRESTLE_THREAD_ANNOTATION(release_capability(__VA_ARGS__))

namespace trestle {

// std::mutex with a name the analysis can follow.
class CAPABILITY("mutex") Mutex {
 public:
  void Lock() ACQUIRE() { mutex_.lock(); }
  void Unlock() RELEASE() { mutex_.unlock(); }

 private:
  friend class Condition;
  std::mutex mutex_;
};

class SCOPED_CAPABILITY MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~MutexLock() RELEASE() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

// Lets a thread that holds a mutex sleep until another one wakes it, or for a time. It may also
// wake for no reason: ask again what it waited for.
class Condition {
 public:
  void WaitFor(Mutex& mutex, std::chrono::milliseconds time) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait_for(lock, time);
    lock.release();
  }
  void Wait(Mutex& mutex) REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  void Wake() { condition_.notify_one(); }
  void WakeAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace trestle
