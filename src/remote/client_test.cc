#include "remote/client.h"

#include <atomic>
#include <deque>

#include <gtest/gtest.h>

#include "base/crypto.h"
#include "protocol/sigv4.h"
#include "remote/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;
using testing::FakeServer;
using testing::JsonResponse;
using testing::Seen;
using testing::Texts;

constexpr std::string_view kId = "AKIDEXAMPLE";
constexpr std::string_view kSecret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";

// A client, and a server that gives the answers of a list, the last one again and again.
class ClientTest : public ::testing::Test {
 protected:
  void Open(Texts variables = {}) {
    variables.emplace("AWS_ACCESS_KEY_ID", kId);
    variables.emplace("AWS_SECRET_ACCESS_KEY", kSecret);
    auto client = Client::Open(
        {.environment = EnvironmentOf(std::move(variables)),
         .endpoint = {.endpoint = server_.url(), .region = "eu-west-1"},
         .clock = &clock_,
         .random = &random_,
         .timeout_ms = 2000,
         .sleep = [this](std::chrono::milliseconds time) { pauses_.push_back(time); }});
    ASSERT_TRUE(client.ok()) << client.error().message();
    client_ = *std::move(client);
  }

  [[nodiscard]] Result<Reply> Read() {
    return client_->Send({.operation = "GetItem", .body = "{}", .is_repeatable = true});
  }
  [[nodiscard]] Result<Reply> Write() {
    return client_->Send({.operation = "UpdateItem", .body = "{}"});
  }

  FixedClock clock_{1'767'323'045'678};
  Random random_{1};
  std::vector<std::chrono::milliseconds> pauses_;
  std::deque<http::Response> answers_;
  FakeServer server_{[this](const Seen&) {
    http::Response answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }};
  std::unique_ptr<Client> client_;
};

