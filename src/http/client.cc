#include "http/client.h"

#include <cerrno>
#include <charconv>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace trestle::http {
namespace {

constexpr std::size_t kResponseBytesMax = 1024 * 1024;

Error NoAnswer(const GetRequest& request, std::string_view why) {
  return {ErrorCode::kUnavailable,
          fmt::format("no answer from {} port {}: {}", request.address, request.port, why)};
}

Error NoAnswer(const GetRequest& request) {
  return NoAnswer(request, std::generic_category().message(errno));
}

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
};

Result<Socket> Connect(const GetRequest& request) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = fmt::format("{}", request.port);
  const int failure = ::getaddrinfo(request.address.c_str(), port.c_str(), &hints, &found);
  if (failure != 0) return NoAnswer(request, ::gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> address(found, ::freeaddrinfo);

  Socket socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const timeval timeout = {.tv_sec = request.timeout_ms / 1000,
                           .tv_usec = request.timeout_ms % 1000 * 1000};
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  ::setsockopt(socket.fd(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
  if (::connect(socket.fd(), address->ai_addr, address->ai_addrlen) != 0) return NoAnswer(request);
  return socket;
}

Status Send(const GetRequest& request, const Socket& socket) {
  const bool is_ipv6 = request.address.find(':') != std::string::npos;
  const std::string text =
      fmt::format("GET {} HTTP/1.1\r\nHost: {}{}{}:{}\r\nConnection: close\r\n\r\n", request.path,
                  is_ipv6 ? "[" : "", request.address, is_ipv6 ? "]" : "", request.port);
  std::string_view rest = text;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket.fd(), rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) return NoAnswer(request);
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
  return Ok();
}

// Everything until the server closes the connection, as it was asked to.
Result<std::string> Receive(const GetRequest& request, const Socket& socket) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t received = ::recv(socket.fd(), buffer, sizeof(buffer), 0);
    if (received < 0) return NoAnswer(request);
    if (received == 0) return text;
    text.append(buffer, static_cast<std::size_t>(received));
    if (text.size() > kResponseBytesMax) return NoAnswer(request, "it is too long");
  }
}

std::optional<ClientResponse> ParseResponse(std::string_view text) {
  constexpr std::string_view kStart = "HTTP/1.";
  constexpr std::size_t kStatusAt = 9;
  const std::size_t head_end = text.find("\r\n\r\n");
  if (!text.starts_with(kStart) || head_end == std::string_view::npos || head_end < kStatusAt + 3) {
    return std::nullopt;
  }
  ClientResponse response;
  const char* status = text.data() + kStatusAt;
  if (std::from_chars(status, status + 3, response.status).ptr != status + 3) return std::nullopt;
  response.body = text.substr(head_end + 4);
  return response;
}

}  // namespace

Result<ClientResponse> Get(const GetRequest& request) {
  const Socket socket = TRY(Connect(request));
  TRY(Send(request, socket));
  const std::string text = TRY(Receive(request, socket));
  auto response = ParseResponse(text);
  if (!response) return NoAnswer(request, "it does not speak HTTP");
  return *std::move(response);
}

}  // namespace trestle::http
