// The server's side of TLS against OpenSSL's client, over a socket pair and in one thread.

#include "base/tls.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <sys/socket.h>
#include <unistd.h>

namespace trestle {
namespace {

// Writes a new key and a certificate for it, signed by itself.
void WriteCertificate(const TlsFiles& files, long serial) {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  X509* const certificate = X509_new();
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("localhost"), -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  X509_sign(certificate, key, EVP_sha256());
  std::FILE* const key_file = std::fopen(files.private_key.c_str(), "w");
  PEM_write_PrivateKey(key_file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(key_file);
  std::FILE* const certificate_file = std::fopen(files.certificate.c_str(), "w");
  PEM_write_X509(certificate_file, certificate);
  std::fclose(certificate_file);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

class Tls : public testing::Test {
 protected:
  void SetUp() override {
    ::signal(SIGPIPE, SIG_IGN);
    char name[] = "/tmp/tls_test.XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    files_ = {.certificate = folder_ + "/cert", .private_key = folder_ + "/key", .client_ca = {}};
    WriteCertificate(files_, 1);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::unique_ptr<TlsContext> OpenContext() {
    auto context = TlsContext::Open(files_);
    CHECK(context.ok(), "no context");
    return *std::move(context);
  }

  std::string folder_;
  TlsFiles files_;
};

// Both ends of a session.
class Session {
 public:
  explicit Session(const TlsContext& context, int client_version_max = TLS1_3_VERSION) {
    ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, sockets_.data());
    server = context.Accept(sockets_[0]);
    client_context_ = SSL_CTX_new(TLS_client_method());
    SSL_CTX_set_security_level(client_context_, 0);
    SSL_CTX_set_max_proto_version(client_context_, client_version_max);
    client = SSL_new(client_context_);
    SSL_set_fd(client, sockets_[1]);
    SSL_set_connect_state(client);
  }
  ~Session() {
    SSL_free(client);
    SSL_CTX_free(client_context_);
    server.reset();
    ::close(sockets_[0]);
    ::close(sockets_[1]);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void EndClient() const { ::shutdown(sockets_[1], SHUT_RDWR); }

  bool ShakeHands() const {
    bool is_client_done = false;
    bool is_server_done = false;
    for (int i = 0; i < 10 && !(is_client_done && is_server_done); ++i) {
      is_client_done = is_client_done || SSL_do_handshake(client) == 1;
      const TlsOutcome outcome = is_server_done ? TlsOutcome::kDone : server->Handshake().outcome;
      if (outcome == TlsOutcome::kError || outcome == TlsOutcome::kClosed) return false;
      is_server_done = outcome == TlsOutcome::kDone;
    }
    return is_client_done && is_server_done;
  }

  [[nodiscard]] long Serial() const {
    X509* const certificate = SSL_get1_peer_certificate(client);
    const long serial = ASN1_INTEGER_get(X509_get_serialNumber(certificate));
    X509_free(certificate);
    return serial;
  }

  std::unique_ptr<TlsStream> server;
  SSL* client = nullptr;

 private:
  std::array<int, 2> sockets_{};
  SSL_CTX* client_context_ = nullptr;
};

TEST_F(Tls, CarriesBytesBothWaysAndSaysWhatItWaitsFor) {
  const auto context = OpenContext();
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    const Session session(*context, version);
    EXPECT_EQ(session.server->Handshake().outcome, TlsOutcome::kWantRead);
    ASSERT_TRUE(session.ShakeHands());
    std::array<char, 3> room{};
    EXPECT_EQ(session.server->Read(room).outcome, TlsOutcome::kWantRead);
    EXPECT_FALSE(session.server->HasPending());

    ASSERT_EQ(SSL_write(session.client, "hello", 5), 5);
    const TlsResult first = session.server->Read(room);
    EXPECT_EQ(first.outcome, TlsOutcome::kDone);
    EXPECT_EQ(std::string_view(room.data(), first.bytes), "hel");
    EXPECT_TRUE(session.server->HasPending());
    EXPECT_EQ(session.server->Read(room).bytes, 2U);

    EXPECT_EQ(session.server->Write("world").bytes, 5U);
    std::array<char, 9> answer{};
    EXPECT_EQ(SSL_read(session.client, answer.data(), 9), 5);
    EXPECT_STREQ(answer.data(), "world");

    SSL_shutdown(session.client);
    EXPECT_EQ(session.server->Read(room).outcome, TlsOutcome::kClosed);
  }
}

TEST_F(Tls, StopsWritingWhenTheSocketIsFull) {
  const auto context = OpenContext();
  const Session session(*context);
  ASSERT_TRUE(session.ShakeHands());
  const std::string bytes(1024 * 1024, 'x');
  TlsResult result{TlsOutcome::kDone};
  for (int i = 0; i < 1000 && result.outcome == TlsOutcome::kDone; ++i) {
    result = session.server->Write(bytes);
  }
  EXPECT_EQ(result.outcome, TlsOutcome::kWantWrite);
}

TEST_F(Tls, RefusesOldVersionsAndGarbage) {
  const auto context = OpenContext();
  const Session old(*context, TLS1_1_VERSION);
  EXPECT_FALSE(old.ShakeHands());
  std::array<char, 8> room{};
  EXPECT_EQ(old.server->Read(room).outcome, TlsOutcome::kError);  // and stays refused
  EXPECT_EQ(old.server->Write("x").outcome, TlsOutcome::kError);
  old.server->SendClose();

  const Session gone(*context);
  gone.EndClient();
  EXPECT_EQ(gone.server->Handshake().outcome, TlsOutcome::kError);
}

TEST_F(Tls, UsesANewCertificateAfterReload) {
  const auto context = OpenContext();
  const Session before(*context);
  ASSERT_TRUE(before.ShakeHands());
  WriteCertificate(files_, 2);
  ASSERT_TRUE(context->Reload().ok());
  const Session after(*context);
  ASSERT_TRUE(after.ShakeHands());
  EXPECT_EQ(before.Serial(), 1);
  EXPECT_EQ(after.Serial(), 2);
  EXPECT_EQ(before.server->Write("still here").bytes, 10U);
}

TEST_F(Tls, KeepsItsCertificateWhenReloadFails) {
  const auto context = OpenContext();
  std::filesystem::remove(files_.certificate);
  EXPECT_EQ(context->Reload().error().code(), ErrorCode::kValidation);
  const Session session(*context);
  EXPECT_TRUE(session.ShakeHands());
}

TEST_F(Tls, ShakesHandsWhileItReloads) {
  const auto context = OpenContext();
  std::atomic<bool> is_done = false;
  std::thread reloader([&] {
    while (!is_done)
      EXPECT_TRUE(context->Reload().ok());
  });
  for (int i = 0; i < 100; ++i) {
    const Session session(*context);
    EXPECT_TRUE(session.ShakeHands());
  }
  is_done = true;
  reloader.join();
}

TEST_F(Tls, RefusesFilesItCannotUse) {
  TlsFiles other = {
      .certificate = folder_ + "/other", .private_key = folder_ + "/other_key", .client_ca = {}};
  EXPECT_FALSE(TlsContext::Open(other).ok());
  WriteCertificate(other, 3);
  other.private_key = files_.private_key;
  EXPECT_FALSE(TlsContext::Open(other).ok());
  other = files_;
  other.client_ca = folder_ + "/absent";
  EXPECT_FALSE(TlsContext::Open(other).ok());
}

TEST_F(Tls, AsksForACertificateWhenToldTo) {
  files_.client_ca = files_.certificate;
  const auto context = OpenContext();
  const Session without(*context);
  EXPECT_FALSE(without.ShakeHands());
  const Session with(*context);
  ASSERT_EQ(SSL_use_certificate_file(with.client, files_.certificate.c_str(), SSL_FILETYPE_PEM), 1);
  ASSERT_EQ(SSL_use_PrivateKey_file(with.client, files_.private_key.c_str(), SSL_FILETYPE_PEM), 1);
  EXPECT_TRUE(with.ShakeHands());
}

}  // namespace
}  // namespace trestle
