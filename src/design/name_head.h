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

// Of two names with the same head. Few are longer than two heads, so that most are equal when their
// last bytes are.
[[nodiscard]] inline int CompareTails(std::string_view left, std::string_view right) {
  const std::size_t size = left.size();
  if (size == right.size()) {
    if (size <= kNameHeadBytes) return 0;
    const std::size_t last = size - kNameHeadBytes;
    if (size <= 2 * kNameHeadBytes &&
        std::memcmp(left.data() + last, right.data() + last, kNameHeadBytes) == 0) {
      return 0;
    }
  }
  return left.compare(right);
}

}  // namespace trestle::design
