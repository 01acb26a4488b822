// The server over real sockets: order, limits, time, and the end of connections.

#include "http/server.h"

#include <condition_variable>
#include <ctime>
#include <future>
#include <memory>
#include <mutex>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/testing_internal.h"

namespace trestle::http {
namespace {

using testing::BodyOf;
using testing::Client;
using testing::Clock;
using testing::FunctionHandler;
using testing::MsSince;
using testing::StartServer;
using testing::StatusOf;

// Answers "METHOD path query body".
void Echo(const Request& request, Exchange exchange) {
  const std::string body =
      fmt::format("{} {} {} {}", request.method, request.path, request.query, request.body);
  const Header header = {"X-Peer", request.peer};
  exchange.Reply(ResponseView{.content_type = "text/plain", .body = body, .headers = {&header, 1}});
}

constexpr std::string_view kGet = "GET /a?b HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(Server, AnswersOnAConnectionThatStays) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  for (int i = 0; i < 3; ++i) {
    const std::string response = client.Ask(kGet);
    EXPECT_TRUE(response.starts_with("HTTP/1.1 200 OK\r\nDate: ")) << response;
    EXPECT_NE(response.find("\r\nX-Peer: 127.0.0.1\r\n"), std::string::npos);
    EXPECT_EQ(BodyOf(response), "GET /a b ");
  }
  const ServerCounters counters = server->counters();
  EXPECT_EQ(counters.requests, 3U);
  EXPECT_EQ(counters.connections, 1U);
  EXPECT_EQ(counters.open_connections, 1U);
  EXPECT_EQ(counters.received_bytes, 3 * kGet.size());
  EXPECT_GT(counters.sent_bytes, 0U);
}

TEST(Server, AnswersTheHeadOfWhatGetWouldGive) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string response = client.Receive(/*has_body=*/false);
  EXPECT_NE(response.find("Content-Length: 9\r\n"), std::string::npos) << response;
  EXPECT_TRUE(client.Ask(kGet).starts_with("HTTP/1.1 200 OK"));  // nothing stood between the two
}

TEST(Server, EndsTheConnectionWhenAsked) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client asks(server->port());
  asks.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_NE(asks.ReceiveAll().find("Connection: close\r\n"), std::string::npos);
  Client old(server->port());
  old.Send("GET / HTTP/1.0\r\n\r\n");
  EXPECT_EQ(BodyOf(old.ReceiveAll()), "GET /  ");
  Client old_keeps(server->port());
  const std::string response = old_keeps.Ask("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_NE(response.find("Connection: keep-alive\r\n"), std::string::npos);
  EXPECT_EQ(StatusOf(old_keeps.Ask("GET / HTTP/1.0\r\n\r\n")), 200);
}

// A client may end its half of the connection as soon as it has asked.
TEST(Server, AnswersAClientThatHasEndedSending) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send(kGet);
  client.Send(kGet);
  client.EndSending();
  EXPECT_EQ(BodyOf(client.Receive()), "GET /a b ");
  EXPECT_EQ(BodyOf(client.ReceiveAll()), "GET /a b ");
}

TEST(Server, JoinsAChunkedBody) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel");
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(BodyOf(client.Ask("lo\r\n6\r\n world\r\n0\r\n\r\n")), "POST /  hello world");
}

TEST(Server, AsksForTheBodyOfACarefulClient) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  const std::string asked =
      client.Ask("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
  EXPECT_EQ(asked, "HTTP/1.1 100 Continue\r\n\r\n");
  EXPECT_EQ(BodyOf(client.Ask("hi")), "PUT /  hi");

  Client too_much(server->port());
  EXPECT_EQ(StatusOf(too_much.Ask("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n"
                                  "Content-Length: 99999999\r\n\r\n")),
            413);
}

// A large body and a large response cross the socket in many pieces.
TEST(Server, CarriesLargeBodiesBothWays) {
  FunctionHandler handler([](const Request& request, Exchange exchange) {
    exchange.Reply(Response{.body = std::string(request.body), .headers = {}});
  });
  const auto server = StartServer(handler);
  Client client(server->port());
  std::string body;
  for (int i = 0; body.size() < kRequestBodyBytesMax; ++i)
    body += fmt::format("{:07} ", i);
  const std::string known =
      fmt::format("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", body.size(), body);
  const std::string chunked = fmt::format(
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{}\r\n0\r\n\r\n",
      body.size(), body);
  EXPECT_TRUE(BodyOf(client.Ask(known)) == body);
  EXPECT_TRUE(BodyOf(client.Ask(chunked)) == body);
  EXPECT_EQ(BodyOf(client.Ask("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi")), "hi");
}

