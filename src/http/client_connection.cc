#include <algorithm>
#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/client_connection_internal.h"

namespace trestle::http {
namespace {

Error NoAnswer(std::string_view why) { return {ErrorCode::kUnavailable, std::string(why)}; }

Error SystemFailure() { return NoAnswer(std::generic_category().message(errno)); }

// Waits until the socket can be read or written.
Status WaitFor(int fd, short events, ClientConnection::Deadline deadline) {
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return NoAnswer("it takes too long");
    pollfd waiting{.fd = fd, .events = events, .revents = 0};
    constexpr std::int64_t kPollMsMax = 60'000;
    const int ready = ::poll(&waiting, 1, static_cast<int>(std::min(left.count(), kPollMsMax)));
    if (ready > 0) return Ok();
    if (ready < 0 && errno != EINTR) return SystemFailure();
  }
}

Status ConnectTo(int fd, const addrinfo& address, ClientConnection::Deadline deadline) {
  if (::connect(fd, address.ai_addr, address.ai_addrlen) == 0) return Ok();
  if (errno != EINPROGRESS) return SystemFailure();
  TRY(WaitFor(fd, POLLOUT, deadline));
  int failure = 0;
  socklen_t size = sizeof(failure);
  ::getsockopt(fd, SOL_SOCKET, SO_ERROR, &failure, &size);
  if (failure == 0) return Ok();
  errno = failure;
  return SystemFailure();
}

// To the first of the host's addresses that answers.
Result<int> ConnectToHost(const Origin& origin, ClientConnection::Deadline deadline) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = fmt::format("{}", origin.port);
  const int failure = ::getaddrinfo(origin.host.c_str(), port.c_str(), &hints, &found);
  if (failure != 0) return NoAnswer(::gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> addresses(found, ::freeaddrinfo);

  Error last = NoAnswer("it has no address");
  for (const addrinfo* address = found; address != nullptr; address = address->ai_next) {
    const int fd = ::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return SystemFailure();
    const Status connected = ConnectTo(fd, *address, deadline);
    if (connected.ok()) return fd;
    last = connected.error();
    ::close(fd);
  }
  return last;
}

}  // namespace

Result<std::unique_ptr<ClientConnection>> ClientConnection::Open(const Origin& origin,
                                                                 const TlsClientContext* tls,
                                                                 Deadline deadline) {
  const int fd = TRY(ConnectToHost(origin, deadline));
  std::unique_ptr<ClientConnection> connection(new ClientConnection(fd));
  const int one = 1;
  ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
  if (!origin.is_tls) return connection;
  if (tls == nullptr) return NoAnswer("TLS is not set up");
  connection->tls_ = tls->Connect(fd, origin.host);
  if (connection->tls_ == nullptr) return NoAnswer("TLS cannot be started");
  TRY(connection->Shake(deadline));
  return connection;
}

ClientConnection::~ClientConnection() {
  if (tls_ != nullptr) tls_->SendClose();
  ::close(fd_);
}

Status ClientConnection::Shake(Deadline deadline) {
  while (true) {
    switch (tls_->Handshake().outcome) {
      case TlsOutcome::kDone:
        return Ok();
      case TlsOutcome::kWantRead:
        TRY(WaitFor(fd_, POLLIN, deadline));
        break;
      case TlsOutcome::kWantWrite:
        TRY(WaitFor(fd_, POLLOUT, deadline));
        break;
      case TlsOutcome::kClosed:
      case TlsOutcome::kError: {
        const std::string reason = tls_->CertificateFailure();
        if (reason.empty()) return NoAnswer("the TLS handshake failed");
        return NoAnswer(fmt::format("its certificate is not to be believed: {}", reason));
      }
    }
  }
}

Status ClientConnection::Write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    short events = POLLOUT;
    if (tls_ == nullptr) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent >= 0) {
        bytes.remove_prefix(static_cast<std::size_t>(sent));
        continue;
      }
      if (errno != EAGAIN && errno != EINTR) return SystemFailure();
    } else {
      const TlsResult result = tls_->Write(bytes);
      if (result.outcome == TlsOutcome::kDone) {
        bytes.remove_prefix(result.bytes);
        continue;
      }
      if (result.outcome == TlsOutcome::kWantRead) events = POLLIN;
      if (result.outcome == TlsOutcome::kError || result.outcome == TlsOutcome::kClosed) {
        return NoAnswer("the TLS session broke");
      }
    }
    TRY(WaitFor(fd_, events, deadline));
  }
  return Ok();
}

Result<std::size_t> ClientConnection::Read(std::span<char> out, Deadline deadline) {
  while (true) {
    short events = POLLIN;
    if (tls_ == nullptr) {
      const ssize_t received = ::recv(fd_, out.data(), out.size(), 0);
      if (received >= 0) return static_cast<std::size_t>(received);
      if (errno != EAGAIN && errno != EINTR) return SystemFailure();
    } else {
      const TlsResult result = tls_->Read(out);
      if (result.outcome == TlsOutcome::kDone) return result.bytes;
      if (result.outcome == TlsOutcome::kClosed) return std::size_t{0};
      if (result.outcome == TlsOutcome::kWantWrite) events = POLLOUT;
      // Also a connection that ends without a word: what was read may have been cut short.
      if (result.outcome == TlsOutcome::kError) return NoAnswer("the TLS session broke");
    }
    TRY(WaitFor(fd_, events, deadline));
  }
}

bool ClientConnection::IsStale() const {
  char byte = 0;
  return ::recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) >= 0 || errno != EAGAIN;
}

}  // namespace trestle::http
