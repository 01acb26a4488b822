#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "design/identifier.h"
#include "http/server.h"
#include "platform/call.h"
#include "platform/metrics.h"
#include "platform/pages.h"
#include "platform/rate_limit.h"
#include "platform/router.h"
#include "platform/worker_pool.h"

namespace trestle::platform {

// The largest that any route takes: a picture. Most take less (Route::body_bytes_max).
inline constexpr std::size_t kWebBodyBytesMax = 2 * 1024 * 1024;

struct ServiceOptions {
  std::vector<Mount> mounts;
  const Clock* clock = nullptr;  // these outlive the service
  Random* random = nullptr;
  // Who sends a request; nobody when it has no token. Called on a worker. Without it nobody can
  // sign in.
  std::function<Result<std::optional<Principal>>(const http::Request&)> identify;
  const Pages* pages = nullptr;  // null: none
  // Clients must name this machine by a loopback name: while nobody signs in, a page of another
  // site must not reach it through a name of its own.
  bool requires_loopback_host = true;
  WorkerPool::Options workers;
  // How often one client may ask: who has signed in, else an address. None: as often as it likes.
  std::optional<RateLimit> request_limit;
  // Whether requests can be served; asked by GET /readyz on a loop, so it must not wait.
  std::function<Status()> is_ready;
  // Appends what others count, in Prometheus' text format, for GET /metrics: on a loop too.
  std::function<void(std::string& text)> add_metrics;
};

// The web port: what every app's requests have in common.
//
//   /api/<app>/v1/…           the apps' routes
//   GET /                     the apps; for browsers a page
//   GET /…                    pages and what they load (pages.h)
//   GET /problems/{code}      what a problem is about
//   GET /healthz              whether the process answers
//   GET /readyz               whether it can serve
//   GET /metrics              counts for Prometheus
//
// The loop that read a request finds its route and judges its headers; a worker runs the handler
// and makes the answer; the loop sends it.
//
// Must outlive the server whose handler it is. Shut the server down first, then Stop.
class Service final : public http::Handler {
 public:
  explicit Service(ServiceOptions options);
  ~Service() override;

  void Handle(const http::Request& request, http::Exchange exchange) override;
  [[nodiscard]] http::Response Refusal(int status) const override;

  // Waits for the handlers that run. No handler runs afterwards.
  void Stop() { workers_.Stop(); }

  // The server whose connections GET /metrics counts. Null, or alive while it is set.
  void CountConnectionsOf(const http::Server* server) { server_ = server; }

 private:
  struct Visit;

  void Receive(const http::Request& request, http::Exchange exchange);
  // The answer that needs no handler; nothing when a worker shall run the route's.
  [[nodiscard]] Result<std::optional<http::Response>> Admit(Visit& visit) const;
  [[nodiscard]] Result<std::optional<http::Response>> FindRoute(Visit& visit) const;
  [[nodiscard]] std::optional<http::Response> OwnPage(std::string_view path) const;
  void HandOver(std::unique_ptr<Visit> visit);
  [[nodiscard]] http::Response RunCounted(Visit& visit) const;
  [[nodiscard]] http::Response Run(Visit& visit) const;
  [[nodiscard]] http::Response RunHandler(Visit& visit) const;
  // Who calls, and whether they may.
  [[nodiscard]] Status Enter(Call& call) const;
  [[nodiscard]] Status TakeRequest(Call& call, const std::optional<Principal>& principal) const;
  [[nodiscard]] http::Response Respond(Call& call, Visit& visit) const;
  [[nodiscard]] static http::Response Subscribe(Call& call, Visit& visit);
  // Whether what they ask can be read; then the handler.
  [[nodiscard]] Status Answer(Call& call, const Visit& visit, json::Writer& reply) const;
  [[nodiscard]] static http::Response ProblemResponse(const Error& error, const Visit& visit);
  void Complete(const Visit& visit, http::Response& response) const;
  [[nodiscard]] std::string NewRequestId() const;
  [[nodiscard]] Status IsReady() const;
  [[nodiscard]] std::string MetricsText() const;
  [[nodiscard]] std::string IndexText() const;

  const ServiceOptions options_;
  const Router router_;
  mutable design::Identifiers identifiers_;
  mutable Metrics metrics_;
  const std::unique_ptr<RateLimiter> limiter_;  // null: none
  std::atomic<const http::Server*> server_ = nullptr;
  WorkerPool workers_;  // last: its threads use all of the above
};

}  // namespace trestle::platform
