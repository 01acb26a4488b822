#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "base/tls.h"
#include "http/message.h"
#include "http/response_parser.h"

// Clients that block. Time is that of the machine: a test of timeouts waits for them.

namespace trestle::http {

// Where a server is.
struct Origin {
  std::string host;  // a name or an address, without brackets
  std::uint16_t port = 0;
  bool is_tls = false;

  friend bool operator==(const Origin&, const Origin&) = default;
};

// What a Host header says of it: without the port where that is the scheme's own.
[[nodiscard]] std::string HostText(const Origin& origin);

struct Url {
  Origin origin;
  std::string target = "/";  // path and query
};

// "http://host:8000/path?query", or https. kValidation for anything else.
[[nodiscard]] Result<Url> ParseUrl(std::string_view text);

struct ClientRequest {
  std::string_view method = "GET";
  std::string_view target = "/";
  std::span<const Header> headers = {};  // Host and Content-Length are added
  std::string_view body = {};
  std::int64_t timeout_ms = 0;  // for all of it
};

// No response, or none that can be believed.
struct ClientFailure {
  bool may_have_arrived = false;  // whether the server may have done what it was asked
  std::string reason;             // a sentence for people
};

struct ClientOptions {
  Origin origin;
  const TlsClientContext* tls = nullptr;  // for an origin with TLS; must outlive the client
  std::size_t body_bytes_max = 64UL * 1024 * 1024;
  std::size_t idle_connections_max = 64;
  // Connections that have been idle for longer are not used again: servers close them by then.
  std::int64_t idle_ms_max = 20'000;
};

class ClientConnection;

// Calls one server, over connections that are kept open. There are never more of them than threads
// that call at once. Safe from many threads.
class Client {
 public:
  explicit Client(ClientOptions options);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] std::variant<ClientResponse, ClientFailure> Send(const ClientRequest& request)
      EXCLUDES(mutex_);

 private:
  [[nodiscard]] std::unique_ptr<ClientConnection> TakeIdle() EXCLUDES(mutex_);
  void PutBack(std::unique_ptr<ClientConnection> connection) EXCLUDES(mutex_);

  const ClientOptions options_;

  Mutex mutex_;
  std::vector<std::unique_ptr<ClientConnection>> idle_ GUARDED_BY(mutex_);
};

struct GetRequest {
  std::string address;  // a name or a number
  std::uint16_t port = 0;
  std::string_view path = "/";
  std::int64_t timeout_ms = 0;
};

// One request over plain HTTP. Fails with kUnavailable when there is no answer, or none that is
// HTTP, in time. A response of more than a megabyte counts as none.
[[nodiscard]] Result<ClientResponse> Get(const GetRequest& request);

}  // namespace trestle::http
