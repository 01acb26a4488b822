#include "http/response_parser.h"

#include <string>

#include <gtest/gtest.h>

namespace trestle::http {
namespace {

using State = ResponseParser::State;

constexpr std::size_t kBodyBytesMax = 100;

// Reads `text` in pieces of `piece` bytes.
ResponseParser Read(std::string_view text, std::size_t piece) {
  ResponseParser parser(kBodyBytesMax);
  for (std::size_t at = 0; at < text.size(); at += piece)
    parser.Add(text.substr(at, piece));
  return parser;
}

TEST(ResponseParser, ReadsTheSameInPiecesOfAnySize) {
  constexpr std::string_view kCounted =
      "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-Amz-Crc32:  7 \r\n\r\nhello";
  constexpr std::string_view kChunked =
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nX-Amz-CRC32: 7\r\n\r\n"
      "3\r\nhel\r\n2;a=b\r\nlo\r\n0\r\nTrailer: x\r\n\r\n";
  for (const std::string_view text : {kCounted, kChunked}) {
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
      ResponseParser parser = Read(text, piece);
      ASSERT_EQ(parser.state(), State::kComplete) << piece;
      EXPECT_EQ(parser.response().status, 200);
      EXPECT_EQ(parser.response().body, "hello");
      EXPECT_EQ(parser.response().Find("x-amz-crc32"), "7");
      EXPECT_TRUE(parser.keeps_alive());
    }
  }
}

TEST(ResponseParser, ABodyWithoutALengthEndsWithTheConnection) {
  ResponseParser parser = Read("HTTP/1.1 200 OK\r\n\r\nhello", 7);
  EXPECT_EQ(parser.state(), State::kReading);
  EXPECT_EQ(parser.Close(), State::kComplete);
  EXPECT_EQ(parser.response().body, "hello");
  EXPECT_FALSE(parser.keeps_alive());
}

TEST(ResponseParser, PassesOverInterimResponses) {
  ResponseParser parser =
      Read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 400 Bad\r\nContent-Length: 0\r\n\r\n", 9);
  ASSERT_EQ(parser.state(), State::kComplete);
  EXPECT_EQ(parser.response().status, 400);
}

TEST(ResponseParser, KnowsWhenTheConnectionEnds) {
  for (const std::string_view text : {"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n",
                                      "HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n",
                                      "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\nnobody asked"}) {
    ResponseParser parser = Read(text, text.size());
    ASSERT_EQ(parser.state(), State::kComplete) << text;
    EXPECT_FALSE(parser.keeps_alive()) << text;
  }
}

TEST(ResponseParser, RefusesWhatItCannotTrust) {
  const std::string long_head = "HTTP/1.1 200 OK\r\nA: " + std::string(70'000, 'x');
  const std::string long_body = "HTTP/1.1 200 OK\r\n\r\n" + std::string(kBodyBytesMax + 1, 'x');
  for (const std::string_view text :
       {std::string_view("hello\r\n\r\n"), std::string_view("HTTP/1.1 2x0 OK\r\n"),
        std::string_view("HTTP/1.\r\n\r\n"), std::string_view("HTTP/1.1 200 OK\r\nno colon\r\n"),
        std::string_view("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n"),
        std::string_view("HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n"),
        std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n"),
        std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n"),
        std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc"),
        std::string_view("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffff\r\n"),
        std::string_view(long_head), std::string_view(long_body)}) {
    ResponseParser parser = Read(text, text.size());
    if (parser.state() == State::kReading) parser.Close();
    EXPECT_EQ(parser.state(), State::kRefused) << text.substr(0, 60);
    EXPECT_FALSE(parser.refusal().empty());
  }
}

TEST(ResponseParser, RefusesAConnectionThatEndsTooEarly) {
  constexpr std::string_view kText = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  for (std::size_t size = 0; size < kText.size(); ++size) {
    ResponseParser parser = Read(kText.substr(0, size), 8);
    EXPECT_EQ(parser.Close(), State::kRefused) << size;
  }
}

}  // namespace
}  // namespace trestle::http
