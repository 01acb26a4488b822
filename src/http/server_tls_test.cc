// HTTPS, spoken by the openssl command, which shares no code with our side of the session.

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/server.h"

namespace trestle::http {
namespace {

// In pieces everywhere but at /.
class EchoHandler final : public Handler {
 public:
  void Handle(const Request& request, Exchange exchange) override {
    if (request.path == "/") {
      return exchange.Reply(Response{.body = std::string(request.body), .headers = {}});
    }
    const std::string piece(request.body);
    Stream stream = exchange.ReplyInPieces({.headers = {}});
    for (int i = 0; i < 4; ++i)
      stream.Write(piece);
  }
};

class ServerTls : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/server_tls_test.XXXXXX";
    ASSERT_NE(::mkdtemp(name), nullptr);
    folder_ = name;
    ASSERT_EQ(Run(fmt::format("openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
                              " -nodes -keyout {0}/key -out {0}/cert -subj /CN=localhost -days 1"
                              " 2>{0}/log; echo $?",
                              folder_)),
              "0\n");
    auto context = TlsContext::Open(
        {.certificate = folder_ + "/cert", .private_key = folder_ + "/key", .client_ca = {}});
    ASSERT_TRUE(context.ok()) << context.error().message();
    context_ = *std::move(context);
    ServerOptions options;
    options.tls = context_.get();
    auto server = Server::Start(options, handler_);
    ASSERT_TRUE(server.ok());
    server_ = *std::move(server);
  }

  void TearDown() override {
    server_.reset();
    std::filesystem::remove_all(folder_);
  }

  // What the server answers to `request`, over a session with these options.
  std::string Ask(const std::string& request, const std::string& options = "") {
    const std::string file = folder_ + "/request";
    std::FILE* const out = std::fopen(file.c_str(), "w");
    std::fwrite(request.data(), 1, request.size(), out);
    std::fclose(out);
    return Run(
        fmt::format("timeout 10 openssl s_client -quiet -ign_eof {}"
                    " -CAfile {}/cert -verify_return_error -connect 127.0.0.1:{}"
                    " <{} 2>/dev/null",
                    options, folder_, server_->port(), file));
  }

  static std::string Run(const std::string& command) {
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    std::string output;
    char bytes[4096];
    while (const std::size_t count = std::fread(bytes, 1, sizeof(bytes), pipe)) {
      output.append(bytes, count);
    }
    ::pclose(pipe);
    return output;
  }

  EchoHandler handler_;
  std::string folder_;
  std::unique_ptr<TlsContext> context_;
  std::unique_ptr<Server> server_;
};

std::string Post(const std::string& body, const std::string& connection) {
  return fmt::format("POST / HTTP/1.1\r\nHost: x\r\nConnection: {}\r\nContent-Length: {}\r\n\r\n{}",
                     connection, body.size(), body);
}

TEST_F(ServerTls, AnswersRequestsOverBothVersions) {
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    const std::string responses =
        Ask(Post("first", "keep-alive") + Post("second", "close"), version);
    EXPECT_NE(responses.find("\r\n\r\nfirstHTTP/1.1 200 OK"), std::string::npos) << responses;
    EXPECT_TRUE(responses.ends_with("\r\n\r\nsecond")) << responses;
  }
}

// More than the first buffer takes, in one record: the session then holds bytes that the socket
// no longer reports.
TEST_F(ServerTls, ReadsARecordLargerThanItsBuffer) {
  const std::string body(6000, 'b');
  EXPECT_TRUE(Ask(Post(body, "close")).ends_with("\r\n\r\n" + body));
}

TEST_F(ServerTls, CarriesLargeBodiesBothWays) {
  std::string body;
  for (int i = 0; body.size() < 3'000'000; ++i)
    body += fmt::format("{:07} ", i);
  const std::string response = Ask(Post(body, "close"));
  ASSERT_GT(response.size(), body.size());
  EXPECT_TRUE(response.ends_with("\r\n\r\n" + body));
}

TEST_F(ServerTls, CarriesPieces) {
  const std::string piece(60'000, 'p');
  const std::string response = Ask(
      fmt::format("POST /pieces HTTP/1.0\r\nContent-Length: {}\r\n\r\n{}", piece.size(), piece));
  ASSERT_GT(response.size(), 4 * piece.size());
  EXPECT_TRUE(response.ends_with("\r\n\r\n" + piece + piece + piece + piece));
}

TEST_F(ServerTls, RefusesOldVersions) {
  EXPECT_EQ(Ask(Post("x", "close"), "-tls1_1 -cipher ALL:@SECLEVEL=0"), "");
  EXPECT_EQ(server_->counters().requests, 0U);
}

TEST_F(ServerTls, DoesNotSpeakPlainHttp) {
  const std::string response =
      Run(fmt::format("printf 'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n' | timeout 5 bash -c"
                      " 'exec 3<>/dev/tcp/127.0.0.1/{}; cat >&3; cat <&3' 2>/dev/null | head -c 4",
                      server_->port()));
  EXPECT_NE(response, "HTTP");
  EXPECT_EQ(server_->counters().requests, 0U);
}

}  // namespace
}  // namespace trestle::http
