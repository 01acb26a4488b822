#include "platform/identity/remote_keys.h"

#include <atomic>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/log.h"
#include "http/server.h"

namespace trestle::platform::identity {
namespace {

std::shared_ptr<const RsaPublicKey> NewKey() {
  return std::make_shared<const RsaPublicKey>(RsaPrivateKey::Generate().public_key());
}

// An issuer whose keys and answers the test sets.
class RemoteKeysTest : public ::testing::Test {
 protected:
  RemoteKeysTest() { log::SetLevel(log::Level::kOff); }

  [[nodiscard]] Result<FetchedKeys> Answer() {
    ++asked_;
    if (is_down_) return Error(ErrorCode::kUnavailable, "down");
    return FetchedKeys{.body = body_.empty() ? KeySetText(set_) : body_, .max_age_s = max_age_s_};
  }

  FixedClock clock_{1'800'000'000'000};
  std::shared_ptr<const RsaPublicKey> first_ = NewKey();
  std::shared_ptr<const RsaPublicKey> second_ = NewKey();
  KeySet set_ = {{.id = "first", .key = first_}};
  std::string body_;
  std::optional<std::int64_t> max_age_s_;
  bool is_down_ = false;
  std::atomic<int> asked_ = 0;
  RemoteKeys keys_{[this] { return Answer(); }, clock_};
};

TEST_F(RemoteKeysTest, AsksOnceForManyTokens) {
  for (int i = 0; i < 100; ++i)
    EXPECT_NE(keys_.Find("first"), nullptr);
  EXPECT_EQ(asked_, 1);
}

TEST_F(RemoteKeysTest, AsksAgainAfterAnHourUnlessTheIssuerSaysOtherwise) {
  (void)keys_.Find("first");
  clock_.Advance(59 * 60 * 1000);
  (void)keys_.Find("first");
  EXPECT_EQ(asked_, 1);
  clock_.Advance(60 * 1000);
  max_age_s_ = 120;
  (void)keys_.Find("first");
  EXPECT_EQ(asked_, 2);
  clock_.Advance(121 * 1000);
  (void)keys_.Find("first");
  EXPECT_EQ(asked_, 3);
}

TEST_F(RemoteKeysTest, AsksForAnUnknownKeyAtMostOnceAMinute) {
  (void)keys_.Find("first");
  set_.push_back({.id = "second", .key = second_});
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(keys_.Find(fmt::format("made up {}", i)), nullptr);
  EXPECT_EQ(keys_.Find("second"), nullptr);
  EXPECT_EQ(asked_, 1);
  clock_.Advance(60 * 1000);
  EXPECT_NE(keys_.Find("second"), nullptr);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(keys_.Find(fmt::format("made up {}", i)), nullptr);
  EXPECT_EQ(asked_, 2);
}

TEST_F(RemoteKeysTest, KeepsTheLastKeysWhileTheIssuerIsDown) {
  const auto known = keys_.Find("first");
  is_down_ = true;
  clock_.Advance(2LL * 60 * 60 * 1000);
  EXPECT_EQ(keys_.Find("first"), known);
  EXPECT_EQ(keys_.Find("first"), known);
  EXPECT_EQ(asked_, 2);
  is_down_ = false;
  body_ = "<html>";
  clock_.Advance(60 * 1000);
  EXPECT_EQ(keys_.Find("first"), known);
  EXPECT_EQ(asked_, 3);
}

TEST_F(RemoteKeysTest, ForgetsAKeyThatTheIssuerHasNoMore) {
  const auto known = keys_.Find("first");
  set_.push_back({.id = "second", .key = second_});
  clock_.Advance(60 * 60 * 1000);
  EXPECT_EQ(keys_.Find("first"), known);
  set_.erase(set_.begin());
  clock_.Advance(60 * 60 * 1000);
  EXPECT_EQ(keys_.Find("first"), nullptr);
  set_.front() = {.id = "first", .key = second_};
  clock_.Advance(60 * 60 * 1000);
  EXPECT_NE(keys_.Find("first"), nullptr);
  EXPECT_NE(keys_.Find("first"), known);
}

TEST_F(RemoteKeysTest, NoticesAnotherKeyOfTheSameName) {
  ASSERT_NE(keys_.Find("first"), nullptr);
  set_.front().key = second_;
  clock_.Advance(60 * 60 * 1000);
  const auto now = keys_.Find("first");
  ASSERT_NE(now, nullptr);
  EXPECT_EQ(now->numbers(), second_->numbers());
}

TEST_F(RemoteKeysTest, ComesUpWhenTheIssuerDoes) {
  is_down_ = true;
  EXPECT_EQ(keys_.Find("first"), nullptr);
  is_down_ = false;
  EXPECT_EQ(keys_.Find("first"), nullptr);
  clock_.Advance(60 * 1000);
  EXPECT_NE(keys_.Find("first"), nullptr);
}

TEST_F(RemoteKeysTest, OneAsksWhileOthersGoOn) {
  (void)keys_.Find("first");
  std::promise<void> entered;
  std::promise<void> gate;
  std::atomic<int> asked = 0;
  RemoteKeys keys(
      [&]() -> Result<FetchedKeys> {
        if (asked++ == 1) {
          entered.set_value();
          gate.get_future().wait();
        }
        return Answer();
      },
      clock_);
  ASSERT_NE(keys.Find("first"), nullptr);
  clock_.Advance(2LL * 60 * 60 * 1000);
  std::thread slow([&] { EXPECT_NE(keys.Find("first"), nullptr); });
  entered.get_future().wait();
  EXPECT_NE(keys.Find("first"), nullptr);  // does not wait
  gate.set_value();
  slow.join();
  EXPECT_EQ(asked, 2);
}

// An issuer on a real socket.
class KeyServer final : public http::Handler {
 public:
  void Handle(const http::Request& request, http::Exchange exchange) override {
    http::Response response{.status = request.path == "/keys" ? 200 : 404,
                            .content_type = "application/json",
                            .body = text_,
                            .headers = {{"Cache-Control", "public, max-age=77, immutable"}}};
    exchange.Reply(std::move(response));
  }
  [[nodiscard]] http::Response Refusal(int status) const override {
    return {.status = status, .content_type = "", .body = "", .headers = {}};
  }

