#include "http/client.h"

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/server.h"

namespace trestle::http {
namespace {

// Answers with the path, the Host header and whether the client goes on.
class Echo final : public Handler {
 public:
  void Handle(const Request& request, Exchange exchange) override {
    Response response;
    response.status = request.path == "/healthz" ? 200 : 404;
    response.content_type = "text/plain";
    response.body =
        std::string(request.path) + " " + std::string(request.Find("host").value_or(""));
    exchange.Reply(std::move(response));
  }
};

GetRequest To(std::uint16_t port, std::string_view path) {
  return {.address = "127.0.0.1", .port = port, .path = path, .timeout_ms = 2000};
}

TEST(Client, GetsAStatusAndABody) {
  Echo echo;
  const auto server = Server::Start({.port = 0}, echo);
  ASSERT_TRUE(server.ok()) << server.error().message();
  const std::uint16_t port = (*server)->port();

  const auto found = Get(To(port, "/healthz"));
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->status, 200);
  EXPECT_EQ(found->body, "/healthz 127.0.0.1:" + std::to_string(port));

  const auto missing = Get(To(port, "/nowhere"));
  ASSERT_TRUE(missing.ok()) << missing.error().message();
  EXPECT_EQ(missing->status, 404);
}

// A listening socket whose one client gets `reply` and then the end of the connection.
class Impostor {
 public:
  explicit Impostor(std::string reply) : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(fd_, reinterpret_cast<sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd_, 1), 0);
    EXPECT_EQ(::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this, reply = std::move(reply)] {
      const int client = ::accept(fd_, nullptr, nullptr);
      char request[1024];
      EXPECT_GT(::recv(client, request, sizeof(request), 0), 0);
      std::string_view rest = reply;
      while (!rest.empty()) {
        const ssize_t sent = ::send(client, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent < 0) break;
        rest.remove_prefix(static_cast<std::size_t>(sent));
      }
      ::close(client);
    });
  }
  ~Impostor() {
    thread_.join();
    ::close(fd_);
  }

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  const int fd_;
  std::uint16_t port_ = 0;
  std::jthread thread_;
};

TEST(Client, RefusesWhatIsNotHttp) {
  for (const std::string_view reply :
       {"", "hello\r\n\r\n", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.\r\n\r\n"}) {
    const Impostor impostor{std::string(reply)};
    const auto response = Get(To(impostor.port(), "/"));
    ASSERT_FALSE(response.ok()) << reply;
    EXPECT_EQ(response.error().code(), ErrorCode::kUnavailable);
  }
}

TEST(Client, RefusesAnEndlessAnswer) {
  const Impostor impostor("HTTP/1.1 200 OK\r\n\r\n" + std::string(2 * 1024 * 1024, 'x'));
  EXPECT_FALSE(Get(To(impostor.port(), "/")).ok());
}

TEST(Client, SaysWhenNobodyListens) {
  Echo echo;
  auto server = Server::Start({.port = 0}, echo);
  ASSERT_TRUE(server.ok());
  const std::uint16_t port = (*server)->port();
  (*server)->Shutdown(0);

  const auto response = Get(To(port, "/healthz"));
  ASSERT_FALSE(response.ok());
  EXPECT_EQ(response.error().code(), ErrorCode::kUnavailable);
}

TEST(Url, IsTakenApart) {
  const auto plain = ParseUrl("http://localhost:8000");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->origin, (Origin{.host = "localhost", .port = 8000, .is_tls = false}));
  EXPECT_EQ(plain->target, "/");
  EXPECT_EQ(HostText(plain->origin), "localhost:8000");

  const auto tls = ParseUrl("https://dynamodb.eu-west-1.amazonaws.com/a?b=c");
  ASSERT_TRUE(tls.ok());
  EXPECT_EQ(tls->origin.port, 443);
  EXPECT_TRUE(tls->origin.is_tls);
  EXPECT_EQ(tls->target, "/a?b=c");
  EXPECT_EQ(HostText(tls->origin), "dynamodb.eu-west-1.amazonaws.com");

  const auto address = ParseUrl("http://[::1]:80?x");
  ASSERT_TRUE(address.ok());
  EXPECT_EQ(address->origin.host, "::1");
  EXPECT_EQ(address->target, "/?x");
  EXPECT_EQ(HostText(address->origin), "[::1]");

  for (const std::string_view text :
       {"", "localhost:8000", "ftp://a", "http://", "http://a:", "http://a:0", "http://a:99999",
        "http://a:1x", "http://user@a", "http://a b", "http://a/ b", "http://a#b", "http://[::1"})
    EXPECT_FALSE(ParseUrl(text).ok()) << text;
}

TEST(Client, KeepsItsConnection) {
  Echo echo;
  const auto server = Server::Start({.port = 0}, echo);
  ASSERT_TRUE(server.ok());
  Client client({.origin = {.host = "127.0.0.1", .port = (*server)->port()}});
  for (int i = 0; i < 5; ++i) {
    const auto result = client.Send({.target = "/healthz", .timeout_ms = 2000});
    ASSERT_TRUE(std::holds_alternative<ClientResponse>(result));
  }
  EXPECT_EQ((*server)->counters().connections, 1u);

  std::vector<std::jthread> threads;
  std::atomic<int> answers = 0;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 50; ++j) {
        const auto result = client.Send({.target = "/healthz", .timeout_ms = 2000});
        if (std::holds_alternative<ClientResponse>(result)) ++answers;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(answers, 400);
  EXPECT_LE((*server)->counters().connections, 9u);
}

