// The web port over real sockets, with an app that has no data.

#include "platform/service.h"

#include <algorithm>
#include <atomic>
#include <future>
#include <map>
#include <regex>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/crypto.h"
#include "base/log.h"
#include "base/unit_counter.h"
#include "platform/call.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

std::promise<void>* entered = nullptr;  // by the route that waits
std::shared_future<void> gate;

Status Greet(Call& call, json::Writer& reply) {
  reply.BeginObject();
  reply.Key("hello");
  reply.String(call.PathValue("name"));
  const auto loud = TRY(call.QueryValue("loud"));
  if (loud) {
    reply.Key("loud");
    reply.String(*loud);
  }
  reply.EndObject();
  call.AddHeader("ETag", "\"1\"");
  return Ok();
}

Status Take(Call& call, json::Writer& reply) {
  const json::Tree::Object body = TRY(call.Body());
  reply.BeginObject();
  reply.Key("members");
  reply.Integer(static_cast<std::int64_t>(body.size()));
  reply.EndObject();
  call.SetStatus(201);
  return Ok();
}

Status Nothing(Call& call, json::Writer& /*reply*/) {
  call.SetStatus(204);
  return Ok();
}

Status Fail(Call& call, json::Writer& reply) {
  reply.BeginObject();  // is not sent
  call.AddHeader("ETag", "\"7\"");
  return ProblemError("version-mismatch", "somebody was faster");
}

Status Break(Call& /*call*/, json::Writer& /*reply*/) {
  return Error(ErrorCode::kCorruption, "/var/secret");
}

Status Throw(Call& /*call*/, json::Writer& /*reply*/) {
  std::string text;
  return ValidationError(text.substr(1));
}

// As a back end does.
Status Consume(Call& call, json::Writer& /*reply*/) {
  UnitCounter::Add({.read = 1.5, .write = 4});
  call.SetStatus(204);
  return Ok();
}

Status WaitForGate(Call& /*call*/, json::Writer& /*reply*/) {
  if (entered != nullptr) std::exchange(entered, nullptr)->set_value();
  gate.wait();
  return Ok();
}

constexpr Route kRoutes[] = {
    {.method = "GET",
     .path = "/greet/{name}",
     .access = Access::kPublic,
     .handle = Greet,
     .query = "loud : string?"},
    {.method = "POST", .path = "/take", .access = Access::kPublic, .handle = Take},
    {.method = "PATCH", .path = "/take", .access = Access::kPublic, .handle = Take},
    {.method = "DELETE", .path = "/greet/{name}", .access = Access::kPublic, .handle = Nothing},
    {.method = "GET", .path = "/fail", .access = Access::kPublic, .handle = Fail},
    {.method = "GET", .path = "/break", .access = Access::kPublic, .handle = Break},
    {.method = "GET", .path = "/throw", .access = Access::kPublic, .handle = Throw},
    {.method = "GET", .path = "/consume", .access = Access::kPublic, .handle = Consume},
    {.method = "GET", .path = "/wait", .access = Access::kPublic, .handle = WaitForGate},
    {.method = "GET", .path = "/private", .access = Access::kOwner, .handle = Nothing},
};

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
};

