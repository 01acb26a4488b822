#include "design/identifier.h"

#include <string_view>

#include <fmt/format.h>

namespace trestle::design {
namespace {

constexpr std::uint64_t kTimeMax = (1ULL << 48) - 1;
constexpr std::uint64_t kUuidHighMax = (1ULL << 12) - 1;
constexpr std::uint64_t kUuidLowMax = (1ULL << 62) - 1;
constexpr std::uint64_t kUlidHighMax = (1ULL << 16) - 1;
constexpr std::uint64_t kUlidLowMax = ~0ULL;
constexpr std::uint64_t kStepMax = (1ULL << 32) - 1;
constexpr std::string_view kAlphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

}  // namespace

void Identifiers::Advance(Parts& last, std::int64_t now_unix_ms, std::uint64_t high_max,
                          std::uint64_t low_max) {
  const auto now = static_cast<std::uint64_t>(now_unix_ms) & kTimeMax;
  if (now > last.time_ms) {
    last = {now, random_.Next() & high_max, random_.Next() & low_max};
    return;
  }
  const std::uint64_t step = 1 + (random_.Next() & kStepMax);
  const bool carries = last.low > low_max - step;
  last.low = (last.low + step) & low_max;
  if (!carries) return;
  last.high = (last.high + 1) & high_max;
  if (last.high == 0) ++last.time_ms;
}

std::string Identifiers::Uuid(std::int64_t now_unix_ms) {
  const MutexLock lock(mutex_);
  Advance(uuid_, now_unix_ms, kUuidHighMax, kUuidLowMax);
  const std::uint64_t low = uuid_.low | 1ULL << 63;
  return fmt::format("{:08x}-{:04x}-7{:03x}-{:04x}-{:012x}", uuid_.time_ms >> 16,
                     uuid_.time_ms & 0xffff, uuid_.high, low >> 48, low & 0xffffffffffffULL);
}

std::string Identifiers::Ulid(std::int64_t now_unix_ms) {
  const MutexLock lock(mutex_);
  Advance(ulid_, now_unix_ms, kUlidHighMax, kUlidLowMax);
  std::string text(26, '0');
  std::uint64_t time = ulid_.time_ms;
  for (std::size_t i = 10; i-- > 0; time >>= 5)
    text[i] = kAlphabet[time & 31];
  std::uint64_t low = ulid_.low;
  std::uint64_t high = ulid_.high;
  for (std::size_t i = 26; i-- > 10;) {
    text[i] = kAlphabet[low & 31];
    low = low >> 5 | high << 59;
    high >>= 5;
  }
  return text;
}

}  // namespace trestle::design