// Holds each exchange, and lets other threads answer them in any order.
class LaterHandler final : public Handler {
 public:
  void Handle(const Request& request, Exchange exchange) override {
    const std::lock_guard lock(mutex_);
    waiting_.emplace_back(&request, std::move(exchange));
    changed_.notify_all();
  }

  // The oldest request that waits.
  std::pair<const Request*, Exchange> Take() {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::seconds(5), [this] { return !waiting_.empty(); });
    CHECK(!waiting_.empty(), "no request came");
    auto first = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    return first;
  }

  std::size_t waiting_count() {
    const std::lock_guard lock(mutex_);
    return waiting_.size();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<const Request*, Exchange>> waiting_;
};

void EchoLater(std::pair<const Request*, Exchange> waiting) {
  Loop& loop = waiting.second.loop();
  loop.Post([request = waiting.first, exchange = std::move(waiting.second)]() mutable {
    Echo(*request, std::move(exchange));
  });
}

TEST(Server, AnswersPipelinedRequestsInOrderFromAnotherThread) {
  LaterHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  std::string requests;
  for (int i = 0; i < 100; ++i)
    requests += fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i);
  client.Send(requests);
  for (int i = 0; i < 100; ++i) {
    auto waiting = handler.Take();
    EXPECT_EQ(handler.waiting_count(), 0U);  // the next one waits for this reply
    EXPECT_EQ(waiting.first->path, fmt::format("/{}", i));
    EchoLater(std::move(waiting));
  }
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(BodyOf(client.Receive()), fmt::format("GET /{}  ", i));
}

// More than the buffer and more than one turn's share, so reading stops and goes on.
TEST(Server, AnswersManyPipelinedRequests) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  constexpr int kCount = 20'000;
  std::thread sender([&client] {
    for (int i = 0; i < kCount; ++i) {
      client.Send(fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i));
    }
  });
  for (int i = 0; i < kCount; ++i)
    ASSERT_EQ(BodyOf(client.Receive()), fmt::format("GET /{}  ", i));
  sender.join();
}

// The last of many clients goes while an earlier one is answered, when its own requests have been
// read in this turn and the rest of the turn before is still to be answered.
TEST(Server, OutlivesAClientThatGoesWithinATurn) {
  std::promise<void> all_have_sent;
  std::unique_ptr<Client> last;
  int turns_left = -1;  // of the loop, before the last client goes
  FunctionHandler handler([&](const Request& request, Exchange exchange) {
    if (request.path == "/wait") {
      all_have_sent.get_future().wait();
      turns_left = 2;
    }
    if (turns_left == 0 && last != nullptr) std::exchange(last, nullptr)->Reset();
    exchange.Reply(ResponseView{.body = "x"});
  });
  handler.tick_end = [&](Loop&) { --turns_left; };
  const auto server = StartServer(handler);

  std::string requests;  // more than a turn reads, and more than it answers
  for (int i = 0; i < 1000; ++i)
    requests += kGet;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 30; ++i)
    clients.push_back(std::make_unique<Client>(server->port()));
  last = std::make_unique<Client>(server->port());
  while (server->counters().open_connections < 31)
    std::this_thread::yield();
  Client blocks(server->port());
  blocks.Send("GET /wait HTTP/1.1\r\nHost: x\r\n\r\n");
  for (const auto& client : clients)
    client->Send(requests);
  last->Send(requests);
  all_have_sent.set_value();

  EXPECT_EQ(StatusOf(blocks.Receive()), 200);
  for (const auto& client : clients) {
    for (int i = 0; i < 1000; ++i)
      ASSERT_EQ(StatusOf(client->Receive()), 200);
  }
  EXPECT_EQ(server->counters().open_connections, 31U);
}

