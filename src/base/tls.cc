#include "base/tls.h"

#include <algorithm>
#include <climits>

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace trestle {
namespace {

constexpr unsigned char kSessionContext[] = "trestle";

Error TlsError(std::string_view what) {
  char reason[256] = "unknown reason";
  if (const unsigned long code = ERR_peek_last_error(); code != 0) {
    ERR_error_string_n(code, reason, sizeof(reason));
  }
  ERR_clear_error();
  return {ErrorCode::kValidation, fmt::format("TLS: {}: {}", what, reason)};
}

// Forward secrecy and authenticated encryption only; TLS 1.3 has nothing else.
constexpr const char* kCiphers = "ECDHE+AESGCM:ECDHE+CHACHA20";

Status RequireClientCertificates(SSL_CTX* context, const std::string& client_ca) {
  if (SSL_CTX_load_verify_locations(context, client_ca.c_str(), nullptr) != 1) {
    return TlsError("cannot use the client CA file");
  }
  SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(client_ca.c_str()));
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  return Ok();
}

Result<std::shared_ptr<SSL_CTX>> MakeContext(const TlsFiles& files) {
  ERR_clear_error();
  const std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (context == nullptr) return TlsError("cannot start");
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION |
                                         SSL_OP_CIPHER_SERVER_PREFERENCE);
  SSL_CTX_set_cipher_list(context.get(), kCiphers);
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE |
                                      SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_session_id_context(context.get(), kSessionContext, sizeof(kSessionContext) - 1);

  if (SSL_CTX_use_certificate_chain_file(context.get(), files.certificate.c_str()) != 1) {
    return TlsError("cannot use the certificate file");
  }
  if (SSL_CTX_use_PrivateKey_file(context.get(), files.private_key.c_str(), SSL_FILETYPE_PEM) !=
      1) {
    return TlsError("cannot use the private key file");
  }
  if (SSL_CTX_check_private_key(context.get()) != 1) {
    return TlsError("the private key is not the certificate's");
  }
  if (!files.client_ca.empty()) TRY(RequireClientCertificates(context.get(), files.client_ca));
  return context;
}

}  // namespace

Result<std::unique_ptr<TlsContext>> TlsContext::Open(TlsFiles files) {
  std::unique_ptr<TlsContext> context(new TlsContext(std::move(files)));
  TRY(context->Reload());
  return context;
}

Status TlsContext::Reload() {
  std::shared_ptr<ssl_ctx_st> context = TRY(MakeContext(files_));
  const MutexLock lock(mutex_);
  context_ = std::move(context);
  return Ok();
}

std::unique_ptr<TlsStream> TlsContext::Accept(int fd) const {
  std::shared_ptr<ssl_ctx_st> context;
  {
    const MutexLock lock(mutex_);
    context = context_;
  }
  std::unique_ptr<TlsStream> stream(new TlsStream(SSL_new(context.get())));
  if (stream->ssl_ == nullptr || SSL_set_fd(stream->ssl_.get(), fd) != 1) return nullptr;
  SSL_set_accept_state(stream->ssl_.get());
  return stream;
}

void TlsStream::Free::operator()(ssl_st* ssl) const { SSL_free(ssl); }

TlsResult TlsStream::Handshake() {
  if (broken_) return {TlsOutcome::kError};
  ERR_clear_error();
  const int result = SSL_do_handshake(ssl_.get());
  if (result == 1) return {TlsOutcome::kDone};
  return Failed(result);
}

TlsResult TlsStream::Read(std::span<char> out) {
  if (broken_) return {TlsOutcome::kError};
  ERR_clear_error();
  std::size_t bytes = 0;
  const int result = SSL_read_ex(ssl_.get(), out.data(), out.size(), &bytes);
  if (result == 1) return {TlsOutcome::kDone, bytes};
  return Failed(result);
}

TlsResult TlsStream::Write(std::string_view bytes) {
  if (broken_) return {TlsOutcome::kError};
  ERR_clear_error();
  std::size_t written = 0;
  const int result = SSL_write_ex(ssl_.get(), bytes.data(), bytes.size(), &written);
  if (result == 1) return {TlsOutcome::kDone, written};
  return Failed(result);
}

bool TlsStream::HasPending() const { return SSL_has_pending(ssl_.get()) == 1; }

void TlsStream::SendClose() {
  if (broken_ || SSL_in_init(ssl_.get()) == 1) return;
  ERR_clear_error();
  SSL_shutdown(ssl_.get());
  ERR_clear_error();
}

std::string TlsStream::CertificateFailure() const {
  const long result = SSL_get_verify_result(ssl_.get());
  return result == X509_V_OK ? "" : X509_verify_cert_error_string(result);
}

TlsResult TlsStream::Failed(int result) {
  switch (SSL_get_error(ssl_.get(), result)) {
    case SSL_ERROR_WANT_READ:
      return {TlsOutcome::kWantRead};
    case SSL_ERROR_WANT_WRITE:
      return {TlsOutcome::kWantWrite};
    case SSL_ERROR_ZERO_RETURN:
      return {TlsOutcome::kClosed};
    default:
      broken_ = true;
      ERR_clear_error();
      return {TlsOutcome::kError};
  }
}

void TlsClientContext::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }

Result<std::unique_ptr<TlsClientContext>> TlsClientContext::Open(const std::string& ca_file) {
  ERR_clear_error();
  std::unique_ptr<TlsClientContext> client(new TlsClientContext(SSL_CTX_new(TLS_client_method())));
  SSL_CTX* context = client->context_.get();
  if (context == nullptr) return TlsError("cannot start");
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_cipher_list(context, kCiphers);
  SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const int loaded = ca_file.empty()
                         ? SSL_CTX_set_default_verify_paths(context)
                         : SSL_CTX_load_verify_locations(context, ca_file.c_str(), nullptr);
  if (loaded != 1) return TlsError("cannot use the file of certificate authorities");
  return client;
}

std::unique_ptr<TlsStream> TlsClientContext::Connect(int fd, const std::string& host) const {
  ERR_clear_error();
  std::unique_ptr<TlsStream> stream(new TlsStream(SSL_new(context_.get())));
  SSL* ssl = stream->ssl_.get();
  if (ssl == nullptr || SSL_set_fd(ssl, fd) != 1) return nullptr;
  // An address is looked for among the certificate's addresses, and is no name to ask for.
  if (X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) != 1) {
    SSL_set_hostflags(ssl, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
    if (SSL_set1_host(ssl, host.c_str()) != 1) return nullptr;
    if (SSL_set_tlsext_host_name(ssl, host.c_str()) != 1) return nullptr;
  }
  SSL_set_connect_state(ssl);
  return stream;
}

}  // namespace trestle
