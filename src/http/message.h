#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trestle::http {

struct Header {
  std::string_view name;   // as sent; compare with EqualsIgnoringCase
  std::string_view value;  // without the blanks around it
};

// A whole request. Every view looks into the connection's buffer and stays valid until the
// response has been given, however much later that is.
struct Request {
  std::string_view method;
  std::string_view target;  // as sent: "/a?b", "*", or "http://host/a?b"
  std::string_view path;    // the target's path, not percent-decoded; "*" for OPTIONS *
  std::string_view query;   // what follows the '?', not decoded
  std::vector<Header> headers;
  std::string_view body;   // chunked bodies are joined
  std::string_view peer;   // the client's address, without its port
  int minor_version = 1;   // HTTP/1.0 or HTTP/1.1
  bool keep_alive = true;  // whether the client wants the connection to stay

  // The value of the first header of this name, in any case.
  [[nodiscard]] std::optional<std::string_view> Find(std::string_view name) const;
};

// The server adds Date, Content-Length and Connection. Line breaks in header values become blanks.
struct Response {
  int status = 200;
  std::string content_type;
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
  bool close = false;  // end the connection afterwards
};

// The same as views, for replies built in buffers that the handler uses again and again. Prefer it
// for small bodies, which are copied once; a large body is better moved in with a Response.
struct ResponseView {
  int status = 200;
  std::string_view content_type;
  std::string_view body;
  std::span<const Header> headers;
  bool close = false;
};

[[nodiscard]] bool EqualsIgnoringCase(std::string_view left, std::string_view right);

// What the status line says after the number.
[[nodiscard]] std::string_view ReasonPhrase(int status);

// 204 and 304 have neither body nor Content-Length.
[[nodiscard]] constexpr bool MayHaveBody(int status) { return status != 204 && status != 304; }

struct ResponseHead {
  int status;
  std::string_view date_line;  // "Date: ...\r\n"
  std::string_view content_type;
  std::optional<std::size_t> body_bytes;  // nothing: known when it ends
  std::string_view connection;            // "close", "keep-alive", or empty for no such line
};

// Everything of a response before its own headers. Each of those follows through AppendHeader,
// then an empty line and the body.
void AppendHead(const ResponseHead& head, std::string& out);
void AppendHeader(std::string_view name, std::string_view value, std::string& out);

}  // namespace trestle::http