// What follows a request that waits must neither move it nor be lost.
TEST(Server, KeepsAWaitingRequestInPlaceWhileMoreArrives) {
  LaterHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  auto waiting = handler.Take();
  const std::string big(300'000, 'b');
  client.Send(fmt::format("POST /second HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}",
                          big.size(), big));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(waiting.first->body, "hello");
  EXPECT_EQ(waiting.first->Find("host"), "x");
  EchoLater(std::move(waiting));
  EXPECT_EQ(BodyOf(client.Receive()), "POST /first  hello");
  EchoLater(handler.Take());
  EXPECT_EQ(BodyOf(client.Receive()), "POST /second  " + big);
}

TEST(Server, KeepsARequestAfterItsClientHasGone) {
  LaterHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  auto waiting = handler.Take();
  client.Reset();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(waiting.first->body, "hello");
  EchoLater(std::move(waiting));
  Client next(server->port());
  next.Send(kGet);
  EchoLater(handler.Take());
  EXPECT_EQ(BodyOf(next.Receive()), "GET /a b ");
  EXPECT_EQ(server->counters().open_connections, 1U);
}

TEST(Server, Answers500WhenTheHandlerForgets) {
  FunctionHandler forgets([](const Request&, const Exchange&) {});
  const auto server = StartServer(forgets);
  Client client(server->port());
  EXPECT_EQ(StatusOf(client.Ask(kGet)), 500);
  EXPECT_EQ(StatusOf(client.Ask(kGet)), 500);

  LaterHandler later;
  const auto later_server = StartServer(later);
  Client later_client(later_server->port());
  later_client.Send(kGet);
  { const auto dropped_on_this_thread = later.Take(); }
  EXPECT_EQ(StatusOf(later_client.Receive()), 500);
}

// The handler collects the requests of a turn and answers all of them at its end.
TEST(Server, CallsTickEndAfterTheRequestsOfATurn) {
  std::vector<Exchange> collected;
  FunctionHandler handler(
      [&](const Request&, Exchange exchange) { collected.push_back(std::move(exchange)); });
  handler.tick_end = [&](Loop& loop) {
    for (Exchange& exchange : collected) {
      EXPECT_EQ(&exchange.loop(), &loop);
      exchange.Reply(Response{.status = 201, .headers = {}});
    }
    collected.clear();
  };
  const auto server = StartServer(handler);
  Client first(server->port());
  Client second(server->port());
  first.Send(std::string(kGet) + std::string(kGet));
  second.Send(kGet);
  EXPECT_EQ(StatusOf(first.Receive()), 201);
  EXPECT_EQ(StatusOf(first.Receive()), 201);
  EXPECT_EQ(StatusOf(second.Receive()), 201);
}

TEST(Server, RunsPostedTasksInOrderOnTheLoop) {
  std::promise<Loop*> found;
  FunctionHandler handler([&](const Request& request, Exchange exchange) {
    found.set_value(&exchange.loop());
    Echo(request, std::move(exchange));
  });
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Ask(kGet);
  Loop& loop = *found.get_future().get();
  std::vector<int> seen;
  std::promise<void> done;
  for (int i = 0; i < 1000; ++i) {
    loop.Post([&, i] {
      EXPECT_TRUE(loop.IsCurrentThread());
      seen.push_back(i);
      if (i == 999) done.set_value();
    });
  }
  done.get_future().get();
  for (int i = 0; i < 1000; ++i)
    EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
}

TEST(Server, SpreadsConnectionsOverItsLoops) {
  FunctionHandler handler([](const Request&, Exchange exchange) {
    const std::string body = fmt::format("{}", exchange.loop().index());
    exchange.Reply(ResponseView{.content_type = {}, .body = body, .headers = {}});
  });
  ServerOptions options;
  options.loop_count = 2;
  const auto server = StartServer(handler, options);
  int on_second = 0;
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<Client>(server->port()));
    on_second += BodyOf(clients.back()->Ask(kGet)) == "1" ? 1 : 0;
  }
  EXPECT_EQ(on_second, 5);
}

TEST(Server, RefusesMalformedRequestsAndCloses) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send(std::string(kGet) + "GET / HTTP/1.1\nHost: x\n\n" + std::string(kGet));
  EXPECT_EQ(StatusOf(client.Receive()), 200);
  const std::string refusal = client.ReceiveAll();
  EXPECT_EQ(StatusOf(refusal), 400);
  EXPECT_EQ(BodyOf(refusal), "Bad Request");  // and no answer to the third
  EXPECT_EQ(server->counters().refused_requests, 1U);

  Client long_head(server->port());
  long_head.Send("GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(70'000, 'a'));
  EXPECT_EQ(StatusOf(long_head.ReceiveAll()), 431);
}

