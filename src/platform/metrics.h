#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/unit_counter.h"
#include "http/server.h"
#include "platform/worker_pool.h"

namespace trestle::platform {

// How many requests each route had, how they ended, how long they took and what they have consumed.
// Safe from many threads.
class Metrics {
 public:
  // `route_count` routes, and one place more for requests that have none.
  explicit Metrics(std::size_t route_count) : routes_(route_count + 1) {}

  struct Request {
    int status = 0;
    std::int64_t duration_ns = 0;
    Units units;
  };
  void Count(std::size_t route, const Request& request);

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
    Counter half_read_units = 0;
    Counter half_write_units = 0;
  };

  // The lines of the three families of metrics.
  struct Texts {
    std::string requests;
    std::string durations;
    std::string units;
  };
  static void AppendRoute(const std::string& labels, const RouteCounters& route, Texts& texts);

  std::vector<RouteCounters> routes_;
};

}  // namespace trestle::platform
