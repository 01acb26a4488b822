// The HTTP request parser. Bytes that arrive at once and bytes that arrive in pieces must give the
// same requests, and every view must lie inside the buffer. The first byte chooses the pieces.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "http/request_parser.h"

namespace {

using trestle::http::Header;
using trestle::http::ParserLimits;
using trestle::http::Request;
using trestle::http::RequestParser;

// Small, so that the fuzzer reaches each of them.
constexpr ParserLimits kLimits = {
    .header_bytes_max = 512, .header_count_max = 8, .body_bytes_max = 256};

void AppendChecked(std::string_view view, std::string_view buffer, std::string& out) {
  const bool is_inside =
      view.data() >= buffer.data() && view.data() + view.size() <= buffer.data() + buffer.size();
  // The path of "http://host" is a constant, an absent query is null.
  CHECK(is_inside || view.empty() || view == "/", "a view outside of the buffer");
  out += view;
  out += '\n';
}

void AppendRequest(const Request& request, std::string_view buffer, std::string& out) {
  AppendChecked(request.method, buffer, out);
  AppendChecked(request.target, buffer, out);
  AppendChecked(request.path, buffer, out);
  AppendChecked(request.query, buffer, out);
  for (const Header& header : request.headers) {
    AppendChecked(header.name, buffer, out);
    AppendChecked(header.value, buffer, out);
  }
  AppendChecked(request.body, buffer, out);
  out += request.keep_alive ? "stays\n" : "ends\n";
}

// A text of all requests in `input`, and of what ended them.
std::string ReadAll(std::string_view input, std::size_t piece_bytes) {
  RequestParser parser(kLimits);
  std::string out;
  std::vector<char> buffer;
  while (true) {
    // A fresh buffer of exactly the right size, so that the sanitizer sees any step beyond it.
    std::vector<char> moved(buffer);
    std::size_t size = moved.size();
    const RequestParser::State state = parser.Parse(moved.data(), size);
    CHECK(size <= moved.size(), "the parser made bytes");
    moved.resize(size);
    if (state == RequestParser::State::kRefused) {
      return out + "refused " + std::to_string(parser.refusal_status());
    }
    if (state == RequestParser::State::kComplete) {
      CHECK(parser.consumed_bytes() <= size, "the parser consumed more than there was");
      AppendRequest(parser.request(), {moved.data(), size}, out);
      moved.erase(moved.begin(),
                  moved.begin() + static_cast<std::ptrdiff_t>(parser.consumed_bytes()));
      parser.Reset();
    } else {
      if (input.empty()) return out + (state == RequestParser::State::kHead ? "head" : "body");
      const std::string_view piece = input.substr(0, piece_bytes);
      moved.insert(moved.end(), piece.begin(), piece.end());
      input.remove_prefix(piece.size());
    }
    buffer = moved;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece_bytes = data[0] % 64U + 1U;
  CHECK(ReadAll(input, input.size()) == ReadAll(input, piece_bytes), "pieces change the meaning");
  return 0;
}
