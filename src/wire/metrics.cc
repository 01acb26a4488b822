#include "wire/metrics.h"

#include <iterator>

#include <fmt/format.h>

namespace trestle::wire {

Metrics::Metrics(std::size_t operation_count) : operations_(operation_count + 1) {}

void Metrics::Count(const Sample& sample) {
  OperationCounters& counters = operations_[sample.operation];
  Add(counters.outcomes[static_cast<std::size_t>(sample.outcome)], 1);
  std::size_t bucket = 0;
  while (bucket < kBoundsUs.size() && sample.duration_ns > kBoundsUs[bucket] * 1'000LL)
    ++bucket;
  Add(counters.durations[bucket], 1);
  Add(counters.duration_ns, static_cast<std::uint64_t>(sample.duration_ns));
  Add(counters.request_bytes, sample.request_bytes);
  Add(counters.reply_bytes, sample.reply_bytes);
}

// Adds up the loops and prints. A friend of Metrics, so that its counters stay its own.
class MetricsText {
 public:
  MetricsText(std::span<const Metrics* const> loops, std::span<const std::string_view> operations)
      : loops_(loops), operations_(operations) {}

  std::string Print(const Gauges& gauges) {
    Title("trestle_requests_total", "counter", "Requests by operation and outcome.");
    for (std::size_t i = 0; i <= operations_.size(); ++i)
      PrintOutcomes(i);
    Title("trestle_request_duration_seconds", "histogram", "From the request to its reply.");
    for (std::size_t i = 0; i <= operations_.size(); ++i)
      PrintDurations(i);
    Title("trestle_request_bytes_total", "counter", "Bytes of request bodies.");
    for (std::size_t i = 0; i <= operations_.size(); ++i) {
      Line("trestle_request_bytes_total", i,
           Sum(
               i, [](const auto& it) -> auto& { return it.request_bytes; }));
    }
    Title("trestle_reply_bytes_total", "counter", "Bytes of reply bodies.");
    for (std::size_t i = 0; i <= operations_.size(); ++i) {
      Line("trestle_reply_bytes_total", i,
           Sum(
               i, [](const auto& it) -> auto& { return it.reply_bytes; }));
    }
    PrintGauges(gauges);
    return std::move(text_);
  }

 private:
  using OperationCounters = Metrics::OperationCounters;

  std::string_view Name(std::size_t operation) const {
    return operation < operations_.size() ? operations_[operation] : "none";
  }

  template <typename F>
  std::uint64_t Sum(std::size_t operation, F counter_of) const {
    std::uint64_t sum = 0;
    for (const Metrics* loop : loops_) {
      sum += counter_of(loop->operations_[operation]).load(std::memory_order_relaxed);
    }
    return sum;
  }

  void Title(std::string_view name, std::string_view type, std::string_view help) {
    fmt::format_to(std::back_inserter(text_), "# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }

  void Line(std::string_view name, std::size_t operation, std::uint64_t count) {
    fmt::format_to(std::back_inserter(text_), "{}{{operation=\"{}\"}} {}\n", name, Name(operation),
                   count);
  }

  void PrintOutcomes(std::size_t operation) {
    constexpr std::array<std::string_view, 3> kNames = {"ok", "refused", "failed"};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      const std::uint64_t count = Sum(
          operation, [i](const auto& it) -> auto& { return it.outcomes[i]; });
      fmt::format_to(std::back_inserter(text_),
                     "trestle_requests_total{{operation=\"{}\",outcome=\"{}\"}} {}\n",
                     Name(operation), kNames[i], count);
    }
  }

  void PrintDurations(std::size_t operation) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i <= Metrics::kBoundsUs.size(); ++i) {
      count += Sum(
          operation, [i](const auto& it) -> auto& { return it.durations[i]; });
      const std::string bound =
          i < Metrics::kBoundsUs.size() ? fmt::format("{}", Metrics::kBoundsUs[i] / 1e6) : "+Inf";
      fmt::format_to(std::back_inserter(text_),
                     "trestle_request_duration_seconds_bucket{{operation=\"{}\",le=\"{}\"}} {}\n",
                     Name(operation), bound, count);
    }
    const std::uint64_t duration_ns = Sum(
        operation, [](const auto& it) -> auto& { return it.duration_ns; });
    fmt::format_to(std::back_inserter(text_),
                   "trestle_request_duration_seconds_sum{{operation=\"{}\"}} {}\n", Name(operation),
                   static_cast<double>(duration_ns) / 1e9);
    Line("trestle_request_duration_seconds_count", operation, count);
  }

  void Value(std::string_view name, std::string_view type, std::string_view help,
             std::uint64_t value) {
    Title(name, type, help);
    fmt::format_to(std::back_inserter(text_), "{} {}\n", name, value);
  }

  void PrintGauges(const Gauges& gauges) {
    Value("trestle_connections_open", "gauge", "Connections now.", gauges.server.open_connections);
    Value("trestle_connections_total", "counter", "Connections since the start.",
          gauges.server.connections);
    Value("trestle_http_refused_total", "counter", "Requests that were not even HTTP.",
          gauges.server.refused_requests);
    Value("trestle_received_bytes_total", "counter", "Bytes read from clients.",
          gauges.server.received_bytes);
    Value("trestle_sent_bytes_total", "counter", "Bytes written to clients.",
          gauges.server.sent_bytes);
    Value("trestle_pending_writes", "gauge", "Writes that wait for the committer.",
          gauges.pending_writes);
    Value("trestle_writable", "gauge", "0 after the disk refused a write.",
          gauges.is_writable ? 1 : 0);
  }

  std::span<const Metrics* const> loops_;
  std::span<const std::string_view> operations_;
  std::string text_;
};

std::string MetricsInText(std::span<const Metrics* const> loops,
                          std::span<const std::string_view> operations, const Gauges& gauges) {
  return MetricsText(loops, operations).Print(gauges);
}

}  // namespace trestle::wire
