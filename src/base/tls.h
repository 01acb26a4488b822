#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/mutex.h"
#include "base/result.h"

struct ssl_st;
struct ssl_ctx_st;

namespace trestle {

struct TlsFiles {
  std::string certificate;  // PEM: the server's certificate, then its intermediates
  std::string private_key;  // PEM
  std::string client_ca;    // PEM; when given, clients must show a certificate signed by it
};

// What happened to one step on a TLS connection.
enum class TlsOutcome {
  kDone,       // `bytes` moved (or the handshake ended)
  kWantRead,   // again when the socket can be read
  kWantWrite,  // again when the socket can be written
  kClosed,     // the peer ended the session
  kError,
};

struct TlsResult {
  TlsOutcome outcome;
  std::size_t bytes = 0;
};

// One side of a TLS session on a non-blocking socket, which the caller owns and closes. Writing
// to a socket that the peer closed raises SIGPIPE: block or ignore it.
class TlsStream {
 public:
  [[nodiscard]] TlsResult Handshake();
  [[nodiscard]] TlsResult Read(std::span<char> out);
  [[nodiscard]] TlsResult Write(std::string_view bytes);

  // Whether bytes have been taken from the socket that Read has not given yet.
  [[nodiscard]] bool HasPending() const;

  // Tells the peer that nothing follows. Best effort, does not wait.
  void SendClose();

  // Why the peer's certificate was not believed; empty when it was.
  [[nodiscard]] std::string CertificateFailure() const;

 private:
  friend class TlsClientContext;
  friend class TlsContext;
  struct Free {
    void operator()(ssl_st* ssl) const;
  };
  explicit TlsStream(ssl_st* ssl) : ssl_(ssl) {}

  [[nodiscard]] TlsResult Failed(int result);

  std::unique_ptr<ssl_st, Free> ssl_;
  bool broken_ = false;  // after a fatal error the session must not be touched again
};

// The certificate and rules that new sessions start with: TLS 1.2 and 1.3. Safe from many threads.
class TlsContext {
 public:
  [[nodiscard]] static Result<std::unique_ptr<TlsContext>> Open(TlsFiles files);

  // Reads the files again. Sessions that are open keep what they started with; on failure new
  // ones do too.
  [[nodiscard]] Status Reload() EXCLUDES(mutex_);

  // A session on `fd`; null when memory is short.
  [[nodiscard]] std::unique_ptr<TlsStream> Accept(int fd) const EXCLUDES(mutex_);

 private:
  explicit TlsContext(TlsFiles files) : files_(std::move(files)) {}

  const TlsFiles files_;

  mutable Mutex mutex_;
  std::shared_ptr<ssl_ctx_st> context_ GUARDED_BY(mutex_);
};

// Whom a client believes, for sessions of TLS 1.2 and 1.3. Safe from many threads.
class TlsClientContext {
 public:
  // `ca_file` is PEM; empty: whom the system believes.
  [[nodiscard]] static Result<std::unique_ptr<TlsClientContext>> Open(const std::string& ca_file);

  // A session on `fd`, with a server that must prove to be `host`, a name or an address; null when
  // memory is short.
  [[nodiscard]] std::unique_ptr<TlsStream> Connect(int fd, const std::string& host) const;

 private:
  struct Free {
    void operator()(ssl_ctx_st* context) const;
  };
  explicit TlsClientContext(ssl_ctx_st* context) : context_(context) {}

  std::unique_ptr<ssl_ctx_st, Free> context_;
};

}  // namespace trestle