class Client {
 public:
  explicit Client(std::uint16_t port) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  }
  ~Client() { ::close(fd_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  void Send(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  [[nodiscard]] Answer Receive() const {
    std::string text;
    char buffer[4096];
    for (ssize_t got = 1; got > 0;) {
      got = ::recv(fd_, buffer, sizeof(buffer), 0);
      if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    }
    Answer answer;
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) return answer;
    answer.status = std::stoi(text.substr(9, 3));
    answer.body = text.substr(end + 4);
    const std::regex line("\r\n([^:\r]+): ([^\r]*)");
    const std::string head = text.substr(0, end);
    for (std::sregex_iterator it(head.begin(), head.end(), line), none; it != none; ++it)
      answer.headers[(*it)[1]] = (*it)[2];
    return answer;
  }

 private:
  int fd_;
};

// The system's, which a test can set forward.
class ForwardClock final : public Clock {
 public:
  [[nodiscard]] std::int64_t NowUnixMs() const override { return system_.NowUnixMs(); }
  [[nodiscard]] std::int64_t SteadyNs() const override { return system_.SteadyNs() + ahead_ns_; }
  void Advance(std::int64_t by_ns) { ahead_ns_ += by_ns; }

 private:
  SystemClock system_;
  std::atomic<std::int64_t> ahead_ns_ = 0;
};

class ServiceTest : public testing::Test {
 protected:
  void SetUp() override {
    log::SetLevel(level_);
    auto started = http::Server::Start(
        {.loop_count = 2, .body_bytes_max = kWebBodyBytesMax, .header_timeout_ms = 300}, service_);
    ASSERT_TRUE(started.ok());
    server_ = *std::move(started);
  }
  void TearDown() override {
    server_->Shutdown(1000);
    service_.Stop();
  }

  [[nodiscard]] Answer Ask(std::string_view method, std::string_view target,
                           std::string_view headers = "", std::string_view body = "",
                           std::string_view host = "localhost") const {
    const Client client(server_->port());
    client.Send(
        fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n"
                    "Content-Length: {}\r\n{}\r\n{}",
                    method, target, host, body.size(), headers, body));
    return client.Receive();
  }

  static void ExpectProblem(const Answer& answer, int status, std::string_view code) {
    EXPECT_EQ(answer.status, status) << answer.body;
    EXPECT_EQ(answer.headers.at("Content-Type"), "application/problem+json");
    EXPECT_NE(answer.body.find(fmt::format("\"code\":\"{}\"", code)), std::string::npos)
        << answer.body;
    EXPECT_NE(answer.body.find(fmt::format("\"status\":{}", status)), std::string::npos);
    EXPECT_EQ(answer.headers.at("X-Request-Id").size(), 26U);
    EXPECT_NE(answer.body.find(answer.headers.at("X-Request-Id")), std::string::npos);
  }

  log::Level level_ = log::Level::kOff;
  ForwardClock clock_;
  Random random_{1};
  CursorSealer cursors_{SecureRandomBytes(kSealKeyBytes), clock_};
  Status ready_ = Ok();
  const App app_ = {.name = "test", .title = "A test", .routes = kRoutes};
  Shared shared_{.clock = &clock_, .cursors = &cursors_};
  Service service_{{.mounts = {{.app = &app_, .shared = &shared_}},
                    .clock = &clock_,
                    .random = &random_,
                    .workers = {.worker_count = 2, .waiting_max = 2},
                    .is_ready = [this] { return ready_; }}};
  std::unique_ptr<http::Server> server_;
};

constexpr std::string_view kJsonHeader = "Content-Type: application/json\r\n";

TEST_F(ServiceTest, AnswersWithTheHandlersBodyStatusAndHeaders) {
  const Answer answer = Ask("GET", "/api/test/v1/greet/%C3%A9%2F?loud=a+b");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"hello":"é/","loud":"a b"})");
  EXPECT_EQ(answer.headers.at("Content-Type"), "application/json");
  EXPECT_EQ(answer.headers.at("ETag"), "\"1\"");
  EXPECT_EQ(answer.headers.at("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(answer.headers.at("Content-Security-Policy"),
            "default-src 'none'; frame-ancestors 'none'");
  EXPECT_EQ(answer.headers.at("Referrer-Policy"), "no-referrer");
  EXPECT_EQ(answer.headers.at("Cache-Control"), "private, no-cache");
  EXPECT_EQ(answer.headers.count("Access-Control-Allow-Origin"), 0U);

  EXPECT_EQ(Ask("POST", "/api/test/v1/take", kJsonHeader, R"({"a":1})").status, 201);
  const Answer none = Ask("DELETE", "/api/test/v1/greet/x");
  EXPECT_EQ(none.status, 204);
  EXPECT_EQ(none.body, "");
}

