#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/mutex.h"
#include "base/result.h"
#include "base/tls.h"
#include "http/message.h"

// An HTTP/1.1 server: a few loops, each a thread with its own connections. A handler runs on the
// loop that read the request, and must not block; what takes long goes to another thread, which
// comes back through Loop::Post.

namespace trestle::http {

class Connection;
class EventLoop;
struct StreamState;

// A callable that runs once. Unlike std::function it may own things that cannot be copied.
class Task {
 public:
  template <typename F>
  requires(!std::is_same_v<std::decay_t<F>, Task>)
      Task(F&& run)  // NOLINT: a lambda is a task; `requires` spares the move constructor
      : body_(std::make_unique<Body<std::decay_t<F>>>(std::forward<F>(run))) {}
  void operator()() { body_->Run(); }

 private:
  struct Base {
    virtual ~Base() = default;
    virtual void Run() = 0;
  };
  template <typename F>
  struct Body final : Base {
    explicit Body(F function) : run(std::move(function)) {}
    void Run() override { run(); }
    F run;
  };

  std::unique_ptr<Base> body_;
};

// One of the server's threads.
class Loop {
 public:
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs `task` on this loop's thread, soon and in the order of the calls. From any thread. Many
  // calls between two turns of the loop wake it once. After Shutdown tasks are dropped unrun.
  void Post(Task task) EXCLUDES(mutex_);

  [[nodiscard]] unsigned index() const { return index_; }
  [[nodiscard]] bool IsCurrentThread() const { return thread_id_ == std::this_thread::get_id(); }

 protected:
  explicit Loop(unsigned index);
  ~Loop();

  const unsigned index_;
  const int wake_fd_;
  std::thread::id thread_id_;  // written by the loop before its first connection

  Mutex mutex_;
  std::vector<Task> tasks_ GUARDED_BY(mutex_);
  bool asleep_ GUARDED_BY(mutex_) = false;  // or about to sleep: a task needs a wake
  bool stopped_ GUARDED_BY(mutex_) = false;
};

// An answer that is sent in pieces, for as long as its writer and its reader want. It may outlive
// the server, but nobody may use it while the server is destroyed. Safe from many threads.
//
// It ends by itself when the client has gone, reads too slowly, or has ended its half of the
// connection; when nothing was written for `idle_timeout_ms`; and when the server shuts down.
class Stream {
 public:
  Stream(Stream&&) noexcept = default;
  Stream& operator=(Stream&& other) noexcept;
  ~Stream() { End(); }

  // Sends `text` soon, behind what was written before. False when it will reach nobody. A client
  // that lets more than `stream_bytes_max` wait for it is cut off.
  bool Write(std::string_view text);
  // All has been said: the client sees that the answer is complete.
  void End();
  // The client sees that it is not.
  void Abort();

  [[nodiscard]] bool is_open() const;

 private:
  friend class Exchange;
  explicit Stream(std::shared_ptr<StreamState> state) : state_(std::move(state)) {}

  std::shared_ptr<StreamState> state_;  // null once moved from
};

// A request that waits for its response. Give it once, with Reply or ReplyInPieces, on the loop's
// own thread. An Exchange that is dropped (on any thread) answers 500. It must not outlive the
// Server.
class Exchange {
 public:
  Exchange(Exchange&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  Exchange& operator=(Exchange&& other) noexcept;
  ~Exchange() { Drop(); }

  // Ends the exchange; the request's views are invalid afterwards. The response may look into the
  // request. Nothing happens when the client has gone.
  void Reply(Response response);
  void Reply(const ResponseView& response);
  // Ends the exchange with the head of an answer, whose body is its first piece. The next request
  // of the connection waits until the stream ends. An answer to HEAD has ended already.
  [[nodiscard]] Stream ReplyInPieces(const Response& head);

  // The loop to Post to from another thread.
  [[nodiscard]] Loop& loop() const;

 private:
  friend class Connection;
  explicit Exchange(Connection& connection) : connection_(&connection) {}
  void Drop() noexcept;

  Connection* connection_;  // null once replied or moved from
};

class Handler {
 public:
  virtual ~Handler() = default;

  // Called on the loop that read the request. `request` stays valid until the reply.
  virtual void Handle(const Request& request, Exchange exchange) = 0;

  // Called on each loop after every batch of events and posted tasks, so that what the requests
  // of one turn have in common can be done at once.
  virtual void TickEnd(Loop& /*loop*/) {}

  // What a request gets that the handler does not see, because it is malformed, too large or too
  // slow. Called on any loop; the connection ends afterwards.
  [[nodiscard]] virtual Response Refusal(int status) const;
};

struct ServerOptions {
  std::string bind_address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one, see Server::port
  unsigned loop_count = 1;
  const TlsContext* tls = nullptr;  // plain HTTP without; must outlive the server

  // Accepting pauses at this many connections. Lowered to what the process's limit of open files
  // leaves after `files_reserved`, so that clients cannot take the files that storage needs.
  std::size_t connections_max = 10'000;
  std::size_t files_reserved = 100;

  std::size_t header_bytes_max = 64UL * 1024;
  std::size_t header_count_max = 200;
  std::size_t body_bytes_max = kRequestBodyBytesMax;

  // Memory of all connections' buffers beyond their first 64 KB: past it, requests get 503 and
  // clients that do not read their replies are cut off. Chunked requests, whose length is not
  // known before they end, share the smaller bound, which must hold one of the longest.
  std::size_t buffered_bytes_max = 256UL * 1024 * 1024;
  std::size_t chunked_bytes_max = 20UL * 1024 * 1024;
  std::size_t stream_bytes_max = 256UL * 1024;  // that wait for the reader of one Stream

  std::int64_t header_timeout_ms = 10'000;  // from the first byte to the end of the headers
  std::int64_t idle_timeout_ms = 75'000;    // between requests, and pieces of a Stream
  // Bodies and responses have this long, and a second more for every `bytes_per_second_min`.
  std::int64_t body_timeout_ms = 10'000;
  std::int64_t write_timeout_ms = 10'000;
  std::int64_t bytes_per_second_min = 16'384;
  // How long a connection that we end is drained, so that the client reads its last response.
  std::int64_t linger_timeout_ms = 2'000;
};

// Since the start, except for `open_connections`.
struct ServerCounters {
  std::uint64_t open_connections = 0;
  std::uint64_t connections = 0;
  std::uint64_t requests = 0;
  std::uint64_t refused_requests = 0;  // answered here: malformed, too large, too slow
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_bytes = 0;
  std::uint64_t accept_pauses = 0;  // out of connections or files
};

// Safe from many threads, except for Shutdown, which one thread calls. The handler must outlive
// the server.
class Server {
 public:
  // Listens and serves. Fails with kUnavailable when the address cannot be had.
  [[nodiscard]] static Result<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                             Handler& handler);
  ~Server();  // Shutdown(0)

  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] ServerCounters counters() const;

  // Accepts no more, answers what has been asked, ends streams, and returns when every connection
  // has ended or `drain_ms` have passed. Then no handler runs any more and no posted task will.
  void Shutdown(std::int64_t drain_ms);

 private:
  struct State;
  explicit Server(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace trestle::http
