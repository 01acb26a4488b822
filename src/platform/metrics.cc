#include "platform/metrics.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string_view>

#include <fmt/format.h>

namespace trestle::platform {
namespace {

void Title(std::string_view name, std::string_view type, std::string_view help, std::string& out) {
  fmt::format_to(std::back_inserter(out), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
}

}  // namespace

void Metrics::Count(std::size_t route, const Request& request) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  RouteCounters& counters = routes_[std::min(route, routes_.size() - 1)];
  const int hundred = std::clamp(request.status / 100, 2, 5);
  counters.statuses[static_cast<std::size_t>(hundred - 2)].fetch_add(1, kRelaxed);
  std::size_t bucket = 0;
  while (bucket < kBoundsUs.size() && request.duration_ns > kBoundsUs[bucket] * 1'000LL)
    ++bucket;
  counters.durations[bucket].fetch_add(1, kRelaxed);
  counters.duration_ns.fetch_add(static_cast<std::uint64_t>(request.duration_ns), kRelaxed);
  const auto halves = [](double units) {
    return static_cast<std::uint64_t>(std::llround(units * 2));
  };
  counters.half_read_units.fetch_add(halves(request.units.read), kRelaxed);
  counters.half_write_units.fetch_add(halves(request.units.write), kRelaxed);
}

void Metrics::AppendRoute(const std::string& labels, const RouteCounters& route, Texts& texts) {
  for (std::size_t i = 0; i < route.statuses.size(); ++i) {
    fmt::format_to(std::back_inserter(texts.requests),
                   "trestle_web_requests_total{{{},status=\"{}xx\"}} {}\n", labels, i + 2,
                   route.statuses[i].load());
  }
  constexpr std::string_view kName = "trestle_web_request_duration_seconds";
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < route.durations.size(); ++i) {
    count += route.durations[i].load();
    const std::string bound = i < kBoundsUs.size() ? fmt::format("{}", kBoundsUs[i] / 1e6) : "+Inf";
    fmt::format_to(std::back_inserter(texts.durations), "{}_bucket{{{},le=\"{}\"}} {}\n", kName,
                   labels, bound, count);
  }
  fmt::format_to(std::back_inserter(texts.durations), "{0}_sum{{{1}}} {2}\n{0}_count{{{1}}} {3}\n",
                 kName, labels, static_cast<double>(route.duration_ns.load()) / 1e9, count);
  fmt::format_to(std::back_inserter(texts.units),
                 "{0}{{{1},kind=\"read\"}} {2}\n{0}{{{1},kind=\"write\"}} {3}\n",
                 "trestle_web_consumed_units_total", labels,
                 static_cast<double>(route.half_read_units.load()) / 2,
                 static_cast<double>(route.half_write_units.load()) / 2);
}

std::string Metrics::InText(std::span<const std::string> names, const Gauges& gauges) const {
  Texts texts;
  Title("trestle_web_requests_total", "counter", "Requests by route and status.", texts.requests);
  Title("trestle_web_request_duration_seconds", "histogram", "From the request to its answer.",
        texts.durations);
  Title("trestle_web_consumed_units_total", "counter",
        "Read and write units that the requests of a route have consumed.", texts.units);
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    const std::string_view name = i < names.size() ? std::string_view(names[i]) : "none none";
    const std::size_t blank = name.find(' ');
    const std::string labels =
        fmt::format("method=\"{}\",route=\"{}\"", name.substr(0, blank), name.substr(blank + 1));
    AppendRoute(labels, routes_[i], texts);
  }
  std::string text = texts.requests + texts.durations + texts.units;

  const auto value = [&text](std::string_view name, std::string_view type, std::string_view help,
                             std::uint64_t number) {
    Title(name, type, help, text);
    fmt::format_to(std::back_inserter(text), "{} {}\n", name, number);
  };
  value("trestle_web_connections_open", "gauge", "Connections now.",
        gauges.server.open_connections);
  value("trestle_web_http_refused_total", "counter", "Requests that were not even HTTP.",
        gauges.server.refused_requests);
  value("trestle_web_workers_running", "gauge", "Requests that workers are at.",
        gauges.workers.running);
  value("trestle_web_workers_waiting", "gauge", "Requests that wait for a worker.",
        gauges.workers.waiting);
  value("trestle_web_workers_refused_total", "counter", "Requests that found no place to wait.",
        gauges.workers.refused);
  value("trestle_web_ready", "gauge", "0 while requests would fail.", gauges.is_ready ? 1 : 0);
  return text;
}

}  // namespace trestle::platform
