#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include "http/buffer_internal.h"
#include "http/server.h"

struct epoll_event;

namespace trestle::http {

// A file descriptor that is closed with its owner.
class UniqueFd {
 public:
  UniqueFd() = default;
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~UniqueFd() { Close(); }

  [[nodiscard]] int get() const { return fd_; }
  void Close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }

 private:
  int fd_ = -1;
};

// A counter with one writer, read from anywhere.
class Counter {
 public:
  void Add(std::uint64_t count) {
    value_.store(value_.load(std::memory_order_relaxed) + count, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

struct LoopCounters {
  Counter connections;
  Counter requests;
  Counter refused_requests;
  Counter received_bytes;
  Counter sent_bytes;
  Counter accept_pauses;
};

// What the loops of one server have in common.
struct Shared {
  Shared(ServerOptions server_options, Handler& server_handler)
      : options(std::move(server_options)),
        handler(server_handler),
        buffered(options.buffered_bytes_max),
        chunked(options.chunked_bytes_max) {}

  const ServerOptions options;
  Handler& handler;
  std::vector<EventLoop*> loops;  // constant once the threads run

  Budget buffered;
  Budget chunked;
  std::atomic<std::size_t> open_connections = 0;
  std::atomic<std::size_t> draining_loops = 0;
  std::atomic<bool> is_full = false;  // no connection can be accepted: idle ones are ended sooner
};

// A thread that waits for its connections' events. Everything but the constructor, Listen, Post,
// load() and counters() belongs to that thread.
class EventLoop final : public Loop {
 public:
  EventLoop(unsigned index, Shared& shared);
  ~EventLoop();

  [[nodiscard]] bool IsReady() const;  // false when the process is out of files

  // Makes this the loop that accepts connections, for all loops. Before Run.
  void Listen(UniqueFd listener);

  // Serves until Stop.
  void Run();
  void Stop() { is_stopped_ = true; }

  // Ends connections as soon as they owe no response.
  void Drain();

  void Adopt(UniqueFd socket, std::string peer);

  [[nodiscard]] std::size_t load() const { return load_.load(std::memory_order_relaxed); }
  [[nodiscard]] const LoopCounters& counters() const { return counters_; }

  // For connections.
  [[nodiscard]] Shared& shared() { return shared_; }
  [[nodiscard]] LoopCounters& counters() { return counters_; }
  [[nodiscard]] std::int64_t now_ms() const { return now_ms_; }
  [[nodiscard]] std::string_view date_line() const { return date_line_; }
  [[nodiscard]] bool is_draining() const { return is_draining_; }
  void Watch(int fd, Connection& connection, std::uint32_t events);
  void Rewatch(int fd, Connection& connection, std::uint32_t events);
  void Unwatch(int fd);
  void AnswerLater(Connection& connection) { unanswered_.push_back(&connection); }  // in this turn
  void Queue(Connection& connection);  // to be resumed in this turn or the next
  void OnClosed();

 private:
  void OnEvent(const epoll_event& event);
  [[nodiscard]] int SleepMs() EXCLUDES(mutex_);
  void ReadClocks();
  void AnswerConnections();
  void RunTasks() EXCLUDES(mutex_);
  void ResumeConnections();
  void CheckTimers();
  void RemoveIfFinished(Connection& connection);
  void DropTasks() EXCLUDES(mutex_);

  void AcceptConnections();
  void PauseAccepting();
  void ResumeAccepting();
  void SetListening(int operation, std::uint32_t events);

  Shared& shared_;
  const std::int64_t timer_interval_ms_;
  const UniqueFd epoll_;
  UniqueFd listener_;
  bool is_accepting_paused_ = false;
  std::int64_t accept_again_ms_ = 0;

  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<Connection*> unanswered_;  // have read in this turn
  std::vector<Connection*> queued_;
  std::vector<Connection*> resuming_;  // kept for its memory
  std::vector<Task> running_;          // kept for its memory
  std::int64_t now_ms_ = 0;
  std::int64_t next_timer_check_ms_ = 0;
  std::int64_t date_unix_s_ = 0;
  std::string date_line_;
  bool is_draining_ = false;
  std::int64_t drain_started_ms_ = 0;
  bool is_stopped_ = false;

  std::atomic<std::size_t> load_ = 0;  // open connections
  LoopCounters counters_;
};

}  // namespace trestle::http