http::Response Throttled() {
  return JsonResponse(400, R"({"__type":"x#ProvisionedThroughputExceededException"})");
}
http::Response Broken() { return JsonResponse(500, R"({"__type":"x#InternalServerError"})"); }

TEST_F(ClientTest, SignsWhatItSends) {
  Open({{"AWS_SESSION_TOKEN", "session"}});
  answers_ = {JsonResponse(200, R"({"a":1})")};
  const auto reply = client_->Send(
      {.operation = "GetRecords", .service = Service::kStreams, .body = R"({"x":"y"})"});
  ASSERT_TRUE(reply.ok()) << reply.error().message();
  EXPECT_EQ(reply->body.size(), 1u);

  const Seen seen = server_.seen().at(0);
  EXPECT_EQ(seen.headers.at("x-amz-target"), "DynamoDBStreams_20120810.GetRecords");
  EXPECT_EQ(seen.headers.at("content-type"), "application/x-amz-json-1.0");
  EXPECT_EQ(seen.headers.at("x-amz-security-token"), "session");
  EXPECT_EQ(seen.headers.at("x-amz-date"), "20260102T030405Z");

  // Who knows the secret computes the same; the order of the headers does not matter.
  std::vector<protocol::HeaderView> headers;
  for (const auto& [name, value] : seen.headers) {
    if (name != "authorization" && name != "content-length") headers.push_back({name, value});
  }
  EXPECT_EQ(
      seen.headers.at("authorization"),
      protocol::Authorization(
          {.method = "POST", .path = "/", .query = {}, .headers = headers, .body = R"({"x":"y"})"},
          {.access_key_id = kId, .secret_access_key = kSecret, .region = "eu-west-1"},
          "20260102T030405Z"));
}

TEST_F(ClientTest, ForwardsOnceWhatSomebodyElseSays) {
  Open();
  const std::string refusal = R"({"__type":"x#ProvisionedThroughputExceededException"})";
  answers_ = {Throttled(), JsonResponse(200, R"({"TableNames":[]})")};
  const auto refused = client_->Forward({.operation = "ListTables", .body = R"({"Limit":1})"});
  ASSERT_TRUE(refused.ok()) << refused.error().message();
  EXPECT_EQ(refused->status, 400);
  EXPECT_EQ(refused->body, refusal);
  EXPECT_EQ(server_.seen().size(), 1u);
  EXPECT_EQ(server_.seen().at(0).body, R"({"Limit":1})");
  const auto answered = client_->Forward({.operation = "ListTables", .body = "{}"});
  ASSERT_TRUE(answered.ok()) << answered.error().message();
  EXPECT_EQ(answered->body, R"({"TableNames":[]})");
}

TEST_F(ClientTest, RepeatsWhatWasThrottledAlsoAWrite) {
  Open();
  answers_ = {Throttled(), Throttled(), JsonResponse(200, "{}")};
  EXPECT_TRUE(Write().ok());
  EXPECT_EQ(server_.seen().size(), 3u);
  ASSERT_EQ(pauses_.size(), 2u);
  EXPECT_LE(pauses_[0].count(), 25);
  EXPECT_LE(pauses_[1].count(), 50);
}

TEST_F(ClientTest, GivesUpAfterAFewAttempts) {
  Open();
  answers_ = {Throttled()};
  const auto reply = Read();
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code(), ErrorCode::kThrottled);
  EXPECT_EQ(server_.seen().size(), 8u);
}

TEST_F(ClientTest, DoesNotRepeatAWriteWhoseFateIsUnknown) {
  Open();
  answers_ = {Broken(), JsonResponse(200, "{}")};
  const auto write = Write();
  ASSERT_FALSE(write.ok());
  EXPECT_EQ(write.error().code(), ErrorCode::kInternal);
  EXPECT_EQ(server_.seen().size(), 1u);

  answers_ = {Broken(), JsonResponse(200, "{}")};
  EXPECT_TRUE(Read().ok());
  EXPECT_EQ(server_.seen().size(), 3u);
}

TEST_F(ClientTest, DoesNotRepeatWhatIsWrong) {
  Open();
  answers_ = {JsonResponse(400, R"({"__type":"x#ValidationException","message":"no"})")};
  const auto reply = Read();
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code(), ErrorCode::kValidation);
  EXPECT_EQ(reply.error().message(), "no");
  EXPECT_EQ(server_.seen().size(), 1u);
}

TEST_F(ClientTest, BelievesNoDamagedAnswer) {
  Open();
  http::Response damaged = JsonResponse(200, R"({"Item":{}})");
  damaged.headers.emplace_back("x-amz-crc32", std::to_string(Crc32(R"({"Item":[]})")));
  http::Response whole = JsonResponse(200, R"({"Item":{}})");
  whole.headers.emplace_back("x-amz-crc32", std::to_string(Crc32(whole.body)));
  answers_ = {damaged, whole};
  EXPECT_TRUE(Read().ok());
  EXPECT_EQ(server_.seen().size(), 2u);

  answers_ = {damaged};
  EXPECT_EQ(Write().error().code(), ErrorCode::kUnavailable);
  answers_ = {JsonResponse(200, "[]")};
  EXPECT_EQ(Write().error().code(), ErrorCode::kUnavailable);
}

TEST_F(ClientTest, TheBudgetOfRetriesEnds) {
  Open();
  answers_ = {Throttled()};
  for (int i = 0; i < 20; ++i)
    EXPECT_FALSE(Read().ok());
  // 100 retries in all, then one attempt for each call.
  EXPECT_EQ(server_.seen().size(), 120u);
}

TEST_F(ClientTest, LooksForNewCredentialsWhenTheOldOnesAreRefused) {
  std::atomic<int> count = 0;
  FakeServer container([&](const Seen&) {
    return JsonResponse(200,
                        fmt::format(R"({{"AccessKeyId":"key{}","SecretAccessKey":"s"}})", ++count));
  });
  auto client = Client::Open(
      {.environment = EnvironmentOf({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", container.url()}}),
       .endpoint = {.endpoint = server_.url(), .region = {}},
       .clock = &clock_,
       .random = &random_,
       .sleep = [](std::chrono::milliseconds) {}});
  ASSERT_TRUE(client.ok());
  answers_ = {JsonResponse(400, R"({"__type":"x#ExpiredTokenException"})"),
              JsonResponse(200, "{}")};
  EXPECT_TRUE((*client)->Send({.operation = "UpdateItem", .body = "{}"}).ok());
  ASSERT_EQ(server_.seen().size(), 2u);
  EXPECT_NE(server_.seen()[1].headers.at("authorization").find("key2"), std::string::npos);
}

TEST_F(ClientTest, AConnectionThatWasRefusedDidNoHarm) {
  auto client = Client::Open(
      {.environment = EnvironmentOf({{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
       .endpoint = {.endpoint = "http://127.0.0.1:1", .region = {}},
       .clock = &clock_,
       .random = &random_,
       .sleep = [this](std::chrono::milliseconds time) { pauses_.push_back(time); }});
  ASSERT_TRUE(client.ok());
  const auto reply = (*client)->Send({.operation = "UpdateItem", .body = "{}"});
  ASSERT_FALSE(reply.ok());
  EXPECT_EQ(reply.error().code(), ErrorCode::kUnavailable);
  EXPECT_EQ(pauses_.size(), 7u);
}

TEST_F(ClientTest, FindsOutWhatAnEndpointKnows) {
  Open();
  answers_ = {JsonResponse(400, R"({"__type":"x#UnknownOperationException"})")};
  EXPECT_FALSE(*client_->Knows("TransactWriteItems"));
  answers_ = {JsonResponse(400, R"({"__type":"x#ValidationException"})")};
  EXPECT_TRUE(*client_->Knows("TransactWriteItems"));
  answers_ = {JsonResponse(400, R"({"__type":"x#AccessDeniedException"})")};
  EXPECT_TRUE(*client_->Knows("TransactWriteItems"));
  answers_ = {JsonResponse(400, R"({"__type":"x#UnrecognizedClientException"})")};
  EXPECT_FALSE(client_->Knows("TransactWriteItems").ok());
}

}  // namespace
}  // namespace trestle::remote
