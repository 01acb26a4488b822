// Requests that are sent again, on every back end: one effect, and the same answer.

#include "platform/idempotency.h"

#include <atomic>
#include <thread>

#include <gtest/gtest.h>

#include "platform/platform_fixture.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

using design::testing::RecordOf;

class IdempotencyTest : public testing::PlatformFixture {
 protected:
  void SetUp() override {
    PlatformFixture::SetUp();
    requests_ = std::make_unique<Idempotency>(Idempotency::Options{
        .runtime = &runtime(), .clock = &clock(), .wait = std::chrono::milliseconds(50)});
  }

  [[nodiscard]] Result<Idempotency::Begun> Begin(std::string_view key,
                                                 std::string_view fingerprint = "f1") {
    return requests_->Begin({.sub = "ann", .key = key, .fingerprint = fingerprint});
  }
  [[nodiscard]] Idempotency::Running MustRun(std::string_view key) {
    auto begun = Begin(key);
    EXPECT_TRUE(begun.ok() && std::holds_alternative<Idempotency::Running>(*begun));
    return std::get<Idempotency::Running>(*std::move(begun));
  }
  [[nodiscard]] StoredAnswer MustReplay(std::string_view key) {
    const auto begun = Begin(key);
    EXPECT_TRUE(begun.ok() && std::holds_alternative<StoredAnswer>(*begun));
    return std::get<StoredAnswer>(*begun);
  }
  [[nodiscard]] std::string Refusal(std::string_view key, std::string_view fingerprint) {
    const auto begun = Begin(key, fingerprint);
    return begun.ok() ? "ok" : std::string(ToProblem(begun.error()).kind->code);
  }

  // An effect, as any handler has: the record goes with it.
  void HaveEffect(Idempotency::Running& running, std::string_view sequence,
                  const std::vector<std::pair<std::string, std::string>>& headers = {}) {
    auto record = running.ToWrite(headers);
    ASSERT_TRUE(record.ok()) << record.error().message();
    const auto created = TryEffect(sequence, *std::move(record));
    EXPECT_TRUE(created.ok()) << created.error().message();
  }
  Result<design::TypedItem> TryEffect(std::string_view sequence,
                                      std::vector<design::WriteItem> record) {
    design::Record attributes =
        RecordOf(R"({app: "notes", consumer: "c", record: "r", error: "e"})");
    attributes.SetText("sequence", sequence);
    return runtime().Create(entity("DeadLetter"), attributes, {.together_with = std::move(record)});
  }

  std::unique_ptr<Idempotency> requests_;
};
TRESTLE_ON_EVERY_BACKEND(IdempotencyTest);

TEST_P(IdempotencyTest, AnswersAgainWhatItHasAnswered) {
  {
    auto running = MustRun("k/1#\"!");
    HaveEffect(running, "1");
    ASSERT_TRUE(running
                    .Finish({.status = 201,
                             .headers = {{"Location", "/a"},
                                         {"Link", "1"},
                                         {"Link", "2"},
                                         {"Set-Cookie", "secret"}},
                             .body = R"({"é":1})"})
                    .ok());
  }
  const StoredAnswer again = MustReplay("k/1#\"!");
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, R"({"é":1})");
  EXPECT_EQ(again.headers, (std::vector<std::pair<std::string, std::string>>{
                               {"Location", "/a"}, {"Link", "1"}, {"Link", "2"}}));
  EXPECT_EQ(Refusal("k/1#\"!", "f2"), "idempotency-key-reused");
  // Another's key is another key.
  EXPECT_TRUE(std::holds_alternative<Idempotency::Running>(
      *requests_->Begin({.sub = "ben", .key = "k/1#\"!", .fingerprint = "f2"})));
}

TEST_P(IdempotencyTest, RefusesKeysThatCannotBeSent) {
  EXPECT_EQ(Refusal("", "f"), "validation");
  EXPECT_EQ(Refusal("a b", "f"), "validation");
  EXPECT_EQ(Refusal("é", "f"), "validation");
  EXPECT_EQ(Refusal(std::string(129, 'k'), "f"), "validation");
  EXPECT_EQ(Refusal(std::string(128, 'k'), "f"), "ok");
}

// The record and the effect are one transaction: whoever is second has no effect.
TEST_P(IdempotencyTest, KeepsTheRecordWithTheEffect) {
  auto running = MustRun("k");
  const auto record = running.ToWrite({});
  ASSERT_TRUE(record.ok());
  ASSERT_TRUE(TryEffect("1", *record).ok());
  EXPECT_FALSE(TryEffect("2", *record).ok());
  EXPECT_EQ(At("DeadLetter", R"({app: "notes", consumer: "c", sequence: "2"})", "error"),
            "no item");
}