TEST(Server, RefusesInTheHandlersWords) {
  FunctionHandler handler(Echo);
  handler.refusal = [](int status) {
    return Response{.status = status, .content_type = "a/b", .body = "no", .headers = {{"X", "y"}}};
  };
  const auto server = StartServer(handler);
  Client client(server->port());
  client.Send("GET / HTTP/1.1\n\n");
  const std::string refusal = client.ReceiveAll();
  EXPECT_EQ(StatusOf(refusal), 400);
  EXPECT_NE(refusal.find("Content-Type: a/b\r\n"), std::string::npos) << refusal;
  EXPECT_NE(refusal.find("X: y\r\n"), std::string::npos) << refusal;
  EXPECT_EQ(BodyOf(refusal), "no");
}

// The client is still sending when the answer comes; it must read 413, not a reset.
TEST(Server, RefusesALongBodyBeforeReadingIt) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  for (const char* framing :
       {"Content-Length: 1000000000\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n3b9aca00\r\n"}) {
    Client client(server->port());
    client.Send(fmt::format("POST / HTTP/1.1\r\nHost: x\r\n{}", framing));
    client.Send(std::string(8 * 1024 * 1024, 'x'));
    const auto start = Clock::now();
    EXPECT_EQ(StatusOf(client.Receive()), 413);
    EXPECT_LT(MsSince(start), 100);
  }
}

