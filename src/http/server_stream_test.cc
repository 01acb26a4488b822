// Answers in pieces over real sockets: framing, order, slow and lost readers, time, the end.

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/server.h"
#include "http/testing_internal.h"

namespace trestle::http {
namespace {

using testing::Client;
using testing::Clock;
using testing::MsSince;
using testing::StartServer;
using testing::StatusOf;

constexpr std::string_view kGet = "GET /pieces HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view kGetOther = "GET /other HTTP/1.1\r\nHost: x\r\n\r\n";

// Answers /pieces in pieces that the test writes, and everything else with "other".
class PiecesHandler final : public Handler {
 public:
  void Handle(const Request& request, Exchange exchange) override {
    if (request.path != "/pieces") {
      return exchange.Reply(Response{.body = "other", .headers = {}});
    }
    Stream stream = exchange.ReplyInPieces(
        {.content_type = "text/event-stream", .body = "first", .headers = {{"X-A", "b"}}});
    const std::lock_guard lock(mutex_);
    streams_.push_back(std::move(stream));
    changed_.notify_all();
  }

  Stream Take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [this] { return !streams_.empty(); });
    CHECK(!streams_.empty(), "no request came");
    Stream first = std::move(streams_.front());
    streams_.erase(streams_.begin());
    return first;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Stream> streams_;
};

// Five seconds, after which the test fails anyway.
bool IsClosedSoon(const Stream& stream) {
  const auto start = Clock::now();
  while (stream.is_open() && MsSince(start) < 5000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  return !stream.is_open();
}

TEST(ServerStream, SendsPiecesAsChunksAndGoesOn) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send(std::string(kGet) + std::string(kGetOther));  // the second waits for the first
  const std::string head = client.ReceiveUntil("\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\n")) << head;
  EXPECT_NE(head.find("Transfer-Encoding: chunked\r\n"), std::string::npos) << head;
  EXPECT_NE(head.find("X-A: b\r\n"), std::string::npos) << head;
  EXPECT_EQ(head.find("Content-Length"), std::string::npos) << head;
  EXPECT_EQ(client.ReceiveUntil("first\r\n"), "5\r\nfirst\r\n");

  Stream stream = handler.Take();
  EXPECT_TRUE(stream.is_open());
  EXPECT_TRUE(stream.Write("a second piece"));
  EXPECT_EQ(client.ReceiveUntil("piece\r\n"), "e\r\na second piece\r\n");
  EXPECT_TRUE(stream.Write(""));  // which is not the end
  EXPECT_TRUE(stream.Write("bye"));
  stream.End();
  EXPECT_FALSE(stream.is_open());
  EXPECT_FALSE(stream.Write("more"));
  EXPECT_EQ(client.ReceiveUntil("0\r\n\r\n"), "3\r\nbye\r\n0\r\n\r\n");
  EXPECT_TRUE(client.Receive().ends_with("\r\n\r\nother"));
  EXPECT_TRUE(client.Ask(kGetOther).ends_with("\r\n\r\nother"));
}

TEST(ServerStream, SendsUntilTheEndOfAnOldConnection) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("GET /pieces HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  {
    Stream stream = handler.Take();
    stream.Write(" second");
  }  // a stream that is dropped has ended
  const std::string response = client.ReceiveAll();
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos) << response;
  EXPECT_EQ(response.find("Transfer-Encoding"), std::string::npos) << response;
  EXPECT_TRUE(response.ends_with("\r\n\r\nfirst second")) << response;
}

TEST(ServerStream, ClosesAfterwardsWhenAsked) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("GET /pieces HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  handler.Take().End();
  const std::string response = client.ReceiveAll();
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos) << response;
  EXPECT_TRUE(response.ends_with("\r\n\r\n5\r\nfirst\r\n0\r\n\r\n")) << response;
}

TEST(ServerStream, AnswersHeadWithoutPieces) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("HEAD /pieces HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(StatusOf(client.Receive(/*has_body=*/false)), 200);
  Stream stream = handler.Take();
  EXPECT_FALSE(stream.is_open());
  EXPECT_FALSE(stream.Write("x"));
  EXPECT_TRUE(client.Ask(kGetOther).ends_with("\r\n\r\nother"));
}

