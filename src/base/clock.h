#pragma once

#include <atomic>
#include <cstdint>

namespace trestle {

// The time, passed in wherever it is needed, so that every test can set it.
class Clock {
 public:
  virtual ~Clock() = default;
  // What the clock on the wall says. People and programs set it, forward and back.
  [[nodiscard]] virtual std::int64_t NowUnixMs() const = 0;
  // Time that only passes, since no particular moment; a sleeping machine's too.
  [[nodiscard]] virtual std::int64_t SteadyNs() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t NowUnixMs() const override;
  [[nodiscard]] std::int64_t SteadyNs() const override;
};

// A clock that a test sets by hand. Safe from many threads.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::int64_t now_unix_ms) : now_unix_ms_(now_unix_ms) {}
  [[nodiscard]] std::int64_t NowUnixMs() const override { return now_unix_ms_; }
  [[nodiscard]] std::int64_t SteadyNs() const override { return steady_ns_; }
  // Time passes. Less than none is time that the clock on the wall is set back by.
  void Advance(std::int64_t by_ms) {
    if (by_ms > 0) steady_ns_ += by_ms * 1'000'000;
    now_unix_ms_ += by_ms;
  }
  // The clock on the wall is set; no time passes.
  void Set(std::int64_t now_unix_ms) { now_unix_ms_ = now_unix_ms; }

 private:
  std::atomic<std::int64_t> now_unix_ms_;
  std::atomic<std::int64_t> steady_ns_ = 0;
};

}  // namespace trestle
