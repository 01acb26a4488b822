#include "http/message.h"

#include <gtest/gtest.h>

namespace trestle::http {
namespace {

TEST(Message, FindsTheFirstHeaderInAnyCase) {
  Request request;
  request.headers = {{"Host", "a"}, {"X-Amz-Target", "b"}, {"x-amz-target", "c"}};
  EXPECT_EQ(request.Find("x-AMZ-target"), "b");
  EXPECT_EQ(request.Find("x-amz-targe"), std::nullopt);
}

TEST(Message, WritesAHead) {
  std::string out;
  AppendHead({.status = 200,
              .date_line = "Date: now\r\n",
              .content_type = "text/plain",
              .body_bytes = 12,
              .connection = "close"},
             out);
  EXPECT_EQ(out,
            "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Type: text/plain\r\n"
            "Content-Length: 12\r\nConnection: close\r\n");
}

// A Content-Length after 204 or 304 makes some clients wait for a body.
TEST(Message, GivesNoLengthWhereThereIsNoBody) {
  for (const int status : {204, 304}) {
    std::string out;
    AppendHead(
        {.status = status, .date_line = {}, .content_type = {}, .body_bytes = 0, .connection = {}},
        out);
    EXPECT_EQ(out.find("Content-Length"), std::string::npos) << status;
  }
}

TEST(Message, LetsNoValueAddAHeader) {
  std::string out;
  AppendHeader("Location", std::string_view("/a\r\nSet-Cookie: b\0c", 19), out);
  EXPECT_EQ(out, "Location: /a  Set-Cookie: b c\r\n");
}

}  // namespace
}  // namespace trestle::http
