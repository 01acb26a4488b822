#include "remote/credentials.h"

#include <gtest/gtest.h>

#include "remote/testing_internal.h"

namespace trestle::remote {
namespace {

using testing::EnvironmentOf;
using testing::FakeServer;
using testing::JsonResponse;
using testing::Seen;
using testing::Texts;

constexpr std::int64_t kNowUnixMs = 1'767'323'045'000;  // 2026-01-02T03:04:05Z
constexpr std::int64_t kHourMs = 60LL * 60 * 1000;

class CredentialsTest : public ::testing::Test {
 protected:
  // Nobody answers where a test has not put a server.
  [[nodiscard]] CredentialOptions Options(Texts variables, Texts files = {}) const {
    return {.environment = EnvironmentOf(std::move(variables), std::move(files)),
            .clock = &clock_,
            .container_origin = "http://127.0.0.1:1",
            .instance_origin = "http://127.0.0.1:1"};
  }

  [[nodiscard]] Result<Credentials> Find(Texts variables, Texts files = {}) const {
    return CredentialChain(Options(std::move(variables), std::move(files))).Get();
  }

  FixedClock clock_{kNowUnixMs};
};

std::string KeysJson(std::string_view id, std::string_view expiration) {
  return fmt::format(R"({{"Code":"Success","AccessKeyId":"{}","SecretAccessKey":"s","Token":"t",)"
                     R"("Expiration":"{}"}})",
                     id, expiration);
}

TEST_F(CredentialsTest, TheEnvironmentIsFirst) {
  const Texts files = {
      {"/h/.aws/credentials", "[default]\naws_access_key_id = file\naws_secret_access_key = s"}};
  Texts variables = {{"HOME", "/h"},
                     {"AWS_ACCESS_KEY_ID", "variable"},
                     {"AWS_SECRET_ACCESS_KEY", "s"},
                     {"AWS_SESSION_TOKEN", "t"}};
  const auto first = Find(variables, files);
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(
      *first,
      (Credentials{.access_key_id = "variable", .secret_access_key = "s", .session_token = "t"}));
  variables.erase("AWS_ACCESS_KEY_ID");
  EXPECT_EQ(Find(variables, files).error().code(), ErrorCode::kAccessDenied);
  variables.erase("AWS_SECRET_ACCESS_KEY");
  EXPECT_EQ(Find(variables, files)->access_key_id, "file");
}

TEST_F(CredentialsTest, SaysWhatOfAProfileIsNotFollowed) {
  for (const std::string setting : {"role_arn = x", "credential_process = x", "sso_session = x"}) {
    const auto found = Find({{"AWS_PROFILE", "p"}}, {{"/.aws/config", "[profile p]\n" + setting}});
    ASSERT_FALSE(found.ok()) << setting;
    EXPECT_NE(found.error().message().find(setting.substr(0, setting.find(' '))),
              std::string::npos);
  }
}

TEST_F(CredentialsTest, NoneAnywhereIsSaid) {
  const auto found = Find({});
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::kAccessDenied);
  EXPECT_NE(found.error().message().find("AWS_ACCESS_KEY_ID"), std::string::npos);
}

TEST_F(CredentialsTest, AContainerIsAskedWithItsToken) {
  FakeServer server(
      [](const Seen&) { return JsonResponse(200, KeysJson("container", "2026-01-02T04:04:05Z")); });
  const auto full = Find({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url() + "/a?b=c"},
                          {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "secret"}});
  ASSERT_TRUE(full.ok()) << full.error().message();
  EXPECT_EQ(*full, (Credentials{.access_key_id = "container",
                                .secret_access_key = "s",
                                .session_token = "t",
                                .expires_unix_ms = kNowUnixMs + kHourMs}));

  const auto by_file = Find({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url()},
                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN", "ignored"},
                             {"AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/token"}},
                            {{"/token", "from file\n"}});
  ASSERT_TRUE(by_file.ok()) << by_file.error().message();

  CredentialOptions options = Options({{"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "/v2/x"}});
  options.container_origin = server.url();
  ASSERT_TRUE(CredentialChain(options).Get().ok());

  const std::vector<Seen> seen = server.seen();
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0].target, "/a?b=c");
  EXPECT_EQ(seen[0].headers.at("authorization"), "secret");
  EXPECT_EQ(seen[1].headers.at("authorization"), "from file");
  EXPECT_EQ(seen[2].target, "/v2/x");
  EXPECT_FALSE(seen[2].headers.contains("authorization"));
}