// What many threads write arrives whole, and what each wrote in its order.
TEST(ServerStream, TakesPiecesFromManyThreads) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("GET /pieces HTTP/1.0\r\n\r\n");
  Stream stream = handler.Take();
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer) {
    writers.emplace_back([&stream, writer] {
      for (int i = 0; i < 500; ++i)
        stream.Write(fmt::format("<{} {}>", writer, i));
    });
  }
  for (std::thread& writer : writers)
    writer.join();
  stream.End();
  const std::string response = client.ReceiveAll();
  for (int writer = 0; writer < 4; ++writer) {
    std::size_t place = 0;
    for (int i = 0; i < 500; ++i) {
      place = response.find(fmt::format("<{} {}>", writer, i), place);
      ASSERT_NE(place, std::string::npos) << writer << " " << i;
    }
  }
}

TEST(ServerStream, CutsOffAReaderThatIsTooSlow) {
  PiecesHandler handler;
  ServerOptions options;
  options.stream_bytes_max = 100'000;
  const auto server = StartServer(handler, options);
  Client client(server->port(), 4096);
  client.Send(kGet);
  Stream stream = handler.Take();
  const std::string piece(50'000, 'x');
  std::size_t written = 0;
  const auto start = Clock::now();
  while (stream.Write(piece) && MsSince(start) < 5000) {
    written += piece.size();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(stream.is_open());
  EXPECT_LT(written, 16U * 1024 * 1024);  // what two sockets take, and a little more
  while (server->counters().open_connections > 0 && MsSince(start) < 5000)
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(server->counters().open_connections, 0U);
  EXPECT_FALSE(
      client.ReceiveAll().ends_with("0\r\n\r\n"));  // it can tell that something is missing
}

// A reader that keeps up may get any amount.
TEST(ServerStream, CarriesMoreThanItsBuffer) {
  PiecesHandler handler;
  ServerOptions options;
  options.stream_bytes_max = 100'000;
  const auto server = StartServer(handler, options);
  Client client(server->port());
  client.Send("GET /pieces HTTP/1.0\r\n\r\n");
  Stream stream = handler.Take();
  client.ReceiveUntil("first");
  for (int i = 0; i < 200; ++i) {
    const std::string piece = fmt::format("{}{:03}.", std::string(40'000, 'p'), i);
    ASSERT_TRUE(stream.Write(piece)) << i;
    ASSERT_EQ(client.ReceiveUntil("."), piece);
  }
}

TEST(ServerStream, EndsWhenTheClientGoes) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  const auto expect_closed = [&](auto leave) {
    Client client(server->port());
    client.Send(kGet);
    client.ReceiveUntil("first");
    const Stream stream = handler.Take();
    EXPECT_TRUE(stream.is_open());
    leave(client);
    EXPECT_TRUE(IsClosedSoon(stream));
  };
  expect_closed([](Client& client) { client.Close(); });
  expect_closed([](Client& client) { client.Reset(); });
  expect_closed([](Client& client) { client.EndSending(); });
}

TEST(ServerStream, IsAliveAsLongAsSomethingIsWritten) {
  PiecesHandler handler;
  ServerOptions options;
  options.idle_timeout_ms = 200;
  const auto server = StartServer(handler, options);
  Client client(server->port());
  client.Send(kGet);
  Stream stream = handler.Take();
  const auto start = Clock::now();
  while (MsSince(start) < 700) {
    ASSERT_TRUE(stream.Write(":\n"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(IsClosedSoon(stream));
  EXPECT_FALSE(client.ReceiveAll().ends_with("0\r\n\r\n"));
}

TEST(ServerStream, AbortsSoThatTheClientSeesIt) {
  PiecesHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send(kGet);
  client.ReceiveUntil("first\r\n");
  handler.Take().Abort();
  EXPECT_EQ(client.ReceiveAll(), "");
}

TEST(ServerStream, EndsWithTheServerWithoutDelay) {
  PiecesHandler handler;
  auto server = StartServer(handler);
  Client client(server->port());
  client.Send(kGet);
  Stream stream = handler.Take();
  stream.Write("last");
  std::string response;
  std::thread reader([&] {
    response = client.ReceiveAll();
    client.Close();
  });
  const auto start = Clock::now();
  server->Shutdown(5000);
  EXPECT_LT(MsSince(start), 1000);
  reader.join();
  EXPECT_TRUE(response.ends_with("last\r\n0\r\n\r\n")) << response;
  EXPECT_FALSE(stream.is_open());
  server.reset();
  EXPECT_FALSE(stream.Write("x"));
}

TEST(ServerStream, IsOverWhenTheServerDoesNotWait) {
  PiecesHandler handler;
  auto server = StartServer(handler);
  Client client(server->port());
  client.Send(kGet);
  Stream stream = handler.Take();
  server->Shutdown(0);
  EXPECT_FALSE(stream.is_open());
}

}  // namespace
}  // namespace trestle::http
