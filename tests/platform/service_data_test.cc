// The web port over real sockets, with an app that has data: requests that are sent again, jobs,
// live updates and limits.

#include <atomic>
#include <map>
#include <regex>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "base/log.h"
#include "http/testing_internal.h"
#include "platform/items.h"
#include "platform/jobs.h"
#include "platform/live.h"
#include "platform/platform_fixture.h"
#include "platform/service.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

Status PostLetter(Call& call, json::Writer& reply) {
  const design::Record attributes = TRY(NewItem(call, "DeadLetter"));
  const design::TypedItem created = TRY(CreateItem(call, "DeadLetter", attributes));
  return ReplyCreated(call, created, "/letters/" + TextOf(created.record, "sequence"), reply);
}

// Two writes, of which the second fails.
Status PostHalf(Call& call, json::Writer& /*reply*/) {
  const design::Record attributes = TRY(NewItem(call, "DeadLetter"));
  TRY(CreateItem(call, "DeadLetter", attributes));
  TRY(CreateItem(call, "DeadLetter", attributes));
  return Ok();
}

Status PostWork(Call& call, json::Writer& reply) {
  design::Record input;
  input.SetText("word", "hello");
  return ReplyJob(call, "work", std::move(input), reply);
}

Status PostPublic(Call& call, json::Writer& /*reply*/) {
  TRY(call.TakePublicWrite());
  return ReplyNothing(call);
}

Status ShowTopic(Call& call, json::Writer& /*reply*/) {
  call.SubscribeTo({call.PathValue("topic")});
  return Ok();
}

constexpr Route kRoutes[] = {
    {.method = "POST", .path = "/letters", .handle = PostLetter},
    {.method = "POST", .path = "/open", .access = Access::kPublic, .handle = PostLetter},
    {.method = "POST", .path = "/half", .handle = PostHalf},
    {.method = "POST", .path = "/work", .handle = PostWork},
    {.method = "POST", .path = "/public", .handle = PostPublic},
    {.method = "GET",
     .path = "/live/{topic}",
     .access = Access::kPublic,
     .handle = ShowTopic,
     .gives = kEventStream},
    kJobRoute,
    kLiveRoute,
};

struct Answer {
  int status = 0;
  std::map<std::string, std::string> headers;
  std::string body;
};

constexpr RateLimit kFewRequests = {.count = 1, .period_ms = 1000, .burst = 200};
constexpr RateLimit kFewWrites = {.count = 60, .period_ms = 3'600'000, .burst = 3};

