#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "http/server.h"
#include "protocol/access_keys.h"
#include "protocol/sigv4.h"
#include "wire/operation.h"

namespace trestle::wire {

struct ServiceOptions {
  std::string account_id = "000000000000";
  std::string region = "us-east-1";
  // Who may call. Without keys any well-formed credentials will do, and clients must name this
  // machine by a loopback name.
  std::optional<protocol::AccessKeys> access_keys;
  // Pages of these origins may call from a browser.
  std::vector<std::string> cors_origins;
  // The server's; a request must come from one of so many loops.
  unsigned loop_count = 1;
};

// DynamoDB's protocol over HTTP.
//
//   POST /          an operation, named by X-Amz-Target
//   GET /           whether the server is there, as the service answers
//   GET /healthz    whether it can write
//   GET /metrics    counts for Prometheus
//
// Reads run on the loop that read the request, a long Query or Scan in slices. The writes of one
// turn of a loop are handed to the committer together, and answered when they are on disk.
//
// Must outlive the server whose handler it is. That server in turn must outlive the database's
// last write: shut it down, then end the database, then destroy both.
class Service final : public http::Handler {
 public:
  Service(engine::Database& database, const Clock& clock, Random& random, ServiceOptions options);
  ~Service() override;

  void Handle(const http::Request& request, http::Exchange exchange) override;
  void TickEnd(http::Loop& loop) override;

  // The server whose connections GET /metrics counts. Null, or alive while it is set.
  void CountConnectionsOf(const http::Server* server) { server_ = server; }

 private:
  struct Call;
  struct LoopState;
  class TurnWrites;
  struct WaitingPage;

  [[nodiscard]] LoopState& StateOf(const Call& call) const;
  [[nodiscard]] CallContext Context(const json::Object* body) const;
  [[nodiscard]] std::optional<std::string_view> AllowedOrigin(const http::Request& request) const;
  [[nodiscard]] std::string PrintMetrics() const;

  template <typename F>
  void Guard(Call& call, F run);
  void Route(Call& call);
  void AnswerGet(Call& call);
  void AnswerPreflight(Call& call);

  void RunOperation(Call& call);
  [[nodiscard]] static Result<json::Value> ParseBody(const http::Request& request,
                                                     LoopState& state);
  [[nodiscard]] std::optional<protocol::Refusal> Verify(const http::Request& request,
                                                        LoopState& state) const;
  void Execute(Call& call, const json::Object& body, engine::Request&& request);
  void ReadOn(std::unique_ptr<WaitingPage> page);
  // Whether the page is complete, or failed, and so the call answered.
  [[nodiscard]] bool ReadSlice(WaitingPage& page);

  // Each answers the call and takes its exchange. `body` is the request's, if it is still there.
  void Finish(Call& call, const json::Object* body, const engine::Request& request,
              const Result<engine::Reply>& reply);
  void ReplyError(Call& call, const Error& error);
  void ReplyRefusal(Call& call, std::string_view error_type, std::string_view message);
  void ReplyText(Call& call, int status, std::string_view text);
  // Sends the body that stands in the loop's state, and counts the call.
  void Send(Call& call, int status, std::string_view content_type);

  engine::Database& database_;
  const ServiceOptions options_;
  const protocol::SignatureVerifier verifier_;
  std::vector<std::unique_ptr<LoopState>> loops_;  // each used by its own loop alone
  std::atomic<const http::Server*> server_ = nullptr;
};

}  // namespace trestle::wire
