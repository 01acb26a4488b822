// The service behind a real server and in front of a real database: routes, refusals, headers,
// and the three ways an operation runs. What single operations answer is in the scenarios.

#include "wire/service.h"

#include <memory>
#include <string>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/crypto.h"
#include "storage/memory_store.h"
#include "wire/gzip.h"
#include "wire/operations.h"

namespace trestle::wire {
namespace {

constexpr std::string_view kSigned =
    "Authorization: AWS4-HMAC-SHA256 Credential=a/20260101/us-east-1/dynamodb/aws4_request, "
    "SignedHeaders=host;x-amz-date, Signature=0\r\nX-Amz-Date: 20260101T000000Z\r\n";

struct Answer {
  int status = 0;
  std::string head;
  std::string body;

  [[nodiscard]] std::string Header(const std::string& name) const {
    const std::size_t at = head.find("\r\n" + name + ": ");
    if (at == std::string::npos) return "";
    const std::size_t start = at + name.size() + 4;
    return head.substr(start, head.find("\r\n", start) - start);
  }
};

class ServiceTest : public testing::Test {
 protected:
  void Start(ServiceOptions options = {}) {
    database_ =
        *engine::Database::Open(storage::NewMemoryStore(), {.clock = &clock_, .random = &random_});
    service_ = std::make_unique<Service>(*database_, clock_, random_, std::move(options));
    server_ = *http::Server::Start({}, *service_);
    service_->CountConnectionsOf(server_.get());
  }

  void TearDown() override {
    if (server_) server_->Shutdown(1'000);
    database_.reset();
    server_.reset();
  }

  // Sends one request on a connection of its own and reads to its end.
  Answer Send(const std::string& request) const {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(server_->port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    EXPECT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
    std::string text;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::recv(fd, buffer, sizeof(buffer), 0)) > 0;) {
      text.append(buffer, static_cast<std::size_t>(size));
    }
    ::close(fd);
    Answer answer;
    const std::size_t head_end = text.find("\r\n\r\n");
    if (head_end == std::string::npos) return answer;
    answer.head = text.substr(0, head_end + 2);
    answer.body = text.substr(head_end + 4);
    answer.status = std::stoi(text.substr(9, 3));
    return answer;
  }

  Answer Get(const std::string& path, const std::string& headers = "") const {
    return Send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + headers +
                "\r\n");
  }

  Answer Post(const std::string& headers, const std::string& body) const {
    return Send("POST / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: " +
                std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body);
  }

  Answer Call(const std::string& operation, const std::string& body,
              const std::string& headers = "") const {
    return Post("Content-Type: application/x-amz-json-1.0\r\nX-Amz-Target: DynamoDB_20120810." +
                    operation + "\r\n" + std::string(kSigned) + headers,
                body);
  }

  void CreateTable() const {
    ASSERT_EQ(Call("CreateTable",
                   R"({"TableName": "orders", "BillingMode": "PAY_PER_REQUEST",
                       "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                       "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})")
                  .status,
              200);
  }

  FixedClock clock_{1'767'225'600'000};
  Random random_{1};
  std::unique_ptr<engine::Database> database_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(ServiceTest, AnswersHealthAsTheServiceDoes) {
  Start();
  const Answer answer = Get("/");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "healthy: dynamodb.us-east-1.amazonaws.com ");
  EXPECT_EQ(Get("/healthz").status, 200);
  EXPECT_EQ(Get("/else").status, 404);
}

TEST_F(ServiceTest, RunsWritesReadsAndPages) {
  Start();
  CreateTable();
  const Answer put = Call("PutItem", R"({"TableName": "orders", "Item": {"pk": {"S": "a"}}})");
  EXPECT_EQ(put.status, 200);
  EXPECT_EQ(put.body, "{}");
  const Answer get = Call("GetItem", R"({"TableName": "orders", "Key": {"pk": {"S": "a"}}})");
  EXPECT_EQ(get.body, R"({"Item":{"pk":{"S":"a"}}})");
  const Answer scan = Call("Scan", R"({"TableName": "orders", "Select": "COUNT"})");
  EXPECT_EQ(scan.body, R"({"Count":1,"ScannedCount":1})");
}

TEST_F(ServiceTest, SendsTheHeadersThatClientsCheck) {
  Start();
  const Answer answer = Call("ListTables", "{}");
  EXPECT_EQ(answer.Header("Content-Type"), "application/x-amz-json-1.0");
  EXPECT_EQ(answer.Header("x-amz-crc32"), std::to_string(Crc32(answer.body)));
  EXPECT_EQ(answer.Header("x-amzn-RequestId").size(), 52U);
}

