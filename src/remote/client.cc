#include "remote/client.h"

#include <charconv>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/crypto.h"
#include "protocol/sigv4.h"

namespace trestle::remote {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";

std::string TargetOf(const Call& call) {
  return fmt::format("{}_20120810.{}",
                     call.service == Service::kDynamoDb ? "DynamoDB" : "DynamoDBStreams",
                     call.operation);
}

// A body that was damaged on its way is as good as none.
bool HasItsChecksum(const http::ClientResponse& response) {
  const auto header = response.Find("x-amz-crc32");
  if (!header) return true;
  std::uint32_t sum = 0;
  const char* end = header->data() + header->size();
  return std::from_chars(header->data(), end, sum).ptr == end && sum == Crc32(response.body);
}

Failure Unanswered(std::string reason, Remedy remedy) {
  return {.error = Error(ErrorCode::kUnavailable, std::move(reason)), .remedy = remedy};
}

std::variant<Reply, Failure> ParseReply(const http::ClientResponse& response) {
  if (!HasItsChecksum(response)) {
    return Unanswered("The endpoint's answer was damaged", Remedy::kRepeatIfHarmless);
  }
  if (response.status != 200) return ParseErrorReply(response.status, response.body);
  auto parser = std::make_unique<json::Parser>();
  const auto parsed = parser->Parse(response.body);
  json::Object body;
  if (!parsed.ok() || parsed->get(body) != simdjson::SUCCESS) {
    return Unanswered("The endpoint does not answer with JSON", Remedy::kRepeatIfHarmless);
  }
  return Reply{.parser = std::move(parser), .body = body};
}

}  // namespace

Client::Client(ClientOptions options, Endpoint endpoint, std::unique_ptr<TlsClientContext> tls)
    : options_(std::move(options)),
      endpoint_(std::move(endpoint)),
      tls_(std::move(tls)),
      credentials_(
          {.environment = options_.environment, .clock = options_.clock, .tls = tls_.get()}),
      dynamodb_({.origin = endpoint_.dynamodb.origin, .tls = tls_.get()}),
      streams_({.origin = endpoint_.streams.origin, .tls = tls_.get()}) {}

Result<std::unique_ptr<Client>> Client::Open(ClientOptions options) {
  CHECK(options.clock != nullptr, "a client is given its clock");
  CHECK(options.random != nullptr, "a client is given its randomness");
  if (!options.sleep) {
    options.sleep = [](std::chrono::milliseconds time) { std::this_thread::sleep_for(time); };
  }
  Endpoint endpoint = TRY(ResolveEndpoint(options.environment, options.endpoint));
  auto tls = TRY(TlsClientContext::Open(std::string(options.environment.Find("AWS_CA_BUNDLE"))));
  return std::unique_ptr<Client>(
      new Client(std::move(options), std::move(endpoint), std::move(tls)));
}

Result<Reply> Client::Send(const Call& call) {
  for (int attempt = 1;; ++attempt) {
    std::variant<Reply, Failure> outcome = Attempt(call);
    if (auto* reply = std::get_if<Reply>(&outcome)) {
      budget_.Refill();
      return std::move(*reply);
    }
    Failure& failure = std::get<Failure>(outcome);
    const bool may_repeat = failure.remedy == Remedy::kRepeat ||
                            failure.remedy == Remedy::kNewCredentials ||
                            (failure.remedy == Remedy::kRepeatIfHarmless && call.is_repeatable);
    if (!may_repeat || attempt >= options_.retry.attempts_max || !budget_.Take()) {
      return std::move(failure.error);
    }
    if (failure.remedy == Remedy::kNewCredentials) credentials_.Forget();
    Pause(attempt);
  }
}

Result<http::ClientResponse> Client::Forward(const Call& call) {
  const Credentials credentials = TRY(credentials_.Get());
  std::variant<http::ClientResponse, http::ClientFailure> result = Post(call, credentials);
  if (auto* failure = std::get_if<http::ClientFailure>(&result)) {
    return Error(ErrorCode::kUnavailable, std::move(failure->reason));
  }
  return std::get<http::ClientResponse>(std::move(result));
}

Result<bool> Client::Knows(std::string_view operation) {
  const Result<Reply> reply = Send({.operation = operation, .body = "{}", .is_repeatable = true});
  if (reply.ok()) return true;
  const Error& error = reply.error();
  const std::string name = error.details() == nullptr ? std::string() : error.details()->name;
  if (name == "UnknownOperationException") return false;
  // It may be forbidden to this caller; one who is not known at all is told so by other names.
  const bool is_forbidden = error.code() == ErrorCode::kAccessDenied && name.empty();
  if (error.code() == ErrorCode::kValidation || is_forbidden) return true;
  return error;
}

void Client::Pause(int attempt) {
  options_.sleep(std::chrono::milliseconds(DelayMs(options_.retry, attempt, *options_.random)));
}

std::variant<Reply, Failure> Client::Attempt(const Call& call) {
  const Result<Credentials> credentials = credentials_.Get();
  if (!credentials.ok()) return Failure{.error = credentials.error(), .remedy = Remedy::kNone};
  std::variant<http::ClientResponse, http::ClientFailure> result = Post(call, *credentials);
  if (auto* failure = std::get_if<http::ClientFailure>(&result)) {
    return Unanswered(std::move(failure->reason),
                      failure->may_have_arrived ? Remedy::kRepeatIfHarmless : Remedy::kRepeat);
  }
  return ParseReply(std::get<http::ClientResponse>(result));
}

std::variant<http::ClientResponse, http::ClientFailure> Client::Post(
    const Call& call, const Credentials& credentials) {
  const bool is_streams = call.service == Service::kStreams;
  const http::Url& url = is_streams ? endpoint_.streams : endpoint_.dynamodb;
  const std::string host = http::HostText(url.origin);
  const std::string target = TargetOf(call);
  const std::string timestamp = protocol::TimestampOf(options_.clock->NowUnixMs() / 1000);

  std::vector<protocol::HeaderView> to_sign = {{"Host", host},
                                               {"Content-Type", kContentType},
                                               {"X-Amz-Date", timestamp},
                                               {"X-Amz-Target", target}};
  if (!credentials.session_token.empty()) {
    to_sign.push_back({"X-Amz-Security-Token", credentials.session_token});
  }
  const std::size_t query_start = std::min(url.target.find('?'), url.target.size());
  const std::string_view path = std::string_view(url.target).substr(0, query_start);
  const std::string authorization = protocol::Authorization(
      {.method = "POST", .path = path, .query = {}, .headers = to_sign, .body = call.body},
      {.access_key_id = credentials.access_key_id,
       .secret_access_key = credentials.secret_access_key,
       .region = endpoint_.region},
      timestamp);

  std::vector<http::Header> headers = {{"Authorization", authorization}};
  // The HTTP client says the Host itself.
  for (std::size_t i = 1; i < to_sign.size(); ++i)
    headers.push_back({to_sign[i].name, to_sign[i].value});
  return (is_streams ? streams_ : dynamodb_)
      .Send({.method = "POST",
             .target = path,
             .headers = headers,
             .body = call.body,
             .timeout_ms = options_.timeout_ms});
}

}  // namespace trestle::remote
