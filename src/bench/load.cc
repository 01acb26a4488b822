#include "bench/load.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trestle::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

// The first part of a run, which is not counted: connections, caches and branch predictors warm up.
constexpr double kWarmPart = 0.2;

Error Failed(std::string message) { return {ErrorCode::kUnavailable, std::move(message)}; }

// CPU time of all threads of a process, user and system; 0 for no process.
double ProcessCpuSeconds(int pid) {
  if (pid == 0) return 0;
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::stringstream text;
  text << file.rdbuf();
  const std::string stat = text.str();
  // The name, in parentheses, may hold blanks. After it: state, ten numbers, utime, stime.
  std::istringstream fields(stat.substr(std::min(stat.rfind(')') + 1, stat.size())));
  std::string skipped;
  for (int i = 0; i < 11; ++i)
    fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct Reply {
  std::size_t size = 0;
  bool is_good = true;
};

// The number after `from` in `text`.
std::size_t NumberAt(std::string_view text, std::size_t from) {
  std::size_t number = 0;
  while (from < text.size() && text[from] == ' ')
    ++from;
  std::from_chars(text.data() + from, text.data() + text.size(), number);
  return number;
}

// The reply that begins `bytes`, once it is all there.
Result<std::optional<Reply>> FindHttpReply(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::optional<Reply>();
  const std::string_view head = bytes.substr(0, end);
  std::size_t length = head.find("ontent-");
  while (length != std::string_view::npos && head.substr(length + 7, 5) != "Lengt" &&
         head.substr(length + 7, 5) != "lengt") {
    length = head.find("ontent-", length + 1);
  }
  if (length == std::string_view::npos) return Failed("a reply has no Content-Length");
  const std::size_t size = end + 4 + NumberAt(head, length + 14);
  if (bytes.size() < size) return std::optional<Reply>();
  return std::optional(Reply{size, NumberAt(head, 9) == 200});
}

std::optional<Reply> FindRedisReply(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  if (bytes[0] != '$') return Reply{end + 2, bytes[0] == '+'};
  if (bytes[1] == '-') return Reply{end + 2, false};
  const std::size_t size = end + 2 + NumberAt(bytes, 1) + 2;
  if (bytes.size() < size) return std::nullopt;
  return Reply{size, true};
}

struct Connection {
  int fd = -1;
  std::string received;
  SteadyClock::time_point sent_at;
};

class Load {
 public:
  explicit Load(const LoadOptions& options)
      : options_(options),
        requests_(MakeRequests(options.kind, options.workload, options.ring)),
        to_send_(IsOnePass(options.kind) ? requests_.size() : SIZE_MAX),
        epoll_fd_(epoll_create1(EPOLL_CLOEXEC)) {}
  ~Load() {
    for (const Connection& connection : connections_)
      close(connection.fd);
    close(epoll_fd_);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  [[nodiscard]] Result<LoadFigures> Run() {
    TRY(Connect());
    const auto begin = SteadyClock::now();
    const auto warm = IsOnePass(options_.kind) ? 0.0 : options_.seconds * kWarmPart;
    StartCounting();
    for (Connection& connection : connections_)
      TRY(Send(connection));
    bool is_warm = warm == 0;
    while (waiting_ > 0) {
      TRY(Step());
      const std::chrono::duration<double> passed = SteadyClock::now() - begin;
      if (!is_warm && passed.count() >= warm) {
        is_warm = true;
        StartCounting();
      }
      if (passed.count() >= options_.seconds && !IsOnePass(options_.kind)) break;
    }
    return Figures();
  }

 private:
  [[nodiscard]] Status Connect() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options_.workload.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connections_.resize(std::min(options_.connection_count, to_send_));
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
      connections_[i].fd = fd;
      if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        return Failed(fmt::format("cannot connect to port {}", options_.workload.port));
      }
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event);
    }
    return Ok();
  }

  void StartCounting() {
    started_at_ = SteadyClock::now();
    server_cpu_s_ = ProcessCpuSeconds(options_.pid);
    latencies_ns_.clear();
    reply_bytes_ = 0;
    error_count_ = 0;
  }

  // Blocks while the server does not read, which it does: nothing else is under way here.
  [[nodiscard]] Status Send(Connection& connection) {
    if (next_ == to_send_) return Ok();
    std::string_view rest = requests_[next_++ % requests_.size()];
    connection.sent_at = SteadyClock::now();
    ++waiting_;
    while (!rest.empty()) {
      const ssize_t sent = send(connection.fd, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent <= 0) return Failed("the server closed a connection");
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return Ok();
  }

  [[nodiscard]] Status Step() {
    epoll_event events[64];
    // It never sleeps: waking it would be work of the server's core, which a client on another
    // machine does not cause.
    const int count = epoll_wait(epoll_fd_, events, 64, 0);
    for (int i = 0; i < count; ++i)
      TRY(Receive(connections_[events[i].data.u64]));
    return Ok();
  }

  [[nodiscard]] Status Receive(Connection& connection) {
    char buffer[64 * 1024];
    const ssize_t received = recv(connection.fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (received <= 0) return Failed("the server closed a connection");
    const std::string_view fresh(buffer, static_cast<std::size_t>(received));
    // Most replies come in one piece and need no copy.
    std::string_view bytes = fresh;
    if (!connection.received.empty()) {
      connection.received.append(fresh);
      bytes = connection.received;
    }
    const auto reply = IsRedis(options_.kind) ? FindRedisReply(bytes) : TRY(FindHttpReply(bytes));
    if (!reply) {
      if (connection.received.empty()) connection.received = fresh;
      return Ok();
    }
    Count(connection, *reply, bytes);
    connection.received.clear();
    --waiting_;
    return Send(connection);
  }

  void Count(const Connection& connection, const Reply& reply, std::string_view bytes) {
    const auto passed = SteadyClock::now() - connection.sent_at;
    latencies_ns_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
    reply_bytes_ += reply.size;
    if (reply.is_good) return;
    if (error_count_++ == 0) fmt::print(stderr, "trestle: the server answers {}\n", bytes);
  }

  [[nodiscard]] LoadFigures Figures() {
    const std::chrono::duration<double> passed = SteadyClock::now() - started_at_;
    const auto count = static_cast<double>(latencies_ns_.size());
    std::ranges::sort(latencies_ns_);
    const auto percentile_us = [&](double part) {
      if (latencies_ns_.empty()) return 0.0;
      return static_cast<double>(latencies_ns_[static_cast<std::size_t>(count * part)]) / 1e3;
    };
    return {.request_count = latencies_ns_.size(),
            .error_count = error_count_,
            .per_second = count / passed.count(),
            .p50_us = percentile_us(0.5),
            .p99_us = percentile_us(0.99),
            .server_cpu_us = (ProcessCpuSeconds(options_.pid) - server_cpu_s_) / count * 1e6,
            .reply_bytes = static_cast<double>(reply_bytes_) / count};
  }

  const LoadOptions options_;
  const std::vector<std::string> requests_;
  const std::size_t to_send_;
  const int epoll_fd_;
  std::vector<Connection> connections_;
  std::size_t next_ = 0;
  std::size_t waiting_ = 0;  // for their replies

  SteadyClock::time_point started_at_;
  double server_cpu_s_ = 0;
  std::vector<std::int64_t> latencies_ns_;
  std::size_t reply_bytes_ = 0;
  std::size_t error_count_ = 0;
};

}  // namespace

Result<LoadFigures> RunLoad(const LoadOptions& options) { return Load(options).Run(); }

}  // namespace trestle::bench
