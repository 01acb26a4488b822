#include "http/server.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <system_error>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "http/connection_internal.h"
#include "http/event_loop_internal.h"

namespace trestle::http {
namespace {

Error ListenError(const ServerOptions& options, std::string_view reason) {
  return {ErrorCode::kUnavailable, fmt::format("cannot listen on {} port {}: {}",
                                               options.bind_address, options.port, reason)};
}

Result<UniqueFd> Listen(const ServerOptions& options) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const std::string port = fmt::format("{}", options.port);
  const int failure = ::getaddrinfo(options.bind_address.c_str(), port.c_str(), &hints, &found);
  if (failure != 0) return ListenError(options, ::gai_strerror(failure));
  const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> address(found, ::freeaddrinfo);

  UniqueFd socket(
      ::socket(address->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP));
  const int on = 1;
  ::setsockopt(socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (socket.get() < 0 || ::bind(socket.get(), address->ai_addr, address->ai_addrlen) != 0 ||
      ::listen(socket.get(), SOMAXCONN) != 0) {
    return ListenError(options, std::generic_category().message(errno));
  }
  return socket;
}

std::uint16_t PortOf(int socket) {
  sockaddr_storage address{};
  socklen_t address_bytes = sizeof(address);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &address_bytes);
  return ntohs(address.ss_family == AF_INET6
                   ? reinterpret_cast<const sockaddr_in6&>(address).sin6_port
                   : reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

ServerOptions WithinFileLimit(ServerOptions options) {
  rlimit files{};
  if (::getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur == RLIM_INFINITY) return options;
  const std::size_t reserved = std::min<std::size_t>(options.files_reserved, files.rlim_cur / 2);
  options.connections_max =
      std::min<std::size_t>(options.connections_max, files.rlim_cur - reserved);
  return options;
}

}  // namespace

Response Handler::Refusal(int status) const {
  Response response = {.status = status,
                       .content_type = "text/plain",
                       .body = std::string(ReasonPhrase(status)),
                       .headers = {}};
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

struct Server::State {
  State(const ServerOptions& options, Handler& handler)
      : shared(WithinFileLimit(options), handler) {}

  Shared shared;
  std::vector<std::unique_ptr<EventLoop>> loops;
  std::vector<std::thread> threads;
  std::uint16_t port = 0;
};

Server::Server(std::unique_ptr<State> state) : state_(std::move(state)) {}

Server::~Server() { Shutdown(0); }

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, Handler& handler) {
  UniqueFd listener = TRY(Listen(options));
  auto state = std::make_unique<State>(options, handler);
  state->port = PortOf(listener.get());
  for (unsigned i = 0; i < std::max(options.loop_count, 1U); ++i) {
    auto loop = std::make_unique<EventLoop>(i, state->shared);
    if (!loop->IsReady()) return ListenError(options, "out of files");
    state->shared.loops.push_back(loop.get());
    state->loops.push_back(std::move(loop));
  }
  state->loops.front()->Listen(std::move(listener));

  // Signals belong to the threads that expect them; and a TLS session that writes to a closed
  // socket must get an error, not SIGPIPE.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  for (const auto& loop : state->loops) {
    state->threads.emplace_back([&loop = *loop] { loop.Run(); });
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return std::unique_ptr<Server>(new Server(std::move(state)));
}

std::uint16_t Server::port() const { return state_->port; }

ServerCounters Server::counters() const {
  ServerCounters sum;
  sum.open_connections = state_->shared.open_connections;
  for (const auto& loop : state_->loops) {
    const LoopCounters& counters = std::as_const(*loop).counters();
    sum.connections += counters.connections.value();
    sum.requests += counters.requests.value();
    sum.refused_requests += counters.refused_requests.value();
    sum.received_bytes += counters.received_bytes.value();
    sum.sent_bytes += counters.sent_bytes.value();
    sum.accept_pauses += counters.accept_pauses.value();
  }
  return sum;
}

void Server::Shutdown(std::int64_t drain_ms) {
  if (state_->threads.empty()) return;
  for (const auto& loop : state_->loops) {
    loop->Post([&loop = *loop] { loop.Drain(); });
  }
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(drain_ms);
  const auto is_drained = [&shared = state_->shared] {
    return shared.draining_loops == shared.loops.size() && shared.open_connections == 0;
  };
  while (!is_drained() && std::chrono::steady_clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  for (const auto& loop : state_->loops) {
    loop->Post([&loop = *loop] { loop.Stop(); });
  }
  for (std::thread& thread : state_->threads)
    thread.join();
  state_->threads.clear();
}

}  // namespace trestle::http
