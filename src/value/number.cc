#include "value/number.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "value/number_internal.h"

namespace trestle::value {
namespace {

constexpr char kZeroByte = '\x80';
constexpr char kPositiveByte = '\xff';
constexpr char kNegativeByte = '\x01';
constexpr int kPairsMax = kNumberDigitsMax / 2;

Error NotANumber(std::string_view text) {
  if (text.empty()) return ValidationError("The parameter cannot be converted to a numeric value");
  return ValidationError(
      fmt::format("The parameter cannot be converted to a numeric value: {}", text));
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// All bytes of a negative number except the first are those of the positive one, complemented.
std::uint8_t MaskOf(std::string_view encoded) {
  return encoded.front() == kNegativeByte ? 0xff : 0x00;
}

int ExponentOf(std::string_view encoded) {
  return (static_cast<std::uint8_t>(encoded[1]) ^ MaskOf(encoded)) + kNumberExponentMin;
}

// The pairs of a number that is not zero, still with one added and perhaps complemented.
std::string_view PairsOf(std::string_view encoded) { return encoded.substr(2, encoded.size() - 3); }

int PairValue(char byte, std::uint8_t mask) { return (static_cast<std::uint8_t>(byte) ^ mask) - 1; }

// How many digits the pairs hold: the last digit may be padding.
std::size_t DigitCount(std::string_view encoded) {
  const std::string_view pairs = PairsOf(encoded);
  const bool padded = PairValue(pairs.back(), MaskOf(encoded)) % 10 == 0;
  return 2 * pairs.size() - (padded ? 1 : 0);
}

// "000102...99".
constexpr auto kPairTexts = [] {
  std::array<char, 200> texts{};
  for (int i = 0; i < 200; ++i) {
    texts[static_cast<std::size_t>(i)] =
        static_cast<char>('0' + (i % 2 == 0 ? i / 20 : i / 2 % 10));
  }
  return texts;
}();

}  // namespace

// Writes the bytes of a number that is not zero, in place: copying a Number just after its bytes
// were written one by one costs more than writing them.
class NumberWriter {
 public:
  NumberWriter(bool negative, int exponent, Number& number)
      : number_(number), mask_(negative ? 0xff : 0x00) {
    number_.bytes_[0] = negative ? kNegativeByte : kPositiveByte;
    number_.bytes_[1] = Masked(exponent - kNumberExponentMin);
  }

  void SetPair(int index, int pair) { number_.bytes_[2 + index] = Masked(pair + 1); }

  void Finish(int pair_count) {
    number_.bytes_[2 + pair_count] = Masked(0);
    number_.size_ = static_cast<std::uint8_t>(pair_count + 3);
  }

  // A number from bytes that were checked.
  [[nodiscard]] static Number Copy(std::string_view encoded) {
    Number number;
    std::memcpy(number.bytes_, encoded.data(), encoded.size());
    number.size_ = static_cast<std::uint8_t>(encoded.size());
    return number;
  }

 private:
  [[nodiscard]] char Masked(int byte) const { return static_cast<char>(byte ^ mask_); }

  Number& number_;
  std::uint8_t mask_;
};

namespace {

constexpr auto kPowersOfTen = [] {
  std::array<std::uint64_t, 20> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) {
    powers[i] = powers[i - 1] * 10;
  }
  return powers;
}();

int DecimalLength(std::uint64_t value) {
  // 1233 / 4096 is log10(2), closely enough: the guess is right or one too low.
  const int guess = static_cast<int>(std::bit_width(value)) * 1233 >> 12;
  return guess + (value >= kPowersOfTen[static_cast<std::size_t>(guess)] ? 1 : 0);
}

// (-1)^negative x mantissa / 10^scale.
struct ShortNumber {
  bool negative;
  std::uint64_t mantissa;
  int scale;
};

// The number must be in range.
Number Encode(const ShortNumber& short_number) {
  Number number;
  std::uint64_t mantissa = short_number.mantissa;
  if (mantissa == 0) return number;
  const int length = DecimalLength(mantissa);
  int pair_count = (length + 1) / 2;
  NumberWriter writer(short_number.negative, length - 1 - short_number.scale, number);

  int at = pair_count;
  if (length % 2 == 1) {
    writer.SetPair(--at, static_cast<int>(mantissa % 10) * 10);
    if (mantissa % 10 == 0) --pair_count;
    mantissa /= 10;
  }
  while (at > 0) {
    const auto pair = static_cast<int>(mantissa % 100);
    mantissa /= 100;
    writer.SetPair(--at, pair);
    if (pair == 0 && pair_count == at + 1) pair_count = at;
  }
  writer.Finish(pair_count);
  return number;
}

constexpr std::size_t kShortDigitsMax = 18;  // they fit 64 bits

// The usual number: at most 18 digits, perhaps a minus and a point. Nothing for any other text.
std::optional<ShortNumber> ParseShort(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.size() > kShortDigitsMax + 1) return std::nullopt;

