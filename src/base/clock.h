#pragma once

#include <atomic>
#include <cstdint>

namespace trestle {

// The time, passed in wherever it is needed, so that every test can set it.
class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t NowUnixMs() const = 0;
};

class SystemClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t NowUnixMs() const override;
};

// A clock that a test sets by hand. Safe from many threads.
class FixedClock final : public Clock {
 public:
  explicit FixedClock(std::int64_t now_unix_ms) : now_unix_ms_(now_unix_ms) {}
  [[nodiscard]] std::int64_t NowUnixMs() const override { return now_unix_ms_; }
  void Advance(std::int64_t by_ms) { now_unix_ms_ += by_ms; }

 private:
  std::atomic<std::int64_t> now_unix_ms_;
};

}  // namespace trestle
