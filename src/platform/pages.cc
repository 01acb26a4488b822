#include "platform/pages.h"

#include <utility>

namespace trestle::platform {
namespace {

// Everything comes from this server, as files: nothing that stands in a page or in data is code.
constexpr std::string_view kPagePolicy =
    "default-src 'self'; script-src 'self'; style-src 'self'; object-src 'none'; base-uri 'none'; "
    "frame-ancestors 'none'";

bool WantsHtml(const http::Request& request) {
  return request.Find("Accept").value_or("").find("text/html") != std::string_view::npos;
}

}  // namespace

std::optional<http::Response> FindPage(const Pages& pages, const http::Request& request) {
  if (request.method != "GET" && request.method != "HEAD") return std::nullopt;
  const bool is_root = request.path == "/";
  if (is_root && !WantsHtml(request)) return std::nullopt;
  auto page = pages.Find(
      {.path = request.path, .accept_encodings = request.Find("Accept-Encoding").value_or("")});
  if (!page) return std::nullopt;

  http::Response response = {
      .status = 200, .content_type = page->content_type, .body = {}, .headers = {}};
  auto& headers = response.headers;
  headers.emplace_back("Cache-Control",
                       page->is_immutable ? "public, max-age=31536000, immutable" : "no-cache");
  headers.emplace_back("Content-Security-Policy", kPagePolicy);
  headers.emplace_back("ETag", page->etag);
  headers.emplace_back("Vary", is_root ? "Accept, Accept-Encoding" : "Accept-Encoding");
  if (request.Find("If-None-Match").value_or("") == page->etag) {
    response.status = 304;
    return response;
  }
  if (!page->encoding.empty()) headers.emplace_back("Content-Encoding", page->encoding);
  response.body = std::move(page->body);
  return response;
}

}  // namespace trestle::platform
