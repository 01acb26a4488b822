#include "http/message.h"

#include <algorithm>
#include <charconv>

namespace trestle::http {
namespace {

char ToLower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

void AppendNumber(std::size_t number, std::string& out) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
  out.append(digits, end);
}

}  // namespace

bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  if (left.size() != right.size()) return false;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] != right[i] && ToLower(left[i]) != ToLower(right[i])) return false;
  }
  return true;
}

std::optional<std::string_view> Request::Find(std::string_view name) const {
  for (const Header& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return std::nullopt;
}

std::string_view ReasonPhrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 201:
      return "Created";
    case 202:
      return "Accepted";
    case 204:
      return "No Content";
    case 206:
      return "Partial Content";
    case 301:
      return "Moved Permanently";
    case 302:
      return "Found";
    case 303:
      return "See Other";
    case 304:
      return "Not Modified";
    case 307:
      return "Temporary Redirect";
    case 308:
      return "Permanent Redirect";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 406:
      return "Not Acceptable";
    case 408:
      return "Request Timeout";
    case 409:
      return "Conflict";
    case 410:
      return "Gone";
    case 412:
      return "Precondition Failed";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 416:
      return "Range Not Satisfiable";
    case 417:
      return "Expectation Failed";
    case 422:
      return "Unprocessable Content";
    case 428:
      return "Precondition Required";
    case 429:
      return "Too Many Requests";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    case 504:
      return "Gateway Timeout";
    case 505:
      return "HTTP Version Not Supported";
    case 507:
      return "Insufficient Storage";
    default:
      return "Other";
  }
}

void AppendHead(const ResponseHead& head, std::string& out) {
  out += "HTTP/1.1 ";
  AppendNumber(static_cast<std::size_t>(head.status), out);
  out += ' ';
  out += ReasonPhrase(head.status);
  out += "\r\n";
  out += head.date_line;
  if (!head.content_type.empty()) AppendHeader("Content-Type", head.content_type, out);
  if (MayHaveBody(head.status) && head.body_bytes) {
    out += "Content-Length: ";
    AppendNumber(*head.body_bytes, out);
    out += "\r\n";
  }
  if (!head.connection.empty()) AppendHeader("Connection", head.connection, out);
}

void AppendHeader(std::string_view name, std::string_view value, std::string& out) {
  out += name;
  out += ": ";
  const std::size_t start = out.size();
  out += value;
  // A line break in a value would let whoever chose the value write headers of their own.
  for (const char line_break : {'\r', '\n', '\0'}) {
    if (value.find(line_break) == value.npos) continue;
    std::replace(out.begin() + static_cast<std::ptrdiff_t>(start), out.end(), line_break, ' ');
  }
  out += "\r\n";
}

}  // namespace trestle::http
