// How much one kind of request costs a server: its CPU time per request, throughput, p50 and p99,
// with a number of connections that each wait for the reply before they send again.
//
//   bench_load KIND --port N [--pid N] [--items N] [--first N] [--text-bytes N]
//              [--connections N] [--seconds N] [--ring N]
//
// Prints one line of JSON. `--pid` is the process whose CPU time is counted, all its threads.
// `--ring` is how many requests are made ahead; a longer run sends them again.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
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

#include "requests.h"

namespace trestle::bench {
namespace {

using SteadyClock = std::chrono::steady_clock;

struct NamedKind {
  std::string_view name;
  Kind kind;
};
constexpr NamedKind kKinds[] = {
    {"create", Kind::kCreate},        {"fill", Kind::kFill},         {"sweep", Kind::kSweep},
    {"touch", Kind::kTouch},          {"get", Kind::kGet},           {"put", Kind::kPut},
    {"update", Kind::kUpdate},        {"query", Kind::kQuery},       {"static", Kind::kStatic},
    {"redis-fill", Kind::kRedisFill}, {"redis-get", Kind::kRedisGet}};

// The first part of a run, which is not counted: connections, caches and branch predictors warm up.
constexpr double kWarmPart = 0.2;

struct Options {
  Kind kind = Kind::kGet;
  Workload workload;
  int pid = 0;
  std::size_t connection_count = 64;
  double seconds = 5;
  std::size_t ring = 300'000;
};

[[noreturn]] void Fail(std::string_view sentence) {
  fmt::print(stderr, "bench_load: {}\n", sentence);
  std::_Exit(1);
}

Options ParseOptions(int argc, char** argv) {
  if (argc < 2 || argc % 2 != 0) Fail("KIND, then flags with a value each");
  Options options;
  const auto* kind = std::ranges::find(kKinds, std::string_view(argv[1]), &NamedKind::name);
  if (kind == std::end(kKinds)) Fail(fmt::format("{} is not a kind", argv[1]));
  options.kind = kind->kind;
  for (int i = 2; i < argc; i += 2) {
    const std::string_view flag = argv[i];
    const auto number = std::strtoull(argv[i + 1], nullptr, 10);
    if (flag == "--port")
      options.workload.port = static_cast<std::uint16_t>(number);
    else if (flag == "--pid")
      options.pid = static_cast<int>(number);
    else if (flag == "--items")
      options.workload.item_count = number;
    else if (flag == "--first")
      options.workload.first_item = number;
    else if (flag == "--text-bytes")
      options.workload.text_bytes = number;
    else if (flag == "--connections")
      options.connection_count = number;
    else if (flag == "--seconds")
      options.seconds = static_cast<double>(number);
    else if (flag == "--ring")
      options.ring = number;
    else
      Fail(fmt::format("{} is not a flag", flag));
  }
  return options;
}

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
std::optional<Reply> FindHttpReply(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view head = bytes.substr(0, end);
  std::size_t length = head.find("ontent-");
  while (length != std::string_view::npos && head.substr(length + 7, 5) != "Lengt" &&
         head.substr(length + 7, 5) != "lengt") {
    length = head.find("ontent-", length + 1);
  }
  if (length == std::string_view::npos) Fail("a reply without Content-Length");
  const std::size_t size = end + 4 + NumberAt(head, length + 14);
  if (bytes.size() < size) return std::nullopt;
  return Reply{size, NumberAt(head, 9) == 200};
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
  Load(const Options& options, std::vector<std::string> requests)
      : options_(options),
        requests_(std::move(requests)),
        to_send_(IsOnePass(options.kind) ? requests_.size() : SIZE_MAX),
        epoll_fd_(epoll_create1(0)) {
    Connect();
  }
  ~Load() {
    for (const Connection& connection : connections_)
      close(connection.fd);
    close(epoll_fd_);
  }
  Load(const Load&) = delete;
  Load& operator=(const Load&) = delete;

  void Run() {
    const auto begin = SteadyClock::now();
    const auto warm = IsOnePass(options_.kind) ? 0.0 : options_.seconds * kWarmPart;
    StartCounting();
    for (Connection& connection : connections_)
      Send(connection);
    bool is_warm = warm == 0;
    while (waiting_ > 0) {
      Step();
      const std::chrono::duration<double> passed = SteadyClock::now() - begin;
      if (!is_warm && passed.count() >= warm) {
        is_warm = true;
        StartCounting();
      }
      if (passed.count() >= options_.seconds && !IsOnePass(options_.kind)) break;
    }
    Print();
  }

 private:
  void Connect() {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(options_.workload.port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connections_.resize(std::min(options_.connection_count, to_send_));
    for (std::size_t i = 0; i < connections_.size(); ++i) {
      const int fd = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) {
        Fail(fmt::format("cannot connect to port {}", options_.workload.port));
      }
      const int on = 1;
      setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event);
      connections_[i].fd = fd;
    }
  }

