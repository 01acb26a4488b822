// Server-Sent Events over real sockets: who gets what, what who comes back gets, and the end.

#include "platform/live.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/testing_internal.h"

namespace trestle::platform {
namespace {

using http::testing::Client;

// Gives each request to the hub: "/app/sub/topic", with its Last-Event-ID.
class LiveHandler final : public http::Handler {
 public:
  explicit LiveHandler(LiveHub& hub) : hub_(hub) {}

  void Handle(const http::Request& request, http::Exchange exchange) override {
    std::string path(request.path.substr(1));
    std::ranges::replace(path, '/', ' ');
    std::istringstream words(path);
    LiveSubscription subscription;
    std::string topic;
    words >> subscription.app >> subscription.sub >> topic;
    if (!topic.empty()) subscription.topics.push_back(topic);
    if (const auto last = request.Find("Last-Event-ID")) subscription.last_event_id = *last;
    if (expires_unix_ms > 0) subscription.expires_unix_ms = expires_unix_ms;
    const auto place = hub_.Reserve(std::move(subscription));
    if (!place.ok()) return exchange.Reply(http::Response{.status = 429, .headers = {}});
    hub_.Join(*place, exchange.ReplyInPieces({.content_type = "text/event-stream", .headers = {}}));
  }

  std::atomic<std::int64_t> expires_unix_ms = 0;

 private:
  LiveHub& hub_;
};

class LiveTest : public testing::Test {
 protected:
  LiveTest() { Open({}); }