class ServiceDataTest : public testing::PlatformFixture {
 protected:
  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    PlatformFixture::SetUp();
    cursors_ = std::make_unique<CursorSealer>(SecureRandomBytes(kSealKeyBytes), clock());
    jobs_ = std::make_unique<Jobs>(Jobs::Options{.runtime = &runtime(), .clock = &clock()});
    jobs_->Register("test", "work", [this](JobState& job) -> Result<JobStep> {
      while (is_held_)
        std::this_thread::yield();
      job.result.SetText("said", TextOf(job.input, "word"));
      return JobStep::kEnd;
    });
    ASSERT_TRUE(jobs_->Open().ok());
    live_ = std::make_unique<LiveHub>(LiveHub::Options{.streams_per_principal_max = 2}, clock());
    once_ = std::make_unique<Idempotency>(
        Idempotency::Options{.runtime = &runtime(), .clock = &clock()});
    writes_ = std::make_unique<RateLimiter>(kFewWrites, clock());
    shared_ = {.clock = &clock(),
               .cursors = cursors_.get(),
               .jobs = jobs_.get(),
               .live = live_.get(),
               .idempotency = once_.get(),
               .public_writes = writes_.get()};
    service_ = std::make_unique<Service>(ServiceOptions{
        .mounts = {{.app = &app_, .runtime = &runtime(), .shared = &shared_}},
        .clock = &clock(),
        .random = &random(),
        .identify = [this](const http::Request& request) { return Identify(request); },
        .request_limit = kFewRequests});
    server_ = http::testing::StartServer(*service_, {.loop_count = 2});
  }
  void TearDown() override {
    is_held_ = false;
    server_->Shutdown(1000);
    service_->Stop();
    jobs_->Stop();
  }

  [[nodiscard]] Result<std::optional<Principal>> Identify(const http::Request& request) const {
    const auto name = request.Find("Authorization");
    if (!name) return std::optional<Principal>();
    if (*name == "bad") return Error(ErrorCode::kAccessDenied, "a bad token");
    return std::optional(
        Principal{.sub = std::string(*name), .expires_unix_s = clock().NowUnixMs() / 1000 + 3600});
  }

  [[nodiscard]] Answer Ask(std::string_view method, std::string_view path,
                           std::string_view headers = "", std::string_view body = "") const {
    http::testing::Client client(server_->port());
    client.Send(
        fmt::format("{} /api/test/v1{} HTTP/1.1\r\nHost: localhost\r\n"
                    "Connection: close\r\nContent-Type: application/json\r\n"
                    "Content-Length: {}\r\n{}\r\n{}",
                    method, path, body.size(), headers, body));
    const std::string text = client.ReceiveAll();
    Answer answer;
    const std::size_t end = text.find("\r\n\r\n");
    if (end == std::string::npos) return answer;
    answer.status = std::stoi(text.substr(9, 3));
    answer.body = text.substr(end + 4);
    const std::regex line("\r\n([^:\r]+): ([^\r]*)");
    const std::string head = text.substr(0, end);
    for (std::sregex_iterator it(head.begin(), head.end(), line), none; it != none; ++it)
      answer.headers[(*it)[1]] = (*it)[2];
    return answer;
  }

  [[nodiscard]] static std::string Letter(std::string_view sequence) {
    return fmt::format(R"({{"app":"a","consumer":"c","sequence":"{}","record":"r","error":"e"}})",
                       sequence);
  }

  [[nodiscard]] std::size_t LetterCount() {
    std::size_t count = 0;
    for (const std::string& key : Keys())
      count += key.starts_with("DEAD#") ? 1 : 0;
    return count;
  }

  const App app_ = {.name = "test", .title = "A test", .routes = kRoutes};
  std::atomic<bool> is_held_ = false;
  std::unique_ptr<CursorSealer> cursors_;
  std::unique_ptr<Jobs> jobs_;
  std::unique_ptr<LiveHub> live_;
  std::unique_ptr<Idempotency> once_;
  std::unique_ptr<RateLimiter> writes_;
  Shared shared_;
  std::unique_ptr<Service> service_;
  std::unique_ptr<http::Server> server_;
};
TRESTLE_ON_EVERY_BACKEND(ServiceDataTest);

constexpr std::string_view kAnn = "Authorization: ann\r\n";
constexpr std::string_view kAnnOnce = "Authorization: ann\r\nIdempotency-Key: k1\r\n";

TEST_P(ServiceDataTest, AnswersTheSameToTheSameRequest) {
  const Answer first = Ask("POST", "/letters", kAnnOnce, Letter("1"));
  EXPECT_EQ(first.status, 201) << first.body;
  EXPECT_EQ(first.headers.count("Idempotent-Replayed"), 0U);
  const Answer second = Ask("POST", "/letters", kAnnOnce, Letter("1"));
  EXPECT_EQ(second.status, 201);
  EXPECT_EQ(second.body, first.body);
  EXPECT_EQ(second.headers.at("Idempotent-Replayed"), "true");
  for (const std::string name : {"Location", "ETag", "Content-Type"})
    EXPECT_EQ(second.headers.at(name), first.headers.at(name));
  EXPECT_NE(second.headers.at("X-Request-Id"), first.headers.at("X-Request-Id"));
  EXPECT_EQ(LetterCount(), 1U);

  EXPECT_EQ(Ask("POST", "/letters", kAnnOnce, Letter("2")).status, 422);
  EXPECT_EQ(Ask("POST", "/letters?x=1", kAnnOnce, Letter("1")).status, 422);
  // Without a key, and for somebody else, it is another request.
  EXPECT_EQ(Ask("POST", "/letters", kAnn, Letter("1")).status, 409);
  EXPECT_EQ(
      Ask("POST", "/letters", "Authorization: ben\r\nIdempotency-Key: k1\r\n", Letter("1")).status,
      409);
  EXPECT_EQ(
      Ask("POST", "/letters", "Authorization: ann\r\nIdempotency-Key: a b\r\n", Letter("3")).status,
      400);
  // Who has not signed in has no keys.
  EXPECT_EQ(Ask("POST", "/open", "Idempotency-Key: a b\r\n", Letter("3")).status, 201);
  EXPECT_EQ(LetterCount(), 2U);
}

