// What the parser takes, what it refuses, and that neither depends on how the bytes arrive.

#include "http/request_parser.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::http {
namespace {

using State = RequestParser::State;
using std::string_literals::operator""s;

constexpr ParserLimits kLimits = {
    .header_bytes_max = 1024, .header_count_max = 10, .body_bytes_max = 100};

struct Outcome {
  State state;
  int status = 0;
  std::string method, target, path, query, body;
  std::vector<std::pair<std::string, std::string>> headers;
  bool keep_alive = false;
  std::size_t left_bytes = 0;  // of the input, after the request

  bool operator==(const Outcome&) const = default;
};

// Gives the parser `piece_bytes` more at a time, in a new place each time.
Outcome ParseInPieces(const std::string& input, std::size_t piece_bytes) {
  RequestParser parser(kLimits);
  std::string buffer;
  std::size_t taken = 0;
  State state = State::kHead;
  while (taken < input.size() && (state == State::kHead || state == State::kBody)) {
    const std::string piece = input.substr(taken, piece_bytes);
    taken += piece.size();
    std::vector<char> moved(buffer.begin(), buffer.end());
    moved.insert(moved.end(), piece.begin(), piece.end());
    std::size_t size = moved.size();
    state = parser.Parse(moved.data(), size);
    buffer.assign(moved.data(), size);
    if (state != State::kComplete) continue;

    const Request& request = parser.request();
    Outcome outcome{.state = state,
                    .method = std::string(request.method),
                    .target = std::string(request.target),
                    .path = std::string(request.path),
                    .query = std::string(request.query),
                    .body = std::string(request.body),
                    .headers = {},
                    .keep_alive = request.keep_alive};
    for (const Header& header : request.headers) {
      outcome.headers.emplace_back(header.name, header.value);
    }
    outcome.left_bytes = size - parser.consumed_bytes() + input.size() - taken;
    return outcome;
  }
  Outcome outcome{.state = state, .headers = {}};
  if (state == State::kRefused) outcome.status = parser.refusal_status();
  return outcome;
}

Outcome Parse(const std::string& input) {
  const Outcome whole = ParseInPieces(input, input.size());
  for (const std::size_t piece_bytes : {1U, 2U, 3U, 7U, 50U}) {
    EXPECT_EQ(ParseInPieces(input, piece_bytes), whole) << "in pieces of " << piece_bytes;
  }
  return whole;
}

std::string Get(const std::string& headers) { return "GET / HTTP/1.1\r\nHost: a\r\n" + headers; }

std::string Chunked(const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body;
}

TEST(RequestParser, ReadsARequestWithABody) {
  const Outcome outcome = Parse(
      "POST /a/b?c=d&e HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nX-Amz-Target: \t T.Put \t\r\n"
      "Content-Length: 5\r\n\r\nhelloGET");
  ASSERT_EQ(outcome.state, State::kComplete);
  EXPECT_EQ(outcome.method, "POST");
  EXPECT_EQ(outcome.target, "/a/b?c=d&e");
  EXPECT_EQ(outcome.path, "/a/b");
  EXPECT_EQ(outcome.query, "c=d&e");
  EXPECT_EQ(outcome.body, "hello");
  EXPECT_EQ(
      outcome.headers,
      (std::vector<std::pair<std::string, std::string>>{
          {"Host", "x"}, {"X-Empty", ""}, {"X-Amz-Target", "T.Put"}, {"Content-Length", "5"}}));
  EXPECT_TRUE(outcome.keep_alive);
  EXPECT_EQ(outcome.left_bytes, 3U);
}

TEST(RequestParser, WaitsForTheRest) {
  EXPECT_EQ(Parse("GET / HT").state, State::kHead);
  EXPECT_EQ(Parse(Get("")).state, State::kHead);
  EXPECT_EQ(Parse(Get("Content-Length: 2\r\n\r\n1")).state, State::kBody);
  EXPECT_EQ(Parse(Chunked("3\r\nab")).state, State::kBody);
  EXPECT_EQ(Parse(Chunked("3\r\nabc\r\n0\r\n")).state, State::kBody);
}

TEST(RequestParser, SkipsEmptyLinesBeforeARequest) {
  EXPECT_EQ(Parse("\r\n\r\n" + Get("\r\n")).state, State::kComplete);
}

TEST(RequestParser, ReadsEveryFormOfTarget) {
  const auto path_of = [](const std::string& method, const std::string& target) {
    return Parse(method + " " + target + " HTTP/1.1\r\nHost: a\r\n\r\n");
  };
  EXPECT_EQ(path_of("GET", "http://h:80/p/q?r").path, "/p/q");
  EXPECT_EQ(path_of("GET", "HTTPS://h?r").query, "r");
  EXPECT_EQ(path_of("GET", "http://h").path, "/");
  EXPECT_EQ(path_of("OPTIONS", "*").path, "*");
  EXPECT_EQ(path_of("PROPFIND", "/").method, "PROPFIND");
  for (const char* target : {"*", "a", "h:80", "ftp://h/", "http://", "http:///p", "/a#b", "/\x7f",
                             "/\xc3\xa4", "/a b", " /", "/\t"}) {
    EXPECT_EQ(path_of("GET", target).status, 400) << target;
  }
}

TEST(RequestParser, KnowsWhetherTheConnectionStays) {
  const auto stays = [](const std::string& version, const std::string& connection) {
    return Parse("GET / " + version + "\r\nHost: a\r\n" + connection + "\r\n").keep_alive;
  };
  EXPECT_TRUE(stays("HTTP/1.1", ""));
  EXPECT_FALSE(stays("HTTP/1.1", "Connection: x, Close\r\n"));
  EXPECT_FALSE(stays("HTTP/1.0", ""));
  EXPECT_TRUE(stays("HTTP/1.0", "Connection: Keep-Alive\r\n"));
}

TEST(RequestParser, JoinsChunks) {
  const Outcome outcome = Parse(
      Chunked("5\r\nhello\r\n001;ext=\"v\"\r\n,\r\nA\r\n0123456789\r\n0\r\nT: x\r\n\r\nNEXT"));
  ASSERT_EQ(outcome.state, State::kComplete);
  EXPECT_EQ(outcome.body, "hello,0123456789");
  EXPECT_EQ(outcome.left_bytes, 4U);
  EXPECT_EQ(outcome.headers.size(), 2U);  // the trailer is not one of them
  EXPECT_EQ(Parse(Chunked("0\r\n\r\n")).body, "");
}

TEST(RequestParser, TakesABodyOfExactlyTheLimit) {
  EXPECT_EQ(Parse(Get("Content-Length: 100\r\n\r\n" + std::string(100, 'x'))).body.size(), 100U);
  EXPECT_EQ(Parse(Chunked("64\r\n" + std::string(100, 'x') + "\r\n0\r\n\r\n")).body.size(), 100U);
}

// Before the body: with these bytes only, the answer is already known.
TEST(RequestParser, RefusesLongBodiesBeforeTheyArrive) {
  EXPECT_EQ(Parse(Get("Content-Length: 101\r\n\r\n")).status, 413);
  EXPECT_EQ(Parse(Get("Content-Length: 99999999999999999999999999\r\n\r\n")).status, 413);
  EXPECT_EQ(Parse(Chunked("65\r\n")).status, 413);
  EXPECT_EQ(Parse(Chunked("60\r\n" + std::string(96, 'x') + "\r\n5\r\n")).status, 413);
  EXPECT_EQ(Parse(Chunked("ffffffffffffffff\r\n")).status, 413);
}

TEST(RequestParser, RefusesLongHeads) {
  EXPECT_EQ(Parse(Get("A: " + std::string(1024, 'x'))).status, 431);
  EXPECT_EQ(Parse("GET /" + std::string(1024, 'x')).status, 431);
  std::string headers;
  for (int i = 0; i < 9; ++i)
    headers += "A: b\r\n";
  EXPECT_EQ(Parse(Get(headers + "\r\n")).state, State::kComplete);
  EXPECT_EQ(Parse(Get(headers + "A: b\r\n\r\n")).status, 431);
  const std::string exactly = Get("A: ") + std::string(1024 - Get("A: \r\n\r\n").size(), 'x');
  EXPECT_EQ(Parse(exactly + "\r\n\r\n").state, State::kComplete);
  EXPECT_EQ(Parse(exactly + "x\r\n\r\n").status, 431);
}

// Each of these is read differently by some other server, or is plainly broken.
TEST(RequestParser, RefusesWhatCouldBeUnderstoodInTwoWays) {
  const std::string cases[] = {
      Get("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n"),
      Get("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n"),
      Get("Content-Length: 3\r\nContent-Length: 4\r\n\r\n"),
      Get("Content-Length: 3\r\ncontent-length: 3\r\n\r\n"),
      Get("Content-Length: 3, 3\r\n\r\n"),
      Get("Content-Length: +3\r\n\r\n"),
      Get("Content-Length: -1\r\n\r\n"),
      Get("Content-Length: 0x3\r\n\r\n"),
      Get("Content-Length: 3 3\r\n\r\n"),
      Get("Content-Length:\r\n\r\n"),
      Get("Content-Length : 3\r\n\r\n"),
      Get("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n"),
      Get("A: b\r\n c\r\n\r\n"),
      Get(" A: b\r\n\r\n"),
      Get("\tA: b\r\n\r\n"),
      Get("A: b\n\r\n"),
      Get("A: b\r\n\n"),
      Get("A: b\rc\r\n\r\n"),
      Get("A: b\r\r\n\r\n"),
      Get("A: b\0c\r\n\r\n"s),
      Get("A: 0123456789\x01\r\n\r\n"),
      Get("A: 0123456\x7f\r\n\r\n"),
      Get("A\0: b\r\n\r\n"s),
      Get("A b: c\r\n\r\n"),
      Get("A\xc3\xa4: c\r\n\r\n"),
      Get("A(b): c\r\n\r\n"),
      Get(": c\r\n\r\n"),
      Get("no colon\r\n\r\n"),
      Get("Host: b\r\n\r\n"),
      "GET / HTTP/1.1\r\n\r\n",
      "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
      "\n" + Get("\r\n"),
      "GET / HTTP/1.1\nHost: a\n\n",
      "GET /\r\n\r\n",
      "GET  / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /  HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.1 \r\nHost: a\r\n\r\n",
      "GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n",
      " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
      "G@T / HTTP/1.1\r\nHost: a\r\n\r\n",
      std::string(33, 'G') + " / HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET / http/1.1\r\nHost: a\r\n\r\n",
      "GET / HTTP/1.10\r\nHost: a\r\n\r\n",
      "GET / HTTP/11\r\nHost: a\r\n\r\n",
      "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n",
      "\x16\x03\x01\x02\x01\x01\n",  // the first bytes of TLS
  };
  for (const std::string& input : cases)
    EXPECT_EQ(Parse(input).status, 400) << input;
}

TEST(RequestParser, RefusesBrokenChunks) {
  const std::string cases[] = {
      "\r\n",
      "g\r\n",
      "-1\r\n",
      "+1\r\n",
      " 1\r\n",
      "1 \r\n",
      "0x1\r\n",
      "1\n",
      "1\r\nab\r\n",
      "1\r\na\n",
      "1\r\na\r\r",
      "1\r\na0\r\n",
      "1;a\x01\r\n",
      "0\r\nbad\r\n",
      "0\r\nA: b\n",
      "0\r\n A: b\r\n",
      "00000000000000001\r\n",
      "1;" + std::string(300, 'x'),
      "0\r\nA: " + std::string(5000, 'x'),
  };
  for (const std::string& body : cases)
    EXPECT_EQ(Parse(Chunked(body)).status, 400) << body;
}

// One byte a chunk, each with a long extension: the body stays small, the bytes do not.
TEST(RequestParser, BoundsWhatComesBesideTheBody) {
  std::string body;
  for (int i = 0; i < 10; ++i)
    body += "1;" + std::string(200, 'e') + "\r\nx\r\n";
  EXPECT_EQ(Parse(Chunked(body)).status, 400);

  std::string trailers = "0\r\n";
  for (int i = 0; i < 10; ++i)
    trailers += "T: " + std::string(200, 't') + "\r\n";
  EXPECT_EQ(Parse(Chunked(trailers)).status, 431);
}

TEST(RequestParser, NamesWhatItDoesNotSupport) {
  EXPECT_EQ(Parse("PRI * HTTP/2.0\r\n\r\n").status, 505);
  EXPECT_EQ(Parse(Get("Transfer-Encoding: gzip, chunked\r\n\r\n")).status, 501);
  EXPECT_EQ(Parse(Get("Expect: gold\r\n\r\n")).status, 417);
}

TEST(RequestParser, TellsHowTheBodyArrives) {
  RequestParser parser(kLimits);
  std::string input = Get("Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n");
  std::size_t size = input.size();
  ASSERT_EQ(parser.Parse(input.data(), size), State::kBody);
  EXPECT_TRUE(parser.expects_continue());
  EXPECT_EQ(parser.expected_bytes(), input.size() + 5);
  EXPECT_EQ(parser.head_bytes(), input.size());
}

TEST(RequestParser, ReadsTheNextRequestAfterReset) {
  std::string input = Chunked("1\r\na\r\n0\r\n\r\n") + Get("Content-Length: 2\r\n\r\nbc");
  RequestParser parser(kLimits);
  std::size_t size = input.size();
  ASSERT_EQ(parser.Parse(input.data(), size), State::kComplete);
  EXPECT_EQ(parser.request().body, "a");
  const std::size_t first_bytes = parser.consumed_bytes();
  parser.Reset();
  size = input.size() - first_bytes;
  ASSERT_EQ(parser.Parse(input.data() + first_bytes, size), State::kComplete);
  EXPECT_EQ(parser.request().body, "bc");
  EXPECT_EQ(parser.request().headers.size(), 2U);
}

}  // namespace
}  // namespace trestle::http