  std::uint64_t mantissa = 0;
  std::size_t point = text.size();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (IsDigit(text[i])) {
      mantissa = mantissa * 10 + static_cast<std::uint64_t>(text[i] - '0');
    } else if (text[i] == '.' && point == text.size()) {
      point = i;
    } else {
      return std::nullopt;
    }
  }
  const bool has_point = point != text.size();
  const std::size_t digit_count = text.size() - (has_point ? 1 : 0);
  if (digit_count == 0 || digit_count > kShortDigitsMax) return std::nullopt;
  const int scale = has_point ? static_cast<int>(digit_count - point) : 0;
  return ShortNumber{.negative = negative, .mantissa = mantissa, .scale = scale};
}

// Beyond the range of numbers, and of the lengths of texts that could make up for it.
constexpr std::int64_t kExponentFarAway = 1'000'000'000'000'000;

// The exponent after its 'e': an optional sign, then at least one digit. It does not grow beyond
// kExponentFarAway.
std::optional<std::int64_t> ParseExponent(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative || (!text.empty() && text.front() == '+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;

  std::int64_t exponent = 0;
  for (const char c : text) {
    if (!IsDigit(c)) return std::nullopt;
    exponent = std::min(exponent * 10 + (c - '0'), kExponentFarAway);
  }
  return negative ? -exponent : exponent;
}

// Takes digits and at most one point from the front of `rest`: `digits` without their sign. False
// when there is no digit. Of what follows the first 38 significant digits, only the count is kept.
bool TakeDigits(std::string_view& rest, Digits& digits) {
  std::int64_t before_point = 0;  // digits before the point, less zeros in front
  std::int64_t significant = 0;   // digits from the first that is not zero
  bool has_point = false;
  bool has_digit = false;
  for (; !rest.empty(); rest.remove_prefix(1)) {
    const char c = rest.front();
    if (c == '.' && !has_point) {
      has_point = true;
      continue;
    }
    if (!IsDigit(c)) break;
    has_digit = true;
    if (significant == 0 && c == '0') {
      if (has_point) --before_point;
      continue;
    }
    if (!has_point) ++before_point;
    if (significant < kNumberDigitsMax) {
      digits.digit[static_cast<std::size_t>(significant)] = static_cast<std::uint8_t>(c - '0');
    }
    ++significant;
    if (c != '0') digits.count = significant;
  }
  digits.exponent = before_point - 1;
  return has_digit;
}

// Any number, of any length.
Result<Number> ParseLong(std::string_view text) {
  std::string_view rest = text;
  Digits digits;
  if (!rest.empty() && (rest.front() == '-' || rest.front() == '+')) {
    digits.negative = rest.front() == '-';
    rest.remove_prefix(1);
  }
  if (!TakeDigits(rest, digits)) return NotANumber(text);
  if (!rest.empty()) {
    if (rest.front() != 'e' && rest.front() != 'E') return NotANumber(text);
    const std::optional<std::int64_t> exponent = ParseExponent(rest.substr(1));
    if (!exponent) return NotANumber(text);
    digits.exponent += *exponent;
  }
  return Encode(digits);
}

}  // namespace

Result<Number> Encode(const Digits& digits) {
  if (digits.count == 0) return Number();
  if (digits.exponent > kNumberExponentMax) {
    return ValidationError(
        "Number overflow. Attempting to store a number with magnitude larger than supported range");
  }
  if (digits.exponent < kNumberExponentMin) {
    return ValidationError(
        "Number underflow. Attempting to store a number with magnitude smaller than supported "
        "range");
  }
  if (digits.count > kNumberDigitsMax) {
    return ValidationError("Attempting to store more than 38 significant digits in a Number");
  }

  Number number;
  NumberWriter writer(digits.negative, static_cast<int>(digits.exponent), number);
  const auto count = static_cast<std::size_t>(digits.count);
  int pair_count = 0;
  for (std::size_t i = 0; i < count; i += 2) {
    const int low = i + 1 < count ? digits.digit[i + 1] : 0;
    writer.SetPair(pair_count++, digits.digit[i] * 10 + low);
  }
  writer.Finish(pair_count);
  return number;
}

