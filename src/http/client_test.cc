#include "http/client.h"

#include <memory>
#include <thread>

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

}  // namespace
}  // namespace trestle::http
