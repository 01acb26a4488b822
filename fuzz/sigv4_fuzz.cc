// A signed request: the first line is the query, the second the Authorization header, the third
// the date, the rest the body. Nobody knows the secret, so nothing may pass.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "protocol/sigv4.h"

namespace trestle {
namespace {

std::string_view TakeLine(std::string_view& text) {
  const std::string_view line = text.substr(0, text.find('\n'));
  text.remove_prefix(std::min(line.size() + 1, text.size()));
  return line;
}

void Try(std::string_view text) {
  static const FixedClock kClock(1769903999'000);
  static const protocol::SignatureVerifier kEnforcing(
      {.keys = protocol::AccessKeys{{"AKIDEXAMPLE", "a secret that no input has"}},
       .region = "",
       .clock = &kClock});
  static const protocol::SignatureVerifier kOpen(
      {.keys = std::nullopt, .region = "", .clock = &kClock});

  const std::string_view query = TakeLine(text);
  const std::string_view authorization = TakeLine(text);
  const std::string_view date = TakeLine(text);
  const protocol::HeaderView headers[] = {{"Host", "127.0.0.1:8000"},
                                          {"Authorization", authorization},
                                          {"X-Amz-Date", date},
                                          {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
  const protocol::RequestView request{
      .method = "POST", .path = "/", .query = query, .headers = headers, .body = text};
  const auto refusal = kEnforcing.Verify(request);
  CHECK(refusal.has_value(), "a signature without the secret is refused");
  CHECK(!refusal->message.empty(), "a refusal says why");
  const bool passes = !kOpen.Verify(request).has_value();
  CHECK(!passes || !authorization.empty() || !query.empty(), "credentials are always needed");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
