#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/tls.h"
#include "http/client.h"

namespace trestle::http {

// A connected socket, plain or with TLS. One thread at a time; whatever fails, or takes longer than
// until its deadline, fails with kUnavailable and ends the use of the connection.
class ClientConnection {
 public:
  using Deadline = std::chrono::steady_clock::time_point;

  [[nodiscard]] static Result<std::unique_ptr<ClientConnection>> Open(const Origin& origin,
                                                                      const TlsClientContext* tls,
                                                                      Deadline deadline);
  ~ClientConnection();
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  [[nodiscard]] Status Write(std::string_view bytes, Deadline deadline);
  // The number of bytes read; 0: the server has closed the connection.
  [[nodiscard]] Result<std::size_t> Read(std::span<char> out, Deadline deadline);

  // Whether the server has closed it meanwhile, or sent what nobody asked for.
  [[nodiscard]] bool IsStale() const;

  Deadline idle_since;

 private:
  explicit ClientConnection(int fd) : fd_(fd) {}
  [[nodiscard]] Status Shake(Deadline deadline);

  const int fd_;
  std::unique_ptr<TlsStream> tls_;  // null: plain
};

}  // namespace trestle::http