  void StartCounting() {
    started_at_ = SteadyClock::now();
    server_cpu_s_ = ProcessCpuSeconds(options_.pid);
    latencies_ns_.clear();
    reply_bytes_ = 0;
    error_count_ = 0;
  }

  // Blocks while the server does not read, which it does: nothing else is under way here.
  void Send(Connection& connection) {
    if (next_ == to_send_) return;
    std::string_view rest = requests_[next_++ % requests_.size()];
    connection.sent_at = SteadyClock::now();
    ++waiting_;
    while (!rest.empty()) {
      const ssize_t sent = send(connection.fd, rest.data(), rest.size(), MSG_NOSIGNAL);
      if (sent <= 0) Fail("the server closed a connection");
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void Step() {
    epoll_event events[64];
    // It never sleeps: waking it would be work of the server's core, which a client on another
    // machine does not cause.
    const int count = epoll_wait(epoll_fd_, events, 64, 0);
    for (int i = 0; i < count; ++i)
      Receive(connections_[events[i].data.u64]);
  }

  void Receive(Connection& connection) {
    char buffer[64 * 1024];
    const ssize_t received = recv(connection.fd, buffer, sizeof buffer, MSG_DONTWAIT);
    if (received <= 0) Fail("the server closed a connection");
    const std::string_view fresh(buffer, static_cast<std::size_t>(received));
    // Most replies come in one piece and need no copy.
    std::string_view bytes = fresh;
    if (!connection.received.empty()) {
      connection.received.append(fresh);
      bytes = connection.received;
    }
    const auto reply = IsRedis(options_.kind) ? FindRedisReply(bytes) : FindHttpReply(bytes);
    if (!reply) {
      if (connection.received.empty()) connection.received = fresh;
      return;
    }
    Count(connection, *reply, bytes);
    connection.received.clear();
    --waiting_;
    Send(connection);
  }

  void Count(const Connection& connection, const Reply& reply, std::string_view bytes) {
    const auto passed = SteadyClock::now() - connection.sent_at;
    latencies_ns_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(passed).count());
    reply_bytes_ += reply.size;
    if (reply.is_good) return;
    if (error_count_++ == 0) fmt::print(stderr, "bench_load: {}\n", bytes);
  }

  void Print() {
    const std::chrono::duration<double> passed = SteadyClock::now() - started_at_;
    const auto count = static_cast<double>(latencies_ns_.size());
    std::ranges::sort(latencies_ns_);
    const auto percentile_us = [&](double part) {
      if (latencies_ns_.empty()) return 0.0;
      return static_cast<double>(latencies_ns_[static_cast<std::size_t>(count * part)]) / 1e3;
    };
    fmt::print(R"({{"requests":{},"errors":{},"per_second":{:.0f},"p50_us":{:.1f},"p99_us":{:.1f},)"
               R"("server_cpu_us":{:.3f},"reply_bytes":{:.0f}}})"
               "\n",
               latencies_ns_.size(), error_count_, count / passed.count(), percentile_us(0.5),
               percentile_us(0.99), (ProcessCpuSeconds(options_.pid) - server_cpu_s_) / count * 1e6,
               static_cast<double>(reply_bytes_) / count);
  }

  const Options options_;
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
}  // namespace trestle::bench

int main(int argc, char** argv) {
  const trestle::bench::Options options = trestle::bench::ParseOptions(argc, argv);
  trestle::bench::Load(options,
                       trestle::bench::MakeRequests(options.kind, options.workload, options.ring))
      .Run();
}
