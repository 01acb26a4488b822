#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/server.h"

// How many requests there were of each operation, how they ended and how long they took.

namespace trestle::wire {

enum class Outcome : std::uint8_t { kOk, kRefused, kFailed };  // 2xx, 4xx, 5xx

// The counts of one loop: one thread writes, any thread reads.
class Metrics {
 public:
  // `operation_count` operations, and one place more for requests that are none.
  explicit Metrics(std::size_t operation_count);

  struct Sample {
    std::size_t operation;
    Outcome outcome;
    std::int64_t duration_ns;
    std::size_t request_bytes;
    std::size_t reply_bytes;
  };
  void Count(const Sample& sample);

 private:
  friend class MetricsText;

  // Upper bounds in microseconds; the last bucket has none.
  static constexpr std::array kBoundsUs = {10,     25,     50,      100,     250,
                                           500,    1'000,  2'500,   5'000,   10'000,
                                           25'000, 50'000, 100'000, 250'000, 1'000'000};
  using Counter = std::atomic<std::uint64_t>;

  struct OperationCounters {
    std::array<Counter, 3> outcomes = {};
    std::array<Counter, kBoundsUs.size() + 1> durations = {};
    Counter duration_ns = 0;
    Counter request_bytes = 0;
    Counter reply_bytes = 0;
  };

  static void Add(Counter& counter, std::uint64_t count) {
    counter.store(counter.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }

  std::vector<OperationCounters> operations_;
};

struct Gauges {
  http::ServerCounters server;
  std::size_t pending_writes = 0;
  bool is_writable = true;
};

// Everything in Prometheus' text format. `operations` are the names by index; the sums are over
// all loops.
[[nodiscard]] std::string MetricsInText(std::span<const Metrics* const> loops,
                                        std::span<const std::string_view> operations,
                                        const Gauges& gauges);

}  // namespace trestle::wire