  void Open(const LiveHub::Options& options) {
    if (server_ != nullptr) server_->Shutdown(0);
    server_.reset();
    hub_ = std::make_unique<LiveHub>(options, clock_);
    handler_ = std::make_unique<LiveHandler>(*hub_);
    server_ = http::testing::StartServer(*handler_, {.stream_bytes_max = 100'000});
  }

  // HTTP/1.0, so that events are not in chunks.
  [[nodiscard]] std::unique_ptr<Client> Listen(std::string_view path,
                                               std::string_view last_event_id = "",
                                               int receive_buffer_bytes = 0) {
    auto client = std::make_unique<Client>(server_->port(), receive_buffer_bytes);
    client->Send(fmt::format("GET {} HTTP/1.0\r\n", path));
    if (!last_event_id.empty()) client->Send(fmt::format("Last-Event-ID: {}\r\n", last_event_id));
    client->Send("\r\n");
    client->ReceiveUntil("\r\n\r\n");
    return client;
  }

  static std::string NextEvent(Client& client) { return client.ReceiveUntil("\n\n"); }

  static std::string EventText(std::uint64_t id, std::string_view type, std::string_view data) {
    return fmt::format("id: {}\nevent: {}\ndata: {}\n\n", id, type, data);
  }

  std::uint64_t Publish(std::string_view audience, std::string_view data,
                        std::string_view app = "notes") {
    return hub_->Publish({.app = app, .audience = audience, .type = "changed", .data = data});
  }

  // Five seconds, after which the test fails anyway.
  [[nodiscard]] bool HasSoon(std::size_t stream_count) {
    const auto start = http::testing::Clock::now();
    while (http::testing::MsSince(start) < 5000) {
      hub_->Beat();
      if (hub_->stream_count() == stream_count) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  FixedClock clock_{1'763'217'000'000};
  std::unique_ptr<LiveHub> hub_;
  std::unique_ptr<LiveHandler> handler_;
  std::unique_ptr<http::Server> server_;
};

TEST_F(LiveTest, TellsEverybodyWhatIsForThem) {
  const auto ann = Listen("/notes/ann/story");
  const auto ben = Listen("/notes/ben/story");
  const auto other_app = Listen("/books/ann");
  EXPECT_EQ(NextEvent(*ann), EventText(1'763'217'000'000'000, "ready", "{}"));
  EXPECT_EQ(NextEvent(*ben), EventText(1'763'217'000'000'000, "ready", "{}"));
  EXPECT_EQ(NextEvent(*other_app), EventText(1'763'217'000'000'000, "ready", "{}"));

  const std::uint64_t first = Publish("ann", R"({"a":1})");
  Publish("carl", "{}");
  const std::uint64_t third = Publish("story", R"({"s":"é"})");
  EXPECT_EQ(first, 1'763'217'000'000'001U);
  EXPECT_EQ(third, first + 2);
  Publish("ann", R"({"b":1})", "books");
  EXPECT_EQ(NextEvent(*ann), EventText(first, "changed", R"({"a":1})"));
  EXPECT_EQ(NextEvent(*ann), EventText(third, "changed", R"({"s":"é"})"));
  EXPECT_EQ(NextEvent(*ben), EventText(third, "changed", R"({"s":"é"})"));
  EXPECT_EQ(NextEvent(*other_app), EventText(first, "changed", R"({"b":1})"));
}

TEST_F(LiveTest, TellsWhoComesBackWhatItMissed) {
  const std::uint64_t seen = Publish("ann", "1");
  const std::uint64_t missed = Publish("ann", "2");
  Publish("ben", "3");
  const std::uint64_t last = Publish("ann", "4");
  const auto ann = Listen("/notes/ann", std::to_string(seen));
  EXPECT_EQ(NextEvent(*ann), EventText(missed, "changed", "2"));
  EXPECT_EQ(NextEvent(*ann), EventText(last, "changed", "4"));
  EXPECT_EQ(NextEvent(*ann), EventText(last, "ready", "{}"));
  const auto again = Listen("/notes/ann", std::to_string(last));
  EXPECT_EQ(NextEvent(*again), EventText(last, "ready", "{}"));
}

TEST_F(LiveTest, TellsWhoHasMissedTooMuch) {
  Open({.kept_events_max = 3});
  const std::uint64_t first = Publish("ann", "1");
  for (int i = 2; i <= 5; ++i)
    Publish("ben", std::to_string(i));
  const auto last = first + 4;
  const auto reset = EventText(last, "reset", "{}");
  EXPECT_EQ(NextEvent(*Listen("/notes/ann", std::to_string(first))), reset);
  // The second is not kept either, but who has seen it has missed nothing.
  EXPECT_EQ(NextEvent(*Listen("/notes/ann", std::to_string(first + 1))),
            EventText(last, "ready", "{}"));
  EXPECT_EQ(NextEvent(*Listen("/notes/ann", std::to_string(last + 1))), reset);
  EXPECT_EQ(NextEvent(*Listen("/notes/ann", "12x")), reset);
  EXPECT_EQ(NextEvent(*Listen("/notes/ann", "99999999999999999999999")), reset);
  // After a restart nobody knows what was missed.
  clock_.Advance(1);
  Open({});
  EXPECT_TRUE(NextEvent(*Listen("/notes/ann", std::to_string(last))).find("event: reset") !=
              std::string::npos);
}

TEST_F(LiveTest, KeepsABoundedNumberOfBytes) {
  Open({.kept_bytes_max = 1000});
  const std::uint64_t first = Publish("ann", std::string(600, '1'));
  Publish("ann", std::string(600, '2'));
  const auto ann = Listen("/notes/ann", std::to_string(first - 1));
  EXPECT_EQ(NextEvent(*ann), EventText(first + 1, "reset", "{}"));
}

TEST_F(LiveTest, LeavesOutDataThatIsTooLong) {
  const auto ann = Listen("/notes/ann");
  NextEvent(*ann);
  const std::uint64_t id = Publish("ann", std::string(50'000, '1'));
  EXPECT_EQ(NextEvent(*ann), EventText(id, "changed", "{}"));
}

TEST_F(LiveTest, WritesAHeartbeatToWhoGotNothing) {
  const auto ann = Listen("/notes/ann");
  const auto ben = Listen("/notes/ben");
  NextEvent(*ann);
  NextEvent(*ben);
  clock_.Advance(20'000);
  const std::uint64_t id = Publish("ben", "1");
  clock_.Advance(5'000);
  hub_->Beat();
  EXPECT_EQ(NextEvent(*ann), ":\n\n");
  EXPECT_EQ(NextEvent(*ben), EventText(id, "changed", "1"));
  clock_.Advance(20'000);
  hub_->Beat();
  EXPECT_EQ(NextEvent(*ben), ":\n\n");
}

TEST_F(LiveTest, LimitsTheStreams) {
  Open({.streams_max = 5, .streams_per_principal_max = 3});
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 3; ++i)
    clients.push_back(Listen("/notes/ann"));
  const auto refused = hub_->Reserve({.app = "books", .sub = "ann"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "3 pages of yours listen already");
  for (int i = 0; i < 2; ++i)
    clients.push_back(Listen("/notes/ben"));
  EXPECT_FALSE(hub_->Reserve({.app = "books", .sub = "carl"}).ok());

  clients[0]->Close();  // and its place is free
  ASSERT_TRUE(HasSoon(4));
  const auto again = Listen("/notes/ann");
  EXPECT_NE(NextEvent(*again).find("ready"), std::string::npos);
}

TEST_F(LiveTest, ForgetsAPlaceThatNobodyTakes) {
  ASSERT_TRUE(hub_->Reserve({.app = "notes", .sub = "ann"}).ok());
  clock_.Advance(60'001);
  hub_->Beat();
  EXPECT_EQ(hub_->stream_count(), 0U);
}

TEST_F(LiveTest, CutsOffAReaderThatIsTooSlow) {
  const auto slow = Listen("/notes/ann", "", 4096);
  const auto quick = Listen("/notes/ben");
  NextEvent(*quick);
  const std::string data(30'000, '1');
  for (int i = 0; i < 1000 && hub_->stream_count() > 1; ++i) {
    Publish("ann", data);
    hub_->Beat();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(hub_->stream_count(), 1U);
  const std::uint64_t id = Publish("ben", "1");
  EXPECT_EQ(NextEvent(*quick), EventText(id, "changed", "1"));
}

TEST_F(LiveTest, EndsWithTheToken) {
  handler_->expires_unix_ms = clock_.NowUnixMs() + 3'600'000;
  const auto ann = Listen("/notes/ann");
  NextEvent(*ann);
  clock_.Advance(3'599'999);
  hub_->Beat();
  EXPECT_EQ(hub_->stream_count(), 1U);
  clock_.Advance(1);
  hub_->Beat();
  EXPECT_EQ(hub_->stream_count(), 0U);
  EXPECT_EQ(ann->ReceiveAll(), ":\n\n");
}

TEST_F(LiveTest, EndsAtTheEnd) {
  const auto ann = Listen("/notes/ann");
  NextEvent(*ann);
  hub_->Stop();
  EXPECT_EQ(ann->ReceiveAll(), "");
  EXPECT_FALSE(hub_->Reserve({.app = "notes", .sub = "ann"}).ok());
}

// Publishers on many threads: each listener sees ids that grow, without a gap.
TEST_F(LiveTest, KeepsTheOrder) {
  const auto ann = Listen("/notes/ann");
  NextEvent(*ann);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([this] {
      for (int i = 0; i < 100; ++i)
        Publish("ann", "{}");
    });
  }
  for (std::uint64_t i = 1; i <= 400; ++i)
    ASSERT_EQ(NextEvent(*ann), EventText(1'763'217'000'000'000 + i, "changed", "{}"));
  for (std::thread& thread : threads)
    thread.join();
}

}  // namespace
}  // namespace trestle::platform
