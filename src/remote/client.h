#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "base/tls.h"
#include "http/client.h"
#include "json/json.h"
#include "remote/credentials.h"
#include "remote/endpoint.h"
#include "remote/environment.h"
#include "remote/error_reply.h"
#include "remote/retry.h"

namespace trestle::remote {

struct ClientOptions {
  Environment environment;
  EndpointOptions endpoint;
  const Clock* clock = nullptr;  // both must outlive the client
  Random* random = nullptr;
  RetryPolicy retry;
  std::int64_t timeout_ms = 30'000;  // of one attempt
  // How the time between two attempts passes.
  std::function<void(std::chrono::milliseconds)> sleep;
};

enum class Service : std::uint8_t { kDynamoDb, kStreams };

struct Call {
  std::string_view operation;  // "PutItem"
  Service service = Service::kDynamoDb;
  std::string_view body;  // JSON
  // Whether it does no harm to send it twice: it reads, or writes the same again, or has a token.
  bool is_repeatable = false;
};

// The body of a reply. Its values live as long as it does.
struct Reply {
  std::unique_ptr<json::Parser> parser;
  json::Object body;
};

// Calls an endpoint that speaks DynamoDB's protocol. Safe from many threads; calls block.
//
// What fails for a while is tried again, with growing pauses, as far as the policy and the budget
// go. A call that is not repeatable is tried again only when it has surely had no effect; else it
// fails with kUnavailable or kInternal, and nobody knows whether it had one.
class Client {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Client>> Open(ClientOptions options);

  [[nodiscard]] Result<Reply> Send(const Call& call);

  // Sends somebody else's request once, and gives the answer as it came, errors too. kUnavailable
  // when there is none.
  [[nodiscard]] Result<http::ClientResponse> Forward(const Call& call);

  // Whether the endpoint knows an operation, found out by an empty request that nobody accepts.
  // Fails when it does not answer or does not know the caller.
  [[nodiscard]] Result<bool> Knows(std::string_view operation);

  [[nodiscard]] const Endpoint& endpoint() const { return endpoint_; }
  [[nodiscard]] Random& random() { return *options_.random; }
  [[nodiscard]] const Clock& clock() const { return *options_.clock; }

  // Waits as it does between two attempts, for callers that send the rest of a batch again.
  void Pause(int attempt);

 private:
  Client(ClientOptions options, Endpoint endpoint, std::unique_ptr<TlsClientContext> tls);

  [[nodiscard]] std::variant<Reply, Failure> Attempt(const Call& call);
  [[nodiscard]] std::variant<http::ClientResponse, http::ClientFailure> Post(
      const Call& call, const Credentials& credentials);

  const ClientOptions options_;
  const Endpoint endpoint_;
  const std::unique_ptr<TlsClientContext> tls_;
  CredentialChain credentials_;
  RetryBudget budget_;
  http::Client dynamodb_;
  http::Client streams_;
};

}  // namespace trestle::remote