TEST_F(ServiceTest, AnswersHeadAndOptions) {
  const Answer head = Ask("HEAD", "/api/test/v1/greet/you");
  EXPECT_EQ(head.status, 200);
  EXPECT_EQ(head.body, "");
  EXPECT_EQ(head.headers.at("Content-Length"), "15");
  const Answer options = Ask("OPTIONS", "/api/test/v1/greet/you");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.headers.at("Allow"), "GET, HEAD, DELETE, OPTIONS");
}

TEST_F(ServiceTest, RefusesWhatHasNoRoute) {
  ExpectProblem(Ask("GET", "/api/test/v1/none"), 404, "not-found");
  ExpectProblem(Ask("GET", "/favicon.ico"), 404, "not-found");
  ExpectProblem(Ask("GET", "/api/test/v1/greet/%ff"), 400, "bad-request");
  ExpectProblem(Ask("OPTIONS", "/api/test/v1/none"), 404, "not-found");
  const Answer answer = Ask("PUT", "/api/test/v1/greet/x", kJsonHeader, "{}");
  ExpectProblem(answer, 405, "method-not-allowed");
  EXPECT_EQ(answer.headers.at("Allow"), "GET, HEAD, DELETE, OPTIONS");
  EXPECT_EQ(Ask("POST", "/healthz").status, 405);
  ExpectProblem(Ask("GET", "/api/test/v1/greet/x?a=%"), 400, "validation");
  ExpectProblem(Ask("GET", "/api/test/v1/greet/x?loud=1&loud=2"), 400, "validation");
}

TEST_F(ServiceTest, RefusesOtherMediaTypes) {
  const std::string path = "/api/test/v1/take";
  ExpectProblem(Ask("POST", path, "", "{}"), 415, "unsupported-media-type");
  ExpectProblem(Ask("POST", path, "Content-Type: text/plain\r\n", "{}"), 415,
                "unsupported-media-type");
  ExpectProblem(Ask("POST", path, "Content-Type: application/merge-patch+json\r\n", "{}"), 415,
                "unsupported-media-type");
  const Answer patch = Ask("PATCH", path, "Content-Type: text/plain\r\n", "{}");
  ExpectProblem(patch, 415, "unsupported-media-type");
  EXPECT_EQ(patch.headers.at("Accept-Patch"), "application/merge-patch+json, application/json");
  EXPECT_EQ(Ask("PATCH", path, "Content-Type: application/merge-patch+json\r\n", "{}").status, 201);
  ExpectProblem(Ask("GET", "/api/test/v1/greet/x", "Accept: text/html\r\n"), 406, "not-acceptable");
  EXPECT_EQ(Ask("GET", "/api/test/v1/greet/x", "Accept: text/html, */*\r\n").status, 200);
}

TEST_F(ServiceTest, RefusesBodiesThatAreNoObject) {
  const auto post = [&](std::string_view body) {
    return Ask("POST", "/api/test/v1/take", kJsonHeader, body);
  };
  ExpectProblem(post("{"), 400, "malformed-json");
  ExpectProblem(post(R"({"a":1,"a":2})"), 400, "malformed-json");
  ExpectProblem(post("{\"a\":\"\xff\"}"), 400, "malformed-json");
  ExpectProblem(post("[]"), 400, "validation");
  ExpectProblem(post(""), 400, "malformed-json");
}

