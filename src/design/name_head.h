#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace trestle::design {

inline constexpr std::size_t kNameHeadBytes = 8;

// The first bytes of a name as a number: names whose heads differ have the order of their heads.
// `readable` bytes can be read from where the name begins; more than it has is quicker.
[[nodiscard]] inline std::uint64_t NameHead(std::string_view name, std::size_t readable) {
  std::uint64_t bytes = 0;
  if (readable >= kNameHeadBytes) {
    std::memcpy(&bytes, name.data(), kNameHeadBytes);
  } else if (!name.empty()) {
    std::memcpy(&bytes, name.data(), std::min(name.size(), kNameHeadBytes));
  }
  const std::uint64_t head = __builtin_bswap64(bytes);
  if (name.size() >= kNameHeadBytes) return head;
  if (name.empty()) return 0;
  return head & (~std::uint64_t{0} << (8 * (kNameHeadBytes - name.size())));
}

// Of two names with the same head.
[[nodiscard]] inline int CompareTails(std::string_view left, std::string_view right) {
  if (left.size() == right.size() && left.size() <= kNameHeadBytes) return 0;
  return left.compare(right);
}

}  // namespace trestle::design
