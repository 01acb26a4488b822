#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "http/server.h"
#include "platform/worker_pool.h"

namespace trestle::platform {

// How many requests each route had, how they ended and how long they took. Safe from many threads.
class Metrics {
 public:
  // `route_count` routes, and one place more for requests that have none.
  explicit Metrics(std::size_t route_count) : routes_(route_count + 1) {}

  void Count(std::size_t route, int status, std::int64_t duration_ns);

  struct Gauges {
    http::ServerCounters server;
    WorkerPool::Counters workers;
    bool is_ready = true;
  };
  // Everything in Prometheus' text format. `names` are "GET /path", by route.
  [[nodiscard]] std::string InText(std::span<const std::string> names, const Gauges& gauges) const;

 private:
  // Upper bounds in microseconds; the last bucket has none.
  static constexpr std::array kBoundsUs = {100,    250,    500,     1'000,   2'500,    5'000,
                                           10'000, 25'000, 100'000, 500'000, 2'500'000};
  using Counter = std::atomic<std::uint64_t>;

  struct RouteCounters {
    std::array<Counter, 4> statuses = {};  // 2xx to 5xx
    std::array<Counter, kBoundsUs.size() + 1> durations = {};
    Counter duration_ns = 0;
  };

  static void AppendRoute(const std::string& labels, const RouteCounters& route,
                          std::string& requests, std::string& durations);

  std::vector<RouteCounters> routes_;
};

}  // namespace trestle::platform