 private:
  std::string text_ = KeySetText({{.id = "first", .key = NewKey()}});
};

TEST(FetchKeysFrom, AsksAServer) {
  KeyServer handler;
  auto server =
      http::Server::Start({.bind_address = "127.0.0.1", .port = 0, .loop_count = 1}, handler);
  ASSERT_TRUE(server.ok());
  const std::string base = fmt::format("http://127.0.0.1:{}", (*server)->port());
  const auto fetch = FetchKeysFrom(base + "/keys", nullptr);
  ASSERT_TRUE(fetch.ok());
  const auto fetched = (*fetch)();
  ASSERT_TRUE(fetched.ok()) << fetched.error().message();
  EXPECT_EQ(fetched->max_age_s, 77);
  EXPECT_TRUE(ParseKeySet(fetched->body).ok());
  const auto missing = FetchKeysFrom(base + "/nothing", nullptr);
  ASSERT_TRUE(missing.ok());
  EXPECT_FALSE((*missing)().ok());
}

TEST(FetchKeysFrom, WantsHttps) {
  EXPECT_FALSE(FetchKeysFrom("http://example.com/keys", nullptr).ok());
  EXPECT_FALSE(FetchKeysFrom("ftp://example.com/keys", nullptr).ok());
  EXPECT_FALSE(FetchKeysFrom("keys", nullptr).ok());
  const auto tls = TlsClientContext::Open("");
  ASSERT_TRUE(tls.ok());
  EXPECT_TRUE(FetchKeysFrom("https://example.com/keys", tls->get()).ok());
}

}  // namespace
}  // namespace trestle::platform::identity
