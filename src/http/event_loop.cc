#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <span>

#include <arpa/inet.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include "base/check.h"
#include "http/connection_internal.h"
#include "http/event_loop_internal.h"

namespace trestle::http {
namespace {

constexpr std::size_t kEventsPerTurn = 256;
constexpr std::size_t kRepliesAtOnce = 16;  // wait for each other before they are sent
constexpr int kAcceptsPerTurn = 64;
constexpr std::int64_t kAcceptPauseMs = 100;
constexpr std::int64_t kDrainTimerIntervalMs = 20;
constexpr std::int64_t kDrainIdleMs = 250;  // a client that is about to ask still may

std::int64_t CoarseMs(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1'000'000;
}

// Often enough that a timeout is late by at most a quarter, and at most by a second.
std::int64_t TimerIntervalMs(const ServerOptions& options) {
  const std::int64_t shortest_ms =
      std::min({options.header_timeout_ms, options.idle_timeout_ms, options.body_timeout_ms,
                options.write_timeout_ms, options.linger_timeout_ms});
  return std::clamp<std::int64_t>(shortest_ms / 4, 10, 1000);
}

std::string AddressText(const sockaddr_storage& address) {
  char text[INET6_ADDRSTRLEN] = "";
  if (address.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    ::inet_ntop(AF_INET, &v4.sin_addr, text, sizeof(text));
  } else if (address.ss_family == AF_INET6) {
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address);
    if (IN6_IS_ADDR_V4MAPPED(&v6.sin6_addr)) {
      ::inet_ntop(AF_INET, v6.sin6_addr.s6_addr + 12, text, sizeof(text));
    } else {
      ::inet_ntop(AF_INET6, &v6.sin6_addr, text, sizeof(text));
    }
  }
  return text;
}

}  // namespace

Loop::Loop(unsigned index) : index_(index), wake_fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {}

Loop::~Loop() {
  if (wake_fd_ >= 0) ::close(wake_fd_);
}

void Loop::Post(Task task) {
  bool must_wake = false;
  {
    const MutexLock lock(mutex_);
    if (stopped_) return;  // `task` is destroyed by the caller, without the lock
    tasks_.push_back(std::move(task));
    must_wake = std::exchange(asleep_, false);
  }
  if (!must_wake) return;
  const std::uint64_t one = 1;
  // It fails only when the counter is full, and then the loop is awake.
  static_cast<void>(!::write(wake_fd_, &one, sizeof(one)));
}

EventLoop::EventLoop(unsigned index, Shared& shared)
    : Loop(index),
      shared_(shared),
      timer_interval_ms_(TimerIntervalMs(shared.options)),
      epoll_(::epoll_create1(EPOLL_CLOEXEC)) {
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.ptr = this;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, wake_fd_, &event);
}

EventLoop::~EventLoop() = default;

bool EventLoop::IsReady() const { return epoll_.get() >= 0 && wake_fd_ >= 0; }

void EventLoop::Listen(UniqueFd listener) {
  listener_ = std::move(listener);
  SetListening(EPOLL_CTL_ADD, EPOLLIN);
}

// A turn reads from all sockets that have something, then answers, then sends: each of the three is
// a lot of code, which a processor would load anew for every request if each went all the way
// alone.
void EventLoop::Run() {
  thread_id_ = std::this_thread::get_id();
  ReadClocks();

  std::array<epoll_event, kEventsPerTurn> events;
  while (!is_stopped_) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), kEventsPerTurn, SleepMs());
    ReadClocks();
    for (int i = 0; i < count; ++i)
      OnEvent(events[static_cast<std::size_t>(i)]);
    AnswerConnections();
    RunTasks();
    ResumeConnections();
    shared_.handler.TickEnd(*this);
    if (now_ms_ >= next_timer_check_ms_) CheckTimers();
  }
  DropTasks();
  for (const auto& connection : connections_)
    connection->LoseStream();
}

void EventLoop::OnEvent(const epoll_event& event) {
  if (event.data.ptr == this) {
    std::uint64_t count = 0;
    static_cast<void>(!::read(wake_fd_, &count, sizeof(count)));
  } else if (event.data.ptr == &listener_) {
    AcceptConnections();
  } else {
    auto& connection = *static_cast<Connection*>(event.data.ptr);
    connection.OnEvents(event.events);
    RemoveIfFinished(connection);
  }
}

// How long epoll may wait; -1 for ever. Afterwards a Post wakes it.
int EventLoop::SleepMs() {
  if (!queued_.empty() || is_stopped_) return 0;
  {
    const MutexLock lock(mutex_);
    if (!tasks_.empty()) return 0;
    asleep_ = true;
  }
  if (connections_.empty() && !is_accepting_paused_) return -1;
  return static_cast<int>(std::max<std::int64_t>(next_timer_check_ms_ - now_ms_, 0)) + 1;
}

void EventLoop::ReadClocks() {
  now_ms_ = CoarseMs(CLOCK_MONOTONIC_COARSE);
  const std::int64_t unix_s = CoarseMs(CLOCK_REALTIME_COARSE) / 1000;
  if (unix_s == date_unix_s_) return;
  date_unix_s_ = unix_s;
  date_line_ = fmt::format("Date: {:%a, %d %b %Y %H:%M:%S} GMT\r\n", fmt::gmtime(unix_s));
}

void EventLoop::RunTasks() {
  {
    const MutexLock lock(mutex_);
    asleep_ = false;
    running_.swap(tasks_);
  }
  for (Task& task : running_)
    task();
  running_.clear();
}

void EventLoop::DropTasks() {
  {
    const MutexLock lock(mutex_);
    stopped_ = true;
    running_.swap(tasks_);
  }
  running_.clear();
}