TEST_P(ServiceDataTest, LetsARefusedRequestBeSentAgain) {
  EXPECT_EQ(Ask("POST", "/letters", kAnnOnce, "{}").status, 400);
  const Answer later = Ask("POST", "/letters", kAnnOnce, Letter("1"));
  EXPECT_EQ(later.status, 201) << later.body;
}

TEST_P(ServiceDataTest, RemembersAnErrorBehindTheFirstEffect) {
  EXPECT_EQ(Ask("POST", "/half", kAnnOnce, Letter("1")).status, 409);
  EXPECT_EQ(LetterCount(), 1U);
  const Answer again = Ask("POST", "/half", kAnnOnce, Letter("1"));
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.headers.at("Idempotent-Replayed"), "true");
  EXPECT_EQ(again.headers.at("Content-Type"), "application/problem+json");
}

TEST_P(ServiceDataTest, HasOneEffectOfAHundredRequestsAtOnce) {
  std::vector<std::thread> threads;
  std::atomic<int> created = 0;
  std::atomic<int> replayed = 0;
  threads.reserve(100);
  for (int i = 0; i < 100; ++i) {
    threads.emplace_back([&] {
      const Answer answer = Ask("POST", "/letters", kAnnOnce, Letter("1"));
      EXPECT_EQ(answer.status, 201) << answer.body;
      ++(answer.headers.contains("Idempotent-Replayed") ? replayed : created);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(created, 1);
  EXPECT_EQ(replayed, 99);
  EXPECT_EQ(LetterCount(), 1U);
}

TEST_P(ServiceDataTest, StartsJobsAndShowsThemToTheirOwner) {
  is_held_ = true;
  const Answer started = Ask("POST", "/work", kAnnOnce);
  ASSERT_EQ(started.status, 202) << started.body;
  const std::string location = started.headers.at("Location");
  ASSERT_TRUE(location.starts_with("/api/test/v1/jobs/")) << location;
  EXPECT_NE(started.body.find("\"kind\":\"work\""), std::string::npos) << started.body;
  EXPECT_EQ(started.body.find("\"sub\""), std::string::npos) << started.body;
  EXPECT_EQ(Ask("POST", "/work", kAnnOnce).headers.at("Location"), location);

  const std::string path = location.substr(std::string_view("/api/test/v1").size());
  EXPECT_EQ(Ask("GET", path, "Authorization: ben\r\n").status, 404);
  EXPECT_EQ(Ask("GET", path).status, 401);
  EXPECT_EQ(Ask("GET", "/jobs/none", kAnn).status, 404);
  EXPECT_EQ(Ask("GET", "/jobs/no%20id", kAnn).status, 404);
  is_held_ = false;
  ASSERT_TRUE(Eventually(
      [&] { return Ask("GET", path, kAnn).body.find(R"("state":"DONE")") != std::string::npos; }));
  const std::string body = Ask("GET", path, kAnn).body;
  EXPECT_NE(body.find(R"("result":{"said":"hello"})"), std::string::npos) << body;
}

TEST_P(ServiceDataTest, WaitsForAJobWhenAsked) {
  const Answer waited = Ask("POST", "/work", "Authorization: ann\r\nPrefer: a, wait=20\r\n");
  EXPECT_EQ(waited.status, 200) << waited.body;
  EXPECT_EQ(waited.headers.at("Preference-Applied"), "wait=20");
  EXPECT_NE(waited.body.find(R"("state":"DONE")"), std::string::npos) << waited.body;
  is_held_ = true;
  EXPECT_EQ(Ask("POST", "/work", "Authorization: ann\r\nPrefer: wait=0\r\n").status, 202);
  EXPECT_EQ(Ask("POST", "/work", "Authorization: ann\r\nPrefer: wait=x\r\n").status, 202);
}

TEST_P(ServiceDataTest, StreamsWhatHappens) {
  http::testing::Client ann(server_->port());
  ann.Send(
      "GET /api/test/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: ann\r\n"
      "Accept: text/event-stream\r\n\r\n");
  const std::string head = ann.ReceiveUntil("\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
  EXPECT_NE(head.find("Content-Type: text/event-stream\r\n"), std::string::npos) << head;
  EXPECT_NE(head.find("X-Request-Id: "), std::string::npos) << head;
  EXPECT_NE(ann.ReceiveUntil("\n\n").find("event: ready"), std::string::npos);
  http::testing::Client anybody(server_->port());
  anybody.Send("GET /api/test/v1/live/news HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_NE(anybody.ReceiveUntil("event: ready").find("200 OK"), std::string::npos);

  live_->Publish({.app = "test", .audience = "ann", .type = "note", .data = "1"});
  const auto id = live_->Publish({.app = "test", .audience = "news", .type = "note", .data = "2"});
  EXPECT_NE(ann.ReceiveUntil("data: 1\n\n").find("event: note"), std::string::npos);
  EXPECT_NE(anybody.ReceiveUntil("data: 2\n\n").find(fmt::format("id: {}\n", id)),
            std::string::npos);
  EXPECT_EQ(Ask("GET", "/live").status, 401);
  EXPECT_EQ(Ask("HEAD", "/live", kAnn).status, 200);
}

TEST_P(ServiceDataTest, RefusesMoreStreamsThanOnePersonNeeds) {
  std::vector<std::unique_ptr<http::testing::Client>> clients;
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<http::testing::Client>(server_->port()));
    clients.back()->Send(
        "GET /api/test/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: ann\r\n\r\n");
    clients.back()->ReceiveUntil("ready");
  }
  const Answer refused = Ask("GET", "/live", kAnn);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.at("Retry-After"), "30");
  if (has_fixed_clock()) {
    Advance(3'600'000);  // the tokens expire, and their streams end
    for (const auto& client : clients)
      EXPECT_TRUE(client->ReceiveUntil("\r\n0\r\n\r\n").ends_with("\r\n0\r\n\r\n"));
  }
}

TEST_P(ServiceDataTest, LimitsRequestsByClient) {
  if (!has_fixed_clock()) GTEST_SKIP();
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(Ask("GET", "/jobs/none", kAnn).status, 404) << i;
  const Answer refused = Ask("GET", "/jobs/none", kAnn);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.at("Retry-After"), "1");
  EXPECT_NE(refused.body.find(R"("code":"rate-limited")"), std::string::npos) << refused.body;
  EXPECT_EQ(Ask("GET", "/jobs/none", "Authorization: ben\r\n").status, 404);
  // Bad tokens count for the address.
  for (int i = 0; i < 200; ++i)
    ASSERT_EQ(Ask("GET", "/jobs/none", "Authorization: bad\r\n").status, 403) << i;
  EXPECT_EQ(Ask("GET", "/jobs/none", "Authorization: bad\r\n").status, 429);
  EXPECT_EQ(Ask("GET", "/jobs/none").status, 429);
  Advance(1000);
  EXPECT_EQ(Ask("GET", "/jobs/none", kAnn).status, 404);
}

TEST_P(ServiceDataTest, LimitsWhatIsWrittenForEverybody) {
  if (!has_fixed_clock()) GTEST_SKIP();
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(Ask("POST", "/public", kAnn).status, 204);
  const Answer refused = Ask("POST", "/public", kAnn);
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.headers.at("Retry-After"), "60");
  EXPECT_EQ(Ask("POST", "/public", "Authorization: ben\r\n").status, 204);
}

// Open streams neither delay the end nor outlive it.
TEST_P(ServiceDataTest, EndsWithOpenStreams) {
  http::testing::Client ann(server_->port());
  ann.Send("GET /api/test/v1/live HTTP/1.1\r\nHost: localhost\r\nAuthorization: ann\r\n\r\n");
  ann.ReceiveUntil("ready");
  std::thread reader([&] {
    EXPECT_TRUE(ann.ReceiveAll().ends_with("\r\n0\r\n\r\n"));
    ann.Close();
  });
  const auto start = http::testing::Clock::now();
  server_->Shutdown(10'000);
  EXPECT_LT(http::testing::MsSince(start), 2000);
  reader.join();
}

}  // namespace
}  // namespace trestle::platform