TEST_F(ServiceTest, RefusesInTheOrderOfTheService) {
  Start();
  const std::string type = "Content-Type: application/x-amz-json-1.0\r\n";
  const std::string target = "X-Amz-Target: DynamoDB_20120810.ListTables\r\n";
  EXPECT_EQ(Post("Content-Type: text/plain\r\n" + target, "{").status, 404);
  EXPECT_EQ(Post(target, "{").status, 404);
  EXPECT_EQ(Post(type, "{").body,
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_EQ(Post(type, "{}").body,
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_EQ(Post(type + "X-Amz-Target: DynamoDB_20120810.Else\r\n", "{}").body,
            R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
  EXPECT_NE(Post(type + target, "{}").body.find("MissingAuthenticationTokenException"),
            std::string::npos);
  EXPECT_NE(Post(type + target, "").body.find("MissingAuthenticationTokenException"),
            std::string::npos);
  EXPECT_EQ(Post(type + target + std::string(kSigned), "[]").body,
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_NE(Post(type + target + std::string(kSigned), R"({"Limit": "a"})")
                .body.find("STRING_VALUE cannot be converted to Integer"),
            std::string::npos);
  EXPECT_NE(Post(type + target + std::string(kSigned), R"({"Limit": 0})")
                .body.find("1 validation error detected"),
            std::string::npos);
}

// The service reads the whole request before it judges any of it.
TEST_F(ServiceTest, LetsAWrongTypeInsideAnItemWinOverAViolatedConstraint) {
  Start();
  const Answer answer =
      Call("PutItem", R"({"ReturnValues": "x", "Item": {"pk": {"S": 5}}, "TableName": "orders"})");
  EXPECT_NE(answer.body.find("NUMBER_VALUE cannot be converted to String"), std::string::npos)
      << answer.body;
}

TEST_F(ServiceTest, AsksForAKnownKeyWhenKeysAreEnforced) {
  Start({.access_keys = protocol::AccessKeys{{"AKID", "secret"}}});
  const Answer answer = Call("ListTables", "{}");
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(answer.body.find("secret"), std::string::npos);
  EXPECT_NE(answer.body.find("Exception"), std::string::npos);
}

// A page in a browser can make any name of its own point at 127.0.0.1.
TEST_F(ServiceTest, ServesLoopbackNamesOnlyWhenKeysAreNotEnforced) {
  Start();
  EXPECT_EQ(Send("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").status, 421);
}

TEST_F(ServiceTest, ServesAnyNameWhenKeysAreEnforced) {
  Start({.access_keys = protocol::AccessKeys{{"AKID", "secret"}}});
  EXPECT_EQ(Send("GET / HTTP/1.1\r\nHost: db.example\r\nConnection: close\r\n\r\n").status, 200);
}

TEST_F(ServiceTest, LetsNamedOriginsCallAndNoOthers) {
  Start({.cors_origins = {"https://app.example"}});
  const auto preflight = [&](const std::string& origin) {
    return Send("OPTIONS / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nOrigin: " + origin +
                "\r\nAccess-Control-Request-Method: POST\r\n\r\n");
  };
  const Answer allowed = preflight("https://app.example");
  EXPECT_EQ(allowed.status, 200);
  EXPECT_EQ(allowed.Header("Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(allowed.Header("Access-Control-Allow-Methods"), "POST");
  const Answer refused = preflight("https://evil.example");
  EXPECT_EQ(refused.status, 404);
  EXPECT_EQ(refused.Header("Access-Control-Allow-Origin"), "");
  EXPECT_EQ(Get("/", "Origin: https://evil.example\r\n").Header("Access-Control-Allow-Origin"), "");
  EXPECT_EQ(Get("/", "Origin: https://app.example\r\n").Header("Access-Control-Allow-Origin"),
            "https://app.example");
}

TEST_F(ServiceTest, ReadsAndWritesGzip) {
  Start();
  CreateTable();
  const std::string text(5'000, 'x');
  std::string zipped;
  ASSERT_TRUE(Gzip(
      R"({"TableName": "orders", "Item": {"pk": {"S": "a"}, "text": {"S": ")" + text + R"("}}})",
      zipped));
  EXPECT_EQ(Call("PutItem", zipped, "Content-Encoding: gzip\r\n").body, "{}");

  const Answer answer = Call("GetItem", R"({"TableName": "orders", "Key": {"pk": {"S": "a"}}})",
                             "Accept-Encoding: gzip\r\n");
  EXPECT_EQ(answer.Header("Content-Encoding"), "gzip");
  EXPECT_EQ(answer.Header("x-amz-crc32"), std::to_string(Crc32(answer.body)));
  std::string unzipped;
  ASSERT_TRUE(Gunzip(answer.body, 100'000, unzipped).ok());
  EXPECT_NE(unzipped.find(text), std::string::npos);
}

TEST_F(ServiceTest, CountsRequestsByOperationAndOutcome) {
  Start();
  EXPECT_EQ(Call("ListTables", "{}").status, 200);
  EXPECT_EQ(Call("ListTables", R"({"Limit": 0})").status, 400);
  const std::string text = Get("/metrics").body;
  for (const std::string_view line :
       {"trestle_requests_total{operation=\"ListTables\",outcome=\"ok\"} 1\n",
        "trestle_requests_total{operation=\"ListTables\",outcome=\"refused\"} 1\n",
        "trestle_request_duration_seconds_count{operation=\"ListTables\"} 2\n",
        "trestle_request_duration_seconds_bucket{operation=\"ListTables\",le=\"+Inf\"} 2\n",
        "trestle_request_bytes_total{operation=\"ListTables\"} 14\n", "trestle_writable 1\n",
        "trestle_connections_open 1\n"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line;
  }
}

TEST(FindOperation, KnowsEachByItsTarget) {
  for (std::size_t i = 0; i < AllOperations().size(); ++i) {
    const Operation& operation = *AllOperations()[i];
    const bool is_stream = operation.api == Api::kStreams;
    const std::string name(operation.name);
    EXPECT_EQ(FindOperation("DynamoDB_20120810." + name),
              is_stream ? std::nullopt : std::optional(i));
    EXPECT_EQ(FindOperation("DynamoDBStreams_20120810." + name),
              is_stream ? std::optional(i) : std::nullopt);
    EXPECT_EQ(FindOperation(name), std::nullopt);
  }
  EXPECT_EQ(FindOperation("DynamoDB_20120810.getitem"), std::nullopt);
}

}  // namespace
}  // namespace trestle::wire