// A server that was restarted has closed what the client still holds.
TEST(Client, DoesNotUseAConnectionThatTheServerClosed) {
  Echo echo;
  auto server = Server::Start({.port = 0}, echo);
  ASSERT_TRUE(server.ok());
  const std::uint16_t port = (*server)->port();
  Client client({.origin = {.host = "127.0.0.1", .port = port}});
  ASSERT_TRUE(std::holds_alternative<ClientResponse>(client.Send({.timeout_ms = 2000})));
  (*server)->Shutdown(0);
  server = Server::Start({.port = port}, echo);
  ASSERT_TRUE(server.ok());
  EXPECT_TRUE(std::holds_alternative<ClientResponse>(client.Send({.timeout_ms = 2000})));
}

TEST(Client, SaysWhetherTheRequestMayHaveArrived) {
  {
    const Impostor impostor("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut");
    Client client({.origin = {.host = "127.0.0.1", .port = impostor.port()}});
    const auto result = client.Send({.timeout_ms = 2000});
    ASSERT_TRUE(std::holds_alternative<ClientFailure>(result));
    EXPECT_TRUE(std::get<ClientFailure>(result).may_have_arrived);
  }
  Client client({.origin = {.host = "127.0.0.1", .port = 1}});
  const auto result = client.Send({.timeout_ms = 2000});
  ASSERT_TRUE(std::holds_alternative<ClientFailure>(result));
  EXPECT_FALSE(std::get<ClientFailure>(result).may_have_arrived);
}

// Takes requests and never answers.
class Silent final : public Handler {
 public:
  void Handle(const Request& /*request*/, Exchange exchange) override {
    exchanges.push_back(std::move(exchange));
  }
  std::vector<Exchange> exchanges;
};

TEST(Client, GivesUpWhenTheTimeIsOver) {
  Silent silent;
  auto server = Server::Start({.port = 0}, silent);
  ASSERT_TRUE(server.ok());
  Client client({.origin = {.host = "127.0.0.1", .port = (*server)->port()}});
  const auto result = client.Send({.timeout_ms = 50});
  ASSERT_TRUE(std::holds_alternative<ClientFailure>(result));
  EXPECT_TRUE(std::get<ClientFailure>(result).may_have_arrived);
  (*server)->Shutdown(0);
  silent.exchanges.clear();
}

// A server with a certificate of its own making.
class ClientTls : public testing::Test {
 protected:
  void StartServer(std::string_view certified_names) {
    char name[] = "/tmp/client_tls_test.XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    const std::string command = fmt::format(
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1"
        " -keyout {0}/key -out {0}/cert -subj /CN=localhost"
        " -addext subjectAltName={1} 2>{0}/log",
        folder_, certified_names);
    ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c, concurrency-mt-unsafe)
    auto context = TlsContext::Open(
        {.certificate = folder_ + "/cert", .private_key = folder_ + "/key", .client_ca = {}});
    ASSERT_TRUE(context.ok()) << context.error().message();
    context_ = *std::move(context);
    auto server = Server::Start({.port = 0, .tls = context_.get()}, echo_);
    ASSERT_TRUE(server.ok());
    server_ = *std::move(server);
  }
  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }

  [[nodiscard]] std::variant<ClientResponse, ClientFailure> Ask(const std::string& host,
                                                                const std::string& ca_file) {
    const auto tls = TlsClientContext::Open(ca_file);
    EXPECT_TRUE(tls.ok()) << tls.error().message();
    Client client(
        {.origin = {.host = host, .port = server_->port(), .is_tls = true}, .tls = tls->get()});
    const Header header = {"X-Long", std::string_view(long_value_)};
    auto first = client.Send({.target = "/healthz", .headers = {&header, 1}, .timeout_ms = 5000});
    if (std::holds_alternative<ClientFailure>(first)) return first;
    return client.Send({.target = "/healthz", .timeout_ms = 5000});
  }

  const std::string long_value_ = std::string(20'000, 'x');
  Echo echo_;
  std::string folder_;
  std::unique_ptr<TlsContext> context_;
  std::unique_ptr<Server> server_;
};

TEST_F(ClientTls, SpeaksToAServerThatItTrusts) {
  StartServer("DNS:localhost,IP:127.0.0.1");
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    const auto result = Ask(host, folder_ + "/cert");
    ASSERT_TRUE(std::holds_alternative<ClientResponse>(result))
        << std::get<ClientFailure>(result).reason;
    EXPECT_EQ(std::get<ClientResponse>(result).status, 200);
  }
  EXPECT_EQ(server_->counters().connections, 2u);
}

TEST_F(ClientTls, RefusesACertificateThatNobodySigned) {
  StartServer("DNS:localhost");
  const auto result = Ask("localhost", "");
  ASSERT_TRUE(std::holds_alternative<ClientFailure>(result));
  const auto& failure = std::get<ClientFailure>(result);
  EXPECT_FALSE(failure.may_have_arrived);
  EXPECT_NE(failure.reason.find("certificate"), std::string::npos) << failure.reason;
}

TEST_F(ClientTls, RefusesACertificateOfAnotherHost) {
  StartServer("DNS:other.example,IP:127.0.0.2");
  for (const std::string host : {"localhost", "127.0.0.1"}) {
    const auto result = Ask(host, folder_ + "/cert");
    ASSERT_TRUE(std::holds_alternative<ClientFailure>(result)) << host;
    const std::string& reason = std::get<ClientFailure>(result).reason;
    EXPECT_NE(reason.find("mismatch"), std::string::npos) << reason;
  }
}

}  // namespace
}  // namespace trestle::http