Digits Decode(std::string_view encoded) {
  Digits digits;
  if (encoded.front() == kZeroByte) return digits;
  const std::uint8_t mask = MaskOf(encoded);
  digits.negative = mask != 0;
  digits.exponent = ExponentOf(encoded);
  std::size_t count = 0;
  for (const char byte : PairsOf(encoded)) {
    const int pair = PairValue(byte, mask);
    digits.digit[count++] = static_cast<std::uint8_t>(pair / 10);
    digits.digit[count++] = static_cast<std::uint8_t>(pair % 10);
  }
  digits.count = static_cast<std::int64_t>(DigitCount(encoded));
  return digits;
}

Number::Number() : size_(1) { bytes_[0] = kZeroByte; }

Result<Number> Number::Parse(std::string_view text) {
  if (const std::optional<ShortNumber> number = ParseShort(text)) return Encode(*number);
  return ParseLong(text);
}

Number Number::FromInteger(std::int64_t integer) {
  const auto bits = static_cast<std::uint64_t>(integer);
  return Encode(
      ShortNumber{.negative = integer < 0, .mantissa = integer < 0 ? 0 - bits : bits, .scale = 0});
}

Result<Number> Number::Take(std::string_view& bytes) {
  const Error damaged = CorruptionError("a number's bytes are damaged");
  if (bytes.empty()) return damaged;
  if (bytes.front() == kZeroByte) {
    bytes.remove_prefix(1);
    return Number();
  }
  if (bytes.front() != kPositiveByte && bytes.front() != kNegativeByte) return damaged;
  const std::uint8_t mask = MaskOf(bytes);

  int pair = 0;
  std::size_t end = 2;
  for (; end < bytes.size() && PairValue(bytes[end], mask) >= 0; ++end) {
    pair = PairValue(bytes[end], mask);
    if (pair > 99 || end - 2 == kPairsMax) return damaged;
    if (end == 2 && pair < 10) return damaged;
  }
  const bool ends = end < bytes.size();
  if (!ends || end == 2 || pair == 0) return damaged;

  const Number number = NumberWriter::Copy(bytes.substr(0, end + 1));
  bytes.remove_prefix(end + 1);
  return number;
}

void AppendNumberText(std::string_view encoded, std::string& out) {
  if (encoded.front() == kZeroByte) {
    out.push_back('0');
    return;
  }
  const std::uint8_t mask = MaskOf(encoded);
  if (mask != 0) out.push_back('-');

  char digits[kNumberDigitsMax];
  char* end = digits;
  for (const char byte : PairsOf(encoded)) {
    const auto pair = static_cast<std::size_t>(PairValue(byte, mask));
    end = std::copy_n(kPairTexts.data() + 2 * pair, 2, end);
  }
  const std::size_t count = DigitCount(encoded);

  const int exponent = ExponentOf(encoded);
  if (exponent < 0) {
    out.append("0.");
    out.append(static_cast<std::size_t>(-exponent - 1), '0');
    out.append(digits, count);
    return;
  }
  const std::size_t before_point = static_cast<std::size_t>(exponent) + 1;
  out.append(digits, std::min(count, before_point));
  if (count <= before_point) {
    out.append(before_point - count, '0');
  } else {
    out.push_back('.');
    out.append(digits + before_point, count - before_point);
  }
}

std::string NumberText(std::string_view encoded) {
  std::string text;
  AppendNumberText(encoded, text);
  return text;
}

std::optional<std::int64_t> NumberInteger(std::string_view encoded) {
  constexpr int kDigitsMax = 18;
  if (encoded.front() == kZeroByte) return 0;
  const int digits = ExponentOf(encoded) + 1;  // before the point
  if (digits > kDigitsMax || static_cast<int>(DigitCount(encoded)) > digits) return std::nullopt;
  const std::uint8_t mask = MaskOf(encoded);
  std::int64_t integer = 0;
  int read = 0;
  for (const char byte : PairsOf(encoded)) {
    const int pair = PairValue(byte, mask);
    read += 2;
    // The last pair is padded with a zero.
    integer = read > digits ? integer * 10 + pair / 10 : integer * 100 + pair;
  }
  for (; read < digits; ++read)
    integer *= 10;
  return mask != 0 ? -integer : integer;
}

std::size_t NumberSizeBytes(std::string_view encoded) {
  if (encoded.front() == kZeroByte) return 1;
  const auto count = static_cast<int>(DigitCount(encoded));
  const int before_point = std::clamp(ExponentOf(encoded) + 1, 0, count);
  const int behind_point = count - before_point;
  const int sign = MaskOf(encoded) != 0 ? 1 : 0;
  const int size = 1 + (before_point + 1) / 2 + (behind_point + 1) / 2 + sign;
  return static_cast<std::size_t>(size);
}

}  // namespace trestle::value