TEST_F(CredentialsTest, StrangersAreNotAskedForAContainersCredentials) {
  for (const std::string host : {"example.com", "169.254.169.254", "10.0.0.1"}) {
    const auto found = Find({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", "http://" + host + "/"}});
    ASSERT_FALSE(found.ok());
    EXPECT_NE(found.error().message().find("not a host to ask"), std::string::npos)
        << found.error().message();
  }
}

TEST_F(CredentialsTest, AContainerThatFailsIsSaidAndNotPassedOver) {
  int status = 500;
  std::string body;
  FakeServer server([&](const Seen&) { return JsonResponse(status, body); });
  const Texts variables = {{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url()}};
  EXPECT_FALSE(Find(variables).ok());
  status = 200;
  for (const std::string text : {"", "[]", "{}", R"({"AccessKeyId":"a"})"}) {
    body = text;
    const auto found = Find(variables);
    ASSERT_FALSE(found.ok()) << text;
    EXPECT_EQ(found.error().code(), ErrorCode::kAccessDenied);
  }
  Texts two_lines = variables;
  two_lines.emplace("AWS_CONTAINER_AUTHORIZATION_TOKEN", "a\nHost: b");
  EXPECT_FALSE(Find(two_lines).ok());
  Texts no_file = variables;
  no_file.emplace("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE", "/missing");
  EXPECT_FALSE(Find(no_file).ok());
}

http::Response InstanceAnswer(const Seen& seen) {
  if (seen.method == "PUT") return JsonResponse(200, "the token");
  if (seen.headers.at("x-aws-ec2-metadata-token") != "the token") return JsonResponse(401, "");
  if (seen.target.ends_with("/security-credentials/")) return JsonResponse(200, "role\n");
  if (!seen.target.ends_with("/role")) return JsonResponse(404, "");
  return JsonResponse(200, KeysJson("instance", "2026-01-02T04:04:05Z"));
}

TEST_F(CredentialsTest, AnInstanceIsAskedInTheSecondVersion) {
  FakeServer server(InstanceAnswer);
  const auto found = Find({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url() + "/"}});
  ASSERT_TRUE(found.ok()) << found.error().message();
  EXPECT_EQ(found->access_key_id, "instance");
  ASSERT_EQ(server.seen().size(), 3u);
  EXPECT_EQ(server.seen()[0].target, "/latest/api/token");
  EXPECT_EQ(server.seen()[0].headers.at("x-aws-ec2-metadata-token-ttl-seconds"), "21600");

  const auto disabled = Find(
      {{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url()}, {"AWS_EC2_METADATA_DISABLED", "TRUE"}});
  EXPECT_FALSE(disabled.ok());
  EXPECT_EQ(server.seen().size(), 3u);
}

TEST_F(CredentialsTest, AnInstanceWithoutARoleIsSaid) {
  FakeServer server([](const Seen& seen) {
    return seen.method == "PUT" ? JsonResponse(200, "token") : JsonResponse(404, "");
  });
  const auto found = Find({{"AWS_EC2_METADATA_SERVICE_ENDPOINT", server.url()}});
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message().find("no role"), std::string::npos);
}

TEST_F(CredentialsTest, AreFoundAgainBeforeTheyExpire) {
  int count = 0;
  bool fails = false;
  FakeServer server([&](const Seen&) {
    ++count;
    if (fails) return JsonResponse(500, "");
    const std::string expiration = count == 1 ? "2026-01-02T04:04:05Z" : "2026-01-02T05:04:05.123Z";
    return JsonResponse(200, KeysJson(fmt::format("key{}", count), expiration));
  });
  CredentialChain chain(Options({{"AWS_CONTAINER_CREDENTIALS_FULL_URI", server.url()}}));
  EXPECT_EQ(chain.Get()->access_key_id, "key1");
  clock_.Advance(kHourMs - 5 * 60'000 - 1);
  EXPECT_EQ(chain.Get()->access_key_id, "key1");
  EXPECT_EQ(count, 1);

  // While the source fails, the old ones do as long as they hold.
  clock_.Advance(1);
  fails = true;
  EXPECT_EQ(chain.Get()->access_key_id, "key1");
  EXPECT_EQ(count, 2);
  clock_.Advance(5 * 60'000);
  EXPECT_FALSE(chain.Get().ok());

  fails = false;
  EXPECT_EQ(chain.Get()->access_key_id, "key4");
  chain.Forget();
  EXPECT_EQ(chain.Get()->access_key_id, "key5");
}

}  // namespace
}  // namespace trestle::remote
