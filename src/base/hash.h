#pragma once

#include <cstdint>
#include <string_view>

namespace trestle {

// XXH3, 64 bits, seed 0. It decides where a partition lies on disk, so it never changes.
[[nodiscard]] std::uint64_t StableHash(std::string_view bytes);

}  // namespace trestle