// As after a crash: the effect is there, the answer is not.
TEST_P(IdempotencyTest, KnowsARequestWhoseAnswerWasLost) {
  {
    auto running = MustRun("k");
    HaveEffect(running, "1", {{"ETag", "\"1\""}, {"Location", "/a"}});
  }
  const StoredAnswer again = MustReplay("k");
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(again.headers, (std::vector<std::pair<std::string, std::string>>{{"Location", "/a"}}));
}

TEST_P(IdempotencyTest, LetsARequestRunAgainThatHadNoEffect) {
  {
    auto running = MustRun("k");
    ASSERT_TRUE(running.ToWrite({}).ok());  // and the write failed
    ASSERT_TRUE(running.Finish({.status = 409}).ok());
  }
  { auto never_finished = MustRun("k"); }
  {
    auto running = MustRun("k");
    HaveEffect(running, "1");
    ASSERT_TRUE(running.Finish({.status = 503, .body = "half done"}).ok());
  }
  EXPECT_EQ(MustReplay("k").status, 503);
}

TEST_P(IdempotencyTest, KeepsAnswersOfRequestsThatWroteNothing) {
  {
    auto running = MustRun("k");
    ASSERT_TRUE(running.Finish({.status = 204}).ok());
  }
  EXPECT_EQ(MustReplay("k").status, 204);
}

TEST_P(IdempotencyTest, KeepsOnlyThePlaceOfLongAnswers) {
  {
    auto running = MustRun("k");
    HaveEffect(running, "1");
    ASSERT_TRUE(running
                    .Finish({.status = 201,
                             .headers = {{"Location", "/a"}, {"ETag", "\"1\""}},
                             .body = std::string(65'537, 'x')})
                    .ok());
  }
  const StoredAnswer again = MustReplay("k");
  EXPECT_EQ(again.status, 201);
  EXPECT_EQ(again.body, "");
  EXPECT_EQ(again.headers, (std::vector<std::pair<std::string, std::string>>{{"Location", "/a"}}));
  {
    auto running = MustRun("k2");
    ASSERT_TRUE(running.Finish({.status = 200, .body = std::string(65'536, 'x')}).ok());
  }
  EXPECT_EQ(MustReplay("k2").body.size(), 65'536U);
}

TEST_P(IdempotencyTest, WaitsForARequestThatRuns) {
  auto running = std::make_unique<Idempotency::Running>(MustRun("k"));
  EXPECT_EQ(Refusal("k", "f1"), "in-progress");
  ASSERT_TRUE(running->Finish({.status = 200, .body = "1"}).ok());
  std::thread ends([&] { running.reset(); });
  EXPECT_EQ(MustReplay("k").body, "1");
  ends.join();
}

TEST_P(IdempotencyTest, ForgetsAfterADay) {
  if (!has_fixed_clock()) GTEST_SKIP();
  {
    auto running = MustRun("k");
    ASSERT_TRUE(running.Finish({.status = 200}).ok());
  }
  Advance(24 * 3'600'000 - 2000);
  static_cast<void>(MustReplay("k"));
  Advance(2000);
  static_cast<void>(MustRun("k"));
}

TEST_P(IdempotencyTest, HasOneEffectOfAHundredRequests) {
  requests_ =
      std::make_unique<Idempotency>(Idempotency::Options{.runtime = &runtime(), .clock = &clock()});
  std::atomic<int> effects = 0;
  std::atomic<int> replays = 0;
  std::vector<std::thread> threads;
  threads.reserve(100);
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([&, i] {
      auto begun = Begin("k");
      ASSERT_TRUE(begun.ok()) << begun.error().message();
      if (const auto* answer = std::get_if<StoredAnswer>(&*begun)) {
        EXPECT_EQ(answer->status, 201);
        ++replays;
        return;
      }
      auto running = std::get<Idempotency::Running>(*std::move(begun));
      HaveEffect(running, std::to_string(i));
      ++effects;
      ASSERT_TRUE(running.Finish({.status = 201}).ok());
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(effects, 1);
  EXPECT_EQ(replays, 99);
}

TEST(Fingerprint, TellsRequestsApart) {
  const auto of = [](std::string_view method, std::string_view path, std::string_view query,
                     std::string_view body) {
    http::Request request;
    request.method = method;
    request.path = path;
    request.query = query;
    request.body = body;
    return FingerprintOf(request);
  };
  EXPECT_EQ(of("POST", "/a", "b", "c"), of("POST", "/a", "b", "c"));
  EXPECT_NE(of("POST", "/a", "b", "c"), of("PUT", "/a", "b", "c"));
  EXPECT_NE(of("POST", "/a", "b", "c"), of("POST", "/ab", "", "c"));
  EXPECT_NE(of("POST", "/a", "b", "c"), of("POST", "/a", "bc", ""));
  EXPECT_EQ(of("POST", "/a", "b", "c").size(), 64U);
}

}  // namespace
}  // namespace trestle::platform
