// The HTTP response parser. Bytes that arrive at once and bytes that arrive in pieces must give the
// same response. The first byte chooses the pieces.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "http/response_parser.h"

namespace {

using trestle::http::ResponseParser;

constexpr std::size_t kBodyBytesMax = 256;  // small, so that the fuzzer reaches it

// A text of what was read.
std::string Read(std::string_view input, std::size_t piece_bytes) {
  ResponseParser parser(kBodyBytesMax);
  for (std::size_t at = 0; at < input.size(); at += piece_bytes)
    parser.Add(input.substr(at, piece_bytes));
  parser.Close();
  if (parser.state() == ResponseParser::State::kRefused) return std::string(parser.refusal());
  CHECK(parser.state() == ResponseParser::State::kComplete, "a closed connection ends a response");
  CHECK(parser.response().body.size() <= kBodyBytesMax, "a body within its bound");
  std::string out = std::to_string(parser.response().status) + '\n';
  for (const auto& [name, value] : parser.response().headers)
    out.append(name).append(1, ':').append(value).append(1, '\n');
  return out + parser.response().body;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece_bytes = std::max<std::size_t>(1, data[0]);
  CHECK(Read(input, input.size() + 1) == Read(input, piece_bytes), "pieces do not matter");
  return 0;
}