void EventLoop::Queue(Connection& connection) {
  if (connection.is_queued) return;
  connection.is_queued = true;
  queued_.push_back(&connection);
}

void EventLoop::AnswerConnections() {
  std::span<Connection* const> rest = unanswered_;
  while (!rest.empty()) {
    const auto together = rest.first(std::min(rest.size(), kRepliesAtOnce));
    for (Connection* const connection : together)
      connection->Answer();
    for (Connection* const connection : together) {
      connection->Resume();
      RemoveIfFinished(*connection);
    }
    rest = rest.subspan(together.size());
  }
  unanswered_.clear();
}

void EventLoop::ResumeConnections() {
  if (queued_.empty()) return;
  resuming_.swap(queued_);
  for (Connection* const connection : resuming_) {
    connection->is_queued = false;
    connection->Resume();
    RemoveIfFinished(*connection);
  }
  resuming_.clear();
}

void EventLoop::CheckTimers() {
  const std::int64_t interval_ms =
      is_draining_ ? std::min(timer_interval_ms_, kDrainTimerIntervalMs) : timer_interval_ms_;
  next_timer_check_ms_ = now_ms_ + interval_ms;
  if (is_accepting_paused_) {
    next_timer_check_ms_ = std::min(next_timer_check_ms_, accept_again_ms_);
    if (now_ms_ >= accept_again_ms_) ResumeAccepting();
  }

  const bool ends_idle = is_draining_ && now_ms_ - drain_started_ms_ >= kDrainIdleMs;
  for (std::size_t i = connections_.size(); i > 0; --i) {  // removal moves the last one forward
    Connection& connection = *connections_[i - 1];
    connection.OnTimer();
    if (is_draining_) connection.EndStream();
    if (ends_idle) connection.CloseIfIdle();
    RemoveIfFinished(connection);
  }
}

void EventLoop::Drain() {
  if (listener_.get() >= 0) {
    AcceptConnections();  // a client in the queue of the socket would be reset
    listener_.Close();
    is_accepting_paused_ = false;
  }
  is_draining_ = true;
  drain_started_ms_ = now_ms_;
  next_timer_check_ms_ = now_ms_;
  shared_.draining_loops.fetch_add(1);
}

void EventLoop::Adopt(UniqueFd socket, std::string peer) {
  counters_.connections.Add(1);
  std::unique_ptr<TlsStream> tls;
  if (shared_.options.tls != nullptr) {
    tls = shared_.options.tls->Accept(socket.get());
    if (tls == nullptr) return OnClosed();
  }
  if (connections_.empty()) next_timer_check_ms_ = now_ms_ + timer_interval_ms_;
  connections_.push_back(
      std::make_unique<Connection>(*this, std::move(socket), std::move(peer), std::move(tls)));
  connections_.back()->slot = connections_.size() - 1;
}

void EventLoop::RemoveIfFinished(Connection& connection) {
  if (!connection.IsFinished()) return;
  const std::size_t slot = connection.slot;
  connections_.back()->slot = slot;
  std::swap(connections_[slot], connections_.back());
  connections_.pop_back();
}

void EventLoop::OnClosed() {
  load_.fetch_sub(1, std::memory_order_relaxed);
  shared_.open_connections.fetch_sub(1);
}

void EventLoop::Watch(int fd, Connection& connection, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &connection;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, fd, &event);
}

void EventLoop::Rewatch(int fd, Connection& connection, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &connection;
  ::epoll_ctl(epoll_.get(), EPOLL_CTL_MOD, fd, &event);
}

// To close a socket does it too, but not while a process that is being started still has it.
void EventLoop::Unwatch(int fd) { ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, fd, nullptr); }

// Each connection goes to the loop that has the fewest, which keeps a few busy clients apart.
void EventLoop::AcceptConnections() {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    if (shared_.open_connections >= shared_.options.connections_max) return PauseAccepting();
    sockaddr_storage address{};
    socklen_t address_bytes = sizeof(address);
    UniqueFd socket(::accept4(listener_.get(), reinterpret_cast<sockaddr*>(&address),
                              &address_bytes, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (socket.get() < 0) {
      if (errno == EINTR || errno == ECONNABORTED) continue;
      // Out of files or memory: the event stays, so without a pause we would spin.
      if (errno != EAGAIN) PauseAccepting();
      return;
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));

    EventLoop* const target = *std::ranges::min_element(shared_.loops, {}, &EventLoop::load);
    target->load_.fetch_add(1, std::memory_order_relaxed);
    shared_.open_connections.fetch_add(1);
    if (target == this) {
      Adopt(std::move(socket), AddressText(address));
    } else {
      target->Post([target, fd = std::move(socket), peer = AddressText(address)]() mutable {
        target->Adopt(std::move(fd), std::move(peer));
      });
    }
  }
}

void EventLoop::PauseAccepting() {
  counters_.accept_pauses.Add(1);
  is_accepting_paused_ = true;
  shared_.is_full = true;
  accept_again_ms_ = now_ms_ + kAcceptPauseMs;
  next_timer_check_ms_ = std::min(next_timer_check_ms_, accept_again_ms_);
  SetListening(EPOLL_CTL_MOD, 0);
}

void EventLoop::ResumeAccepting() {
  is_accepting_paused_ = false;
  shared_.is_full = false;
  SetListening(EPOLL_CTL_MOD, EPOLLIN);
}

void EventLoop::SetListening(int operation, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = &listener_;
  ::epoll_ctl(epoll_.get(), operation, listener_.get(), &event);
}

}  // namespace trestle::http
