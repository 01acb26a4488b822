#pragma once

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/check.h"
#include "http/server.h"

// Servers and clients over real sockets, for the tests of this folder.

namespace trestle::http::testing {

using Clock = std::chrono::steady_clock;

inline std::int64_t MsSince(Clock::time_point start) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start).count();
}

class FunctionHandler final : public Handler {
 public:
  using Function = std::function<void(const Request&, Exchange)>;
  explicit FunctionHandler(Function handle) : handle_(std::move(handle)) {}
  void Handle(const Request& request, Exchange exchange) override {
    handle_(request, std::move(exchange));
  }
  void TickEnd(Loop& loop) override {
    if (tick_end) tick_end(loop);
  }

  [[nodiscard]] Response Refusal(int status) const override {
    return refusal ? refusal(status) : Handler::Refusal(status);
  }

  std::function<void(Loop&)> tick_end;
  std::function<Response(int)> refusal;

 private:
  Function handle_;
};

// A blocking client. Everything gives up after five seconds.
class Client {
 public:
  explicit Client(std::uint16_t port, int receive_buffer_bytes = 0)
      : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    if (receive_buffer_bytes > 0) {
      ::setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &receive_buffer_bytes, sizeof(int));
    }
    const timeval five_seconds = {5, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &five_seconds, sizeof(timeval));
    ::setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &five_seconds, sizeof(timeval));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    is_connected_ =
        ::connect(fd_, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~Client() { Close(); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool is_connected() const { return is_connected_; }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  void Reset() {
    const linger reset = {1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
    Close();
  }
  void EndSending() const { ::shutdown(fd_, SHUT_WR); }

  // False when the server no longer reads.
  bool Send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  // One response: its head and a body of Content-Length bytes. Empty at the end of the stream.
  std::string Receive(bool has_body = true) {
    while (true) {
      const std::string_view received = std::string_view(received_).substr(taken_);
      const std::size_t head_end = received.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        std::size_t size = head_end + 4;
        const std::size_t length = received.find("Content-Length: ");
        if (has_body && length < head_end) {
          size += std::stoul(std::string(received.substr(length + 16, 20)));
        }
        if (received.size() >= size) {
          taken_ += size;
          return std::string(received.substr(0, size));
        }
      }
      if (!ReceiveMore()) return {};
    }
  }

  // What comes until `end`, and `end`; less when the stream ends before it.
  std::string ReceiveUntil(std::string_view end) {
    while (true) {
      const std::size_t found = received_.find(end, taken_);
      if (found != std::string::npos) {
        const std::size_t begin = std::exchange(taken_, found + end.size());
        return received_.substr(begin, taken_ - begin);
      }
      if (!ReceiveMore()) return received_.substr(taken_);
    }
  }

  std::string Ask(std::string_view request) {
    Send(request);
    return Receive();
  }

  // What is left until the server ends the stream; "(reset)" or "(timeout)" when it does not.
  std::string ReceiveAll() {
    while (ReceiveMore()) {
    }
    if (error_ != 0) return error_ == ECONNRESET ? "(reset)" : "(timeout)";
    return received_.substr(taken_);
  }

 private:
  bool ReceiveMore() {
    char bytes[65536];
    const ssize_t count = ::recv(fd_, bytes, sizeof(bytes), 0);
    error_ = count < 0 ? errno : 0;
    if (count <= 0) return false;
    received_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  int fd_;
  bool is_connected_ = false;
  int error_ = 0;
  std::string received_;
  std::size_t taken_ = 0;  // of what was received, by Receive
};

inline std::unique_ptr<Server> StartServer(Handler& handler, const ServerOptions& options = {}) {
  auto server = Server::Start(options, handler);
  CHECK(server.ok(), "the server did not start");
  return *std::move(server);
}

inline std::string BodyOf(const std::string& response) {
  return response.substr(std::min(response.find("\r\n\r\n") + 4, response.size()));
}

inline int StatusOf(const std::string& response) {
  return response.size() > 12 ? std::stoi(response.substr(9, 3)) : 0;
}

}  // namespace trestle::http::testing
