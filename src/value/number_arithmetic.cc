// Exact sums of numbers, digit by digit.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "value/number.h"
#include "value/number_internal.h"

namespace trestle::value {
namespace {

// The places of all digits that two numbers can have, and one more in front for a carry.
constexpr std::size_t kSumDigitsMax =
    kNumberExponentMax - (kNumberExponentMin - kNumberDigitsMax + 1) + 2;

// The digits of a sum, highest first. Each may be out of 0..9 until the carries are done.
struct Sum {
  std::int64_t exponent = 0;  // of digit[0]
  std::size_t size = 0;
  std::array<std::int8_t, kSumDigitsMax> digit;

  void Accumulate(const Digits& number, int sign) {
    const auto start = static_cast<std::size_t>(exponent - number.exponent);
    for (std::size_t i = 0; i < static_cast<std::size_t>(number.count); ++i) {
      digit[start + i] = static_cast<std::int8_t>(digit[start + i] + sign * number.digit[i]);
    }
  }

  // Brings every digit but the first into 0..9.
  void Carry() {
    for (std::size_t i = size - 1; i > 0; --i) {
      const int carry = digit[i] > 9 ? 1 : digit[i] < 0 ? -1 : 0;
      digit[i] = static_cast<std::int8_t>(digit[i] - 10 * carry);
      digit[i - 1] = static_cast<std::int8_t>(digit[i - 1] + carry);
    }
  }

  void Negate() {
    for (std::size_t i = 0; i < size; ++i)
      digit[i] = static_cast<std::int8_t>(-digit[i]);
  }
};

Result<Number> ToNumber(const Sum& sum, bool negative) {
  std::size_t first = 0;
  std::size_t end = sum.size;
  while (first < end && sum.digit[first] == 0)
    ++first;
  if (first == end) return Number();
  while (sum.digit[end - 1] == 0)
    --end;

  Digits digits;
  digits.negative = negative;
  digits.exponent = sum.exponent - static_cast<std::int64_t>(first);
  digits.count = static_cast<std::int64_t>(end - first);
  const std::size_t kept = std::min(end - first, digits.digit.size());
  std::copy_n(sum.digit.begin() + first, kept, digits.digit.begin());
  return Encode(digits);
}

Result<Number> AddDigits(const Digits& left, const Digits& right) {
  if (left.count == 0) return Encode(right);
  if (right.count == 0) return Encode(left);

  Sum sum;
  sum.exponent = std::max(left.exponent, right.exponent) + 1;
  const std::int64_t end = std::min(left.exponent - left.count, right.exponent - right.count);
  sum.size = static_cast<std::size_t>(sum.exponent - end);
  std::fill_n(sum.digit.begin(), sum.size, std::int8_t{0});
  // Relative to the sign of `left`, so that digits stay within -9..18 and carries within -1..1.
  sum.Accumulate(left, 1);
  sum.Accumulate(right, left.negative == right.negative ? 1 : -1);
  sum.Carry();
  if (sum.digit[0] >= 0) return ToNumber(sum, left.negative);

  // `right` was the larger one: a borrow reached the front.
  sum.Negate();
  sum.Carry();
  return ToNumber(sum, right.negative);
}

}  // namespace

Result<Number> Add(const Number& left, const Number& right) {
  return AddDigits(Decode(left.encoded()), Decode(right.encoded()));
}

Result<Number> Subtract(const Number& left, const Number& right) {
  Digits negated = Decode(right.encoded());
  negated.negative = !negated.negative;
  return AddDigits(Decode(left.encoded()), negated);
}

}  // namespace trestle::value
