#include "protocol/canonical_request.h"

#include <gtest/gtest.h>

namespace trestle::protocol {
namespace {

// The canonical request line by line: method, path, query, headers, "", list of headers, hash.
std::string Canonical(std::string_view path, std::string_view query) {
  const HeaderView headers[] = {{"Host", "localhost:8000"}};
  return CanonicalRequest(
      {.method = "GET", .path = path, .query = query, .headers = headers, .body = ""}, "host",
      "hash");
}

std::string WithPathAndQuery(std::string_view path, std::string_view query) {
  std::string text = "GET\n";
  text += path;
  text += "\n";
  text += query;
  return text + "\nhost:localhost:8000\n\nhost\nhash";
}

TEST(CanonicalRequest, PathsAreNormalisedAndEncodedOnceMore) {
  EXPECT_EQ(Canonical("/", ""), WithPathAndQuery("/", ""));
  EXPECT_EQ(Canonical("", ""), WithPathAndQuery("/", ""));
  EXPECT_EQ(Canonical("/a//b/../c/./d", ""), WithPathAndQuery("/a/c/d", ""));
  EXPECT_EQ(Canonical("/a/", ""), WithPathAndQuery("/a/", ""));
  EXPECT_EQ(Canonical("/../..", ""), WithPathAndQuery("/", ""));
  EXPECT_EQ(Canonical("/a%20b~", ""), WithPathAndQuery("/a%2520b~", ""));
}

TEST(CanonicalRequest, QueriesAreSortedAndEncodedInOneWay) {
  EXPECT_EQ(Canonical("/", "b=2&a=1&a=0&c"), WithPathAndQuery("/", "a=0&a=1&b=2&c="));
  EXPECT_EQ(Canonical("/", "a=%2f&b=%7E&c=x%"), WithPathAndQuery("/", "a=%2F&b=~&c=x%25"));
  EXPECT_EQ(Canonical("/", "X-Amz-Signature=s&a=1"), WithPathAndQuery("/", "a=1"));
}

TEST(CanonicalRequest, HeadersAreLowerCaseTrimmedAndJoined) {
  const HeaderView headers[] = {
      {"HOST", " h "}, {"My-Header", "  a   b  c "}, {"x-unsigned", "no"}, {"my-header", "d"}};
  EXPECT_EQ(
      CanonicalRequest({.method = "POST", .path = "/", .query = "", .headers = headers, .body = ""},
                       "host;my-header;x-absent", "hash"),
      "POST\n/\n\nhost:h\nmy-header:a b c,d\nx-absent:\n\nhost;my-header;x-absent\nhash");
}

TEST(Timestamp, IsReadAndWritten) {
  EXPECT_EQ(TimestampOf(1769903999), "20260131T235959Z");
  EXPECT_EQ(ParseTimestamp("20260131T235959Z"), 1769903999);
  EXPECT_EQ(ParseTimestamp("20380119T031408Z"), 2147483648);
  EXPECT_EQ(ParseTimestamp("21000228T000000Z"), 4107456000);
  EXPECT_EQ(ParseHttpDate("Sat, 31 Jan 2026 23:59:59 GMT"), 1769903999);
  EXPECT_EQ(ParseHttpDate("Sat, 31 Jan 2026 23:59:59 -0000"), 1769903999);
}

TEST(Timestamp, RefusesOtherForms) {
  for (const std::string_view text :
       {"", "20260131", "20260131T235959", "20260131T235959ZZ", "20260230T000000Z",
        "20260131T240000Z", "2026-01-31T23:59:59Z", "20260131 235959Z", "2026013aT235959Z"}) {
    EXPECT_FALSE(ParseTimestamp(text).has_value()) << text;
  }
  for (const std::string_view text :
       {"", "Sat", "Sat, 31", "Sat, 31 Jan 2026 23:59:59", "Sat, 31 Xxx 2026 23:59:59 GMT",
        "Sat, 31 Jan 2026 23.59.59 GMT", "Sat, 31 Jan 2026 23:59:59 CET"}) {
    EXPECT_FALSE(ParseHttpDate(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace trestle::protocol
