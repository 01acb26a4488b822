#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "value/number.h"

namespace trestle::value {

// A number taken apart: d.ddd x 10^exponent. The first and the last digit are not zero; no digits
// at all is zero. While a text is read or a sum is made, count and exponent may be out of range.
struct Digits {
  bool negative = false;
  std::int64_t exponent = 0;
  std::int64_t count = 0;
  std::array<std::uint8_t, kNumberDigitsMax> digit;  // only the first `count` of them are set
};

[[nodiscard]] Digits Decode(std::string_view encoded);

// Fails with the service's texts when exponent or count are out of range.
[[nodiscard]] Result<Number> Encode(const Digits& digits);

}  // namespace trestle::value