TEST_F(ServiceTest, RefusesLongBodiesAsAProblem) {
  // More than the route takes, and more than any does.
  for (const std::size_t size : {std::size_t{kBodyBytesMax}, kWebBodyBytesMax}) {
    const std::string body = "{\"a\":\"" + std::string(size, 'x') + "\"}";
    ExpectProblem(Ask("POST", "/api/test/v1/take", kJsonHeader, body), 413, "too-large");
  }
  const std::string largest = "{\"a\":\"" + std::string(kBodyBytesMax - 8, 'x') + "\"}";
  EXPECT_EQ(Ask("POST", "/api/test/v1/take", kJsonHeader, largest).status, 201);
}

TEST_F(ServiceTest, TellsErrorsAsProblems) {
  const Answer answer = Ask("GET", "/api/test/v1/fail");
  ExpectProblem(answer, 412, "version-mismatch");
  EXPECT_EQ(answer.headers.at("ETag"), "\"7\"");
  EXPECT_TRUE(answer.body.starts_with("{\"type\":\"/problems/version-mismatch\"")) << answer.body;
  EXPECT_NE(answer.body.find("\"instance\":\"/api/test/v1/fail\""), std::string::npos);
  for (const std::string path : {"break", "throw"}) {
    const Answer broken = Ask("GET", "/api/test/v1/" + path);
    ExpectProblem(broken, 500, "internal");
    EXPECT_EQ(broken.body.find("secret"), std::string::npos);
  }
  const Answer refused = Ask("GET", "/api/test/v1/private");
  ExpectProblem(refused, 401, "unauthenticated");
  EXPECT_EQ(refused.headers.at("WWW-Authenticate"), "Bearer");
}

TEST_F(ServiceTest, ServesPagesOfThisMachineOnly) {
  const std::string path = "/api/test/v1/greet/x";
  ExpectProblem(Ask("GET", path, "", "", "evil.example:8080"), 421, "misdirected-request");
  EXPECT_EQ(Ask("GET", path, "", "", "127.0.0.1:8080").status, 200);
  ExpectProblem(Ask("DELETE", path, "Origin: http://evil.example\r\n"), 403, "forbidden");
  ExpectProblem(Ask("DELETE", path, "Origin: null\r\n"), 403, "forbidden");
  EXPECT_EQ(Ask("DELETE", path, "Origin: http://localhost\r\n").status, 204);
  EXPECT_EQ(Ask("GET", path, "Origin: http://evil.example\r\n").status, 200);
}

TEST_F(ServiceTest, TellsHowItIs) {
  EXPECT_EQ(Ask("GET", "/healthz").body, "ok\n");
  EXPECT_EQ(Ask("GET", "/readyz").status, 200);
  ready_ = Error(ErrorCode::kUnavailable, "the disk is full");
  EXPECT_EQ(Ask("GET", "/readyz").status, 503);
  EXPECT_EQ(Ask("GET", "/").body,
            R"({"apps":[{"name":"test","title":"A test","href":"/api/test/v1"}]})");
  EXPECT_EQ(Ask("GET", "/problems/not-found").body,
            R"({"code":"not-found","status":404,"title":"Not found"})");
  EXPECT_EQ(Ask("GET", "/problems/none").status, 404);

  static_cast<void>(Ask("GET", "/api/test/v1/greet/x"));
  const std::string metrics = Ask("GET", "/metrics").body;
  EXPECT_NE(metrics.find("trestle_web_requests_total{method=\"GET\",route=\"/api/test/v1/greet/"
                         "{name}\",status=\"2xx\"} 1\n"),
            std::string::npos)
      << metrics;
  EXPECT_NE(metrics.find("trestle_web_ready 0\n"), std::string::npos);
}