TEST(Server, RefusesBodiesThatMemoryHasNoRoomFor) {
  LaterHandler handler;
  ServerOptions options;
  options.buffered_bytes_max = 1024 * 1024;
  options.chunked_bytes_max = 200'000;
  const auto server = StartServer(handler, options);
  const auto post = [](std::size_t size) {
    return fmt::format("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: {}\r\n\r\n{}", size,
                       std::string(size, 'x'));
  };
  Client holder(server->port());
  holder.Send(post(700'000));
  auto held = handler.Take();
  Client refused(server->port());
  refused.Send(post(700'000));
  EXPECT_EQ(StatusOf(refused.Receive()), 503);
  Client chunked(server->port());
  chunked.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n49bb0\r\n" +
               std::string(300'000, 'x'));
  EXPECT_EQ(StatusOf(chunked.Receive()), 503);

  EchoLater(std::move(held));
  EXPECT_EQ(StatusOf(holder.Receive()), 200);
  Client again(server->port());
  again.Send(post(700'000));
  EchoLater(handler.Take());
  EXPECT_EQ(StatusOf(again.Receive()), 200);
}

TEST(Server, TimesOutSlowRequests) {
  FunctionHandler handler(Echo);
  ServerOptions options;
  options.header_timeout_ms = 100;
  options.body_timeout_ms = 100;
  const auto server = StartServer(handler, options);
  const auto start = Clock::now();
  Client slow_head(server->port());
  slow_head.Send("GET / HTTP/1.1\r\nHo");
  Client slow_body(server->port());
  slow_body.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\na");
  Client silent(server->port());
  EXPECT_EQ(StatusOf(slow_head.ReceiveAll()), 408);
  EXPECT_EQ(StatusOf(slow_body.ReceiveAll()), 408);
  EXPECT_EQ(silent.ReceiveAll(), "");
  EXPECT_GE(MsSince(start), 100);
  EXPECT_LT(MsSince(start), 1500);
}

// Bytes that keep coming do not buy time for the headers.
TEST(Server, TimesOutAHeadThatDrips) {
  FunctionHandler handler(Echo);
  ServerOptions options;
  options.header_timeout_ms = 200;
  const auto server = StartServer(handler, options);
  Client client(server->port());
  const auto start = Clock::now();
  client.Send("GET / HTTP/1.1\r\nA: ");
  while (MsSince(start) < 600 && client.Send("x")) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  EXPECT_EQ(StatusOf(client.Receive()), 408);
}

TEST(Server, EndsIdleConnectionsButNotWaitingOnes) {
  LaterHandler handler;
  ServerOptions options;
  options.idle_timeout_ms = 100;
  const auto server = StartServer(handler, options);
  Client client(server->port());
  client.Send(kGet);
  auto waiting = handler.Take();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EchoLater(std::move(waiting));
  EXPECT_EQ(StatusOf(client.Receive()), 200);
  EXPECT_EQ(client.ReceiveAll(), "");
}

TEST(Server, CutsOffAClientThatDoesNotRead) {
  FunctionHandler handler([](const Request&, Exchange exchange) {
    exchange.Reply(Response{.body = std::string(32 * 1024 * 1024, 'x'), .headers = {}});
  });
  ServerOptions options;
  options.write_timeout_ms = 100;
  options.bytes_per_second_min = 1024 * 1024 * 1024;
  const auto server = StartServer(handler, options);
  Client client(server->port(), 4096);
  client.Send(kGet);
  const auto start = Clock::now();
  while (server->counters().open_connections == 0 && MsSince(start) < 5000) {
  }
  while (server->counters().open_connections > 0 && MsSince(start) < 5000) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_LT(MsSince(start), 2000);
}

TEST(Server, AcceptsNoMoreThanItsLimitUntilOneLeaves) {
  FunctionHandler handler(Echo);
  ServerOptions options;
  options.connections_max = 2;
  const auto server = StartServer(handler, options);
  auto first = std::make_unique<Client>(server->port());
  Client second(server->port());
  EXPECT_EQ(StatusOf(first->Ask(kGet)), 200);
  EXPECT_EQ(StatusOf(second.Ask(kGet)), 200);
  Client third(server->port());
  third.Send(kGet);
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  EXPECT_EQ(server->counters().connections, 2U);
  EXPECT_GE(server->counters().accept_pauses, 1U);
  first.reset();
  EXPECT_EQ(StatusOf(third.Receive()), 200);
}

// A full server does not wait 75 seconds for clients that say nothing.
TEST(Server, EndsIdleConnectionsSoonerWhenFull) {
  FunctionHandler handler(Echo);
  ServerOptions options;
  options.connections_max = 1;
  const auto server = StartServer(handler, options);
  Client idle(server->port());
  EXPECT_EQ(StatusOf(idle.Ask(kGet)), 200);
  Client next(server->port());
  const auto start = Clock::now();
  EXPECT_EQ(StatusOf(next.Ask(kGet)), 200);
  EXPECT_LT(MsSince(start), 4000);
}

// Out of files: clients that are in are served, the next waits, and the loop does not spin.
TEST(Server, PausesAcceptingWhenOutOfFiles) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  Client inside(server->port());
  EXPECT_EQ(StatusOf(inside.Ask(kGet)), 200);
  rlimit before{};
  ::getrlimit(RLIMIT_NOFILE, &before);
  Client outside(server->port());  // may still be accepted
  EXPECT_EQ(StatusOf(outside.Ask(kGet)), 200);

  const int client_fd = ::socket(AF_INET, SOCK_STREAM, 0);
  ::close(client_fd);
  const rlimit tight = {static_cast<rlim_t>(client_fd) + 1, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &tight), 0);
  Client waiting(server->port());  // takes the last file; its other end finds none
  const std::clock_t cpu_start = std::clock();
  waiting.Send(kGet);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  const auto cpu_ms = (std::clock() - cpu_start) * 1000 / CLOCKS_PER_SEC;
  EXPECT_EQ(server->counters().connections, 2U);
  EXPECT_EQ(StatusOf(inside.Ask(kGet)), 200);
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(StatusOf(waiting.Receive()), 200);
  EXPECT_LT(cpu_ms, 30);
}

TEST(Server, DrainsBeforeItEnds) {
  LaterHandler handler;
  const auto server = StartServer(handler);
  Client idle(server->port());
  Client busy(server->port());
  busy.Send(kGet);
  auto waiting = handler.Take();
  std::thread shutdown([&server] { server->Shutdown(5000); });
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(Client(server->port()).is_connected());
  EchoLater(std::move(waiting));
  const std::string response = busy.Receive();
  EXPECT_EQ(StatusOf(response), 200);
  EXPECT_NE(response.find("Connection: close\r\n"), std::string::npos);
  EXPECT_EQ(busy.ReceiveAll(), "");
  EXPECT_EQ(idle.ReceiveAll(), "");
  const auto start = Clock::now();
  shutdown.join();
  EXPECT_LT(MsSince(start), 2000);
}

TEST(Server, EndsInTimeWhenARequestDoesNot) {
  LaterHandler handler;
  auto server = StartServer(handler);
  Client client(server->port());
  client.Send(kGet);
  auto waiting = handler.Take();
  const auto start = Clock::now();
  server->Shutdown(100);
  EXPECT_LT(MsSince(start), 1000);
  EXPECT_EQ(waiting.first->path, "/a");  // still there for a handler that is late
  EchoLater(std::move(waiting));         // and comes to nothing
}

TEST(Server, SaysWhyItCannotListen) {
  FunctionHandler handler(Echo);
  const auto server = StartServer(handler);
  ServerOptions options;
  options.port = server->port();
  const auto second = Server::Start(options, handler);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kUnavailable);
  options.bind_address = "not an address";
  EXPECT_FALSE(Server::Start(options, handler).ok());
}

}  // namespace
}  // namespace trestle::http
