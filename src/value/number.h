#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace trestle::value {

inline constexpr int kNumberDigitsMax = 38;
inline constexpr int kNumberExponentMax = 125;   // 9.99E+125
inline constexpr int kNumberExponentMin = -130;  // 1E-130

// A decimal number of up to 38 significant digits, kept as the bytes it is stored as.
// Two numbers are equal when their bytes are, and compare as their bytes do.
//
//   number   := zero | positive | negative
//   zero     := 80
//   positive := ff exponent pair* 00           exponent := u8(e + 130), for d.ddd x 10^e
//   negative := 01 exponent pair* ff           with exponent and pairs complemented
//   pair     := 1 + (two decimal digits)       the last one padded with a zero digit
//
// No pair is 00 or ff, so a number ends itself and may be followed by other key bytes.
// A released layout never changes; see docs/formats/keys.md.
class Number {
 public:
  Number();  // zero

  // Reads what a client sent: an optional sign, digits with an optional point, an optional
  // exponent. Fails with the service's texts for what is not a number, has too many digits,
  // or is out of range.
  [[nodiscard]] static Result<Number> Parse(std::string_view text);

  [[nodiscard]] static Number FromInteger(std::int64_t integer);

  // Takes one number from the front of `bytes`, as stored. kCorruption when they are not one.
  [[nodiscard]] static Result<Number> Take(std::string_view& bytes);

  [[nodiscard]] std::string_view encoded() const { return {bytes_, size_}; }

  friend std::strong_ordering operator<=>(const Number& left, const Number& right) {
    return left.encoded() <=> right.encoded();
  }
  friend bool operator==(const Number& left, const Number& right) {
    return left.encoded() == right.encoded();
  }

 private:
  friend class NumberWriter;

  char bytes_[24] = {};  // at most 1 + 1 + 19 + 1
  std::uint8_t size_;
};

// Exact sums. Fail when the result has more than 38 digits or is out of range.
[[nodiscard]] Result<Number> Add(const Number& left, const Number& right);
[[nodiscard]] Result<Number> Subtract(const Number& left, const Number& right);

// The canonical text of a stored number, without exponent and without needless zeros, as the
// service prints it: "0", "-12.5", "1" followed by 125 zeros.
void AppendNumberText(std::string_view encoded, std::string& out);
[[nodiscard]] std::string NumberText(std::string_view encoded);

// A stored number that is an integer of at most 18 digits; nothing for others.
[[nodiscard]] std::optional<std::int64_t> NumberInteger(std::string_view encoded);

// What the number counts for in an item's size: one byte, one for each two significant digits
// before the point and one for each two behind it, both rounded up, and one for a minus sign.
// Zeros at the start and the end are not significant: 1200 and 0.0012 count 2, 12.5 counts 3,
// 0 counts 1.
[[nodiscard]] std::size_t NumberSizeBytes(std::string_view encoded);

}  // namespace trestle::value