TEST_F(ServiceTest, TellsWhatARequestConsumes) {
  EXPECT_EQ(Ask("GET", "/api/test/v1/consume").headers.count("X-Consumed-Units"), 0U);
  const Answer told = Ask("GET", "/api/test/v1/consume", "X-Debug: units\r\n");
  EXPECT_EQ(told.headers.at("X-Consumed-Units"), "read=1.5, write=4");
  // What one request consumes is not another's on the same worker.
  const Answer other = Ask("GET", "/api/test/v1/fail", "X-Debug: units\r\n");
  EXPECT_EQ(other.headers.at("X-Consumed-Units"), "read=0, write=0");

  const std::string metrics = Ask("GET", "/metrics").body;
  const auto of_route = [&](std::string_view kind, std::string_view units) {
    return metrics.find(fmt::format("trestle_web_consumed_units_total{{method=\"GET\",route="
                                    "\"/api/test/v1/consume\",kind=\"{}\"}} {}\n",
                                    kind, units)) != std::string::npos;
  };
  EXPECT_TRUE(of_route("read", "3")) << metrics;
  EXPECT_TRUE(of_route("write", "8"));
}

// Two workers are at it and two requests wait: the fifth is told to come again, and a page that
// needs no worker is answered meanwhile.
TEST_F(ServiceTest, RefusesRequestsThatWouldWaitTooLong) {
  std::promise<void> open;
  gate = open.get_future().share();
  std::vector<std::unique_ptr<Client>> clients;
  const auto wait = [&](std::string_view until) {
    clients.push_back(std::make_unique<Client>(server_->port()));
    clients.back()->Send(
        "GET /api/test/v1/wait HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    while (Ask("GET", "/metrics").body.find(until) == std::string::npos)
      std::this_thread::yield();
  };
  for (const std::string_view until : {"workers_running 1\n", "workers_running 2\n",
                                       "workers_waiting 1\n", "workers_waiting 2\n"}) {
    wait(until);
  }

  const Answer refused = Ask("GET", "/api/test/v1/wait");
  ExpectProblem(refused, 503, "unavailable");
  EXPECT_EQ(refused.headers.at("Retry-After"), "1");
  open.set_value();
  for (const auto& client : clients)
    EXPECT_EQ(client->Receive().status, 200);
}

// A client that sends its request slowly holds neither a worker nor a loop.
TEST_F(ServiceTest, GivesUpOnSlowClients) {
  const Client client(server_->port());
  client.Send("GET /api/test/v1/greet/x HTTP/1.1\r\nHost: loc");
  EXPECT_EQ(Ask("GET", "/api/test/v1/greet/x").status, 200);
  ExpectProblem(client.Receive(), 408, "request-timeout");
}

class LoggingServiceTest : public ServiceTest {
 protected:
  LoggingServiceTest() { level_ = log::Level::kWarn; }
};

TEST_F(LoggingServiceTest, TellsOfSlowRequests) {
  std::promise<void> open;
  gate = open.get_future().share();
  std::promise<void> is_entered;
  entered = &is_entered;
  testing::internal::CaptureStderr();
  auto slow = std::async([this] { return Ask("GET", "/api/test/v1/wait"); });
  is_entered.get_future().wait();
  clock_.Advance(1'000'000'000);
  EXPECT_EQ(Ask("GET", "/api/test/v1/greet/x").status, 200);
  open.set_value();
  const std::string request_id = slow.get().headers.at("X-Request-Id");
  const std::string lines = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(lines, '\n'), 1) << lines;
  for (const std::string_view word :
       {std::string_view("slow request"), std::string_view("/api/test/v1/wait"),
        std::string_view(request_id), std::string_view("duration_us")})
    EXPECT_NE(lines.find(word), std::string::npos) << word << " in " << lines;
}

TEST_F(ServiceTest, SurvivesClientsThatLeave) {
  std::promise<void> open;
  gate = open.get_future().share();
  std::promise<void> is_entered;
  entered = &is_entered;
  {
    const Client client(server_->port());
    client.Send("GET /api/test/v1/wait HTTP/1.1\r\nHost: localhost\r\n\r\n");
    is_entered.get_future().wait();
  }
  open.set_value();
  EXPECT_EQ(Ask("GET", "/api/test/v1/greet/x").status, 200);
}

}  // namespace
}  // namespace trestle::platform
