#include "platform/cursor.h"

#include <optional>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/crypto.h"
#include "platform/problem.h"

namespace trestle::platform {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kHeadBytes = 1 + 8;

}  // namespace

CursorSealer::CursorSealer(std::string key, const Clock& clock)
    : key_(std::move(key)), clock_(clock) {
  CHECK(key_.size() == kSealKeyBytes, "a key that can seal");
}

std::string CursorSealer::Seal(std::string_view position, std::string_view question) const {
  std::string bytes(1, kFormat);
  AppendU64Be(bytes, static_cast<std::uint64_t>(clock_.NowUnixMs()));
  bytes += position;
  return Base64UrlEncode(trestle::Seal(key_, bytes, question));
}

Result<std::string> CursorSealer::Open(std::string_view cursor, std::string_view question) const {
  const auto sealed = Base64UrlDecode(cursor);
  const auto bytes = sealed ? Unseal(key_, *sealed, question) : std::nullopt;
  if (!bytes || bytes->size() < kHeadBytes || bytes->front() != kFormat) {
    return ProblemError("invalid-cursor",
                        "the cursor is not one that this request was given; start again without");
  }
  const auto made_unix_ms =
      static_cast<std::int64_t>(ReadU64Be(std::string_view(*bytes).substr(1)));
  if (clock_.NowUnixMs() - made_unix_ms > kCursorLifetimeMs) {
    return ProblemError("invalid-cursor",
                        "the cursor is older than seven days; start again without");
  }
  return bytes->substr(kHeadBytes);
}

}  // namespace trestle::platform
