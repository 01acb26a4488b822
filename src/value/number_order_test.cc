// The bytes of numbers: their order, their damage, and sums of them, against a slow reference that
// works on aligned digit strings.

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "value/number.h"
#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::Hex;
using testing::Unhex;

// A number written out with every digit that any number can have before and behind the point, so
// that two of them are aligned.
struct Aligned {
  bool negative = false;
  std::string digits;  // kBefore + kBehind of them

  static constexpr std::size_t kBefore = 127;  // one more than a number has, for a carry
  static constexpr std::size_t kBehind = 168;

  explicit Aligned(std::string text) {
    negative = text.front() == '-';
    if (negative) text.erase(0, 1);
    const std::size_t point = std::min(text.find('.'), text.size());
    const std::string behind = point < text.size() ? text.substr(point + 1) : "";
    digits = std::string(kBefore - point, '0') + text.substr(0, point) + behind +
             std::string(kBehind - behind.size(), '0');
  }

  [[nodiscard]] bool IsZero() const { return digits.find_first_not_of('0') == std::string::npos; }

  [[nodiscard]] std::string Text() const {
    if (IsZero()) return "0";
    std::string before = digits.substr(0, kBefore);
    before.erase(0, std::min(before.find_first_not_of('0'), kBefore - 1));
    std::string behind = digits.substr(kBefore);
    behind.erase(behind.find_last_not_of('0') + 1);
    return (negative ? "-" : "") + before + (behind.empty() ? "" : "." + behind);
  }

  [[nodiscard]] bool FitsNumber() const {
    if (IsZero()) return true;
    const std::size_t first = digits.find_first_not_of('0');
    const std::size_t last = digits.find_last_not_of('0');
    return last - first < 38 && first >= 1 && first <= kBefore + 129;
  }
};

int Compare(const Aligned& left, const Aligned& right) {
  if (left.negative != right.negative) return left.negative ? -1 : 1;
  const int order = left.digits.compare(right.digits);
  return left.negative ? -order : order;
}

// By hand, as on paper: add when the signs agree, else take the smaller from the larger.
Aligned SumOf(const Aligned& left, const Aligned& right) {
  const bool same_sign = left.negative == right.negative;
  const bool left_is_larger = left.digits >= right.digits;
  Aligned sum = left_is_larger ? left : right;
  const Aligned& other = left_is_larger ? right : left;
  int carry = 0;
  for (std::size_t i = sum.digits.size(); i-- > 0;) {
    const int top = sum.digits[i] - '0';
    const int bottom = other.digits[i] - '0' + carry;
    const int digit = same_sign ? top + bottom : top - bottom + 10;
    sum.digits[i] = static_cast<char>('0' + digit % 10);
    carry = same_sign ? digit / 10 : 1 - digit / 10;
  }
  EXPECT_EQ(carry, 0);
  if (sum.IsZero()) sum.negative = false;
  return sum;
}

class NumberReference : public ::testing::Test {
 protected:
  int Between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

  // Half of the numbers are near each other, so that their digits overlap; the digits are often
  // 0 and 9, where carries and ties are.
  std::string RandomText() {
    static constexpr std::string_view kDigits = "0000019999923456789";
    std::string text = Between(0, 1) == 0 ? "" : "-";
    const int count = Between(0, 1) == 0 ? Between(1, 4) : Between(1, 38);
    for (int i = 0; i < count; ++i) {
      text += kDigits[static_cast<std::size_t>(Between(0, static_cast<int>(kDigits.size()) - 1))];
    }
    const int exponent = Between(0, 1) == 0 ? Between(-40, 5) : Between(-167, 125);
    return text + "e" + std::to_string(exponent);
  }

  Number RandomNumber() {
    while (true) {
      const auto number = Number::Parse(RandomText());
      if (number.ok()) return *number;
    }
  }

  std::mt19937_64 random_{20240607};
};

TEST_F(NumberReference, BytesCompareAsTheNumbersDo) {
  for (int i = 0; i < 20'000; ++i) {
    const Number left = RandomNumber();
    const Number right = RandomNumber();
    const std::string left_text = NumberText(left.encoded());
    const std::string right_text = NumberText(right.encoded());
    const int expected = Compare(Aligned(left_text), Aligned(right_text));
    const int actual = left.encoded().compare(right.encoded());
    ASSERT_EQ(expected < 0, actual < 0) << left_text << " and " << right_text;
    ASSERT_EQ(expected == 0, actual == 0) << left_text << " and " << right_text;
    ASSERT_EQ(expected < 0, left < right);
    if (expected != 0) {
      ASSERT_FALSE(left.encoded().starts_with(right.encoded())) << left_text << ", " << right_text;
    }
  }
}

TEST_F(NumberReference, SumsAndDifferencesAreExact) {
  int fitting = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Number left = RandomNumber();
    const Number right = RandomNumber();
    const Aligned left_digits(NumberText(left.encoded()));
    Aligned right_digits(NumberText(right.encoded()));
    const auto check = [&](const Result<Number>& actual) {
      const Aligned expected = SumOf(left_digits, right_digits);
      const std::string what = left_digits.Text() + " and " + right_digits.Text();
      ASSERT_EQ(actual.ok(), expected.FitsNumber()) << what;
      if (actual.ok()) {
        ASSERT_EQ(NumberText(actual->encoded()), expected.Text()) << what;
        ++fitting;
      }
    };
    check(Add(left, right));
    if (!right_digits.IsZero()) right_digits.negative = !right_digits.negative;
    check(Subtract(left, right));
  }
  EXPECT_GT(fitting, 5'000);
}

Number Of(std::string_view text) { return *Number::Parse(text); }

TEST(NumberArithmetic, RefusesWhatDoesNotFit) {
  const Number largest = Of("99999999999999999999999999999999999999e88");
  EXPECT_EQ(Add(largest, Of("1e88")).error().message(),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(Subtract(Of("1.1e-130"), Of("1e-130")).error().message(),
            "Number underflow. Attempting to store a number with magnitude smaller than supported "
            "range");
  EXPECT_EQ(Add(Of("1e38"), Of("1")).error().message(),
            "Attempting to store more than 38 significant digits in a Number");
  EXPECT_EQ(Subtract(Of("1e125"), Of("1e-130")).error().message(),
            "Attempting to store more than 38 significant digits in a Number");
  EXPECT_EQ(Add(Of("1e38"), Of("1")).error().code(), ErrorCode::kValidation);
}

TEST(NumberArithmetic, KeepsAllThatFits) {
  EXPECT_EQ(*Add(Of("0.1"), Of("0.2")), Of("0.3"));
  EXPECT_EQ(*Add(Of("1e37"), Of("1")), Of("10000000000000000000000000000000000001"));
  EXPECT_EQ(*Add(Of("99999999999999999999999999999999999999"), Of("1")), Of("1e38"));
  EXPECT_EQ(*Subtract(Of("5"), Of("5")), Number());
  EXPECT_EQ(*Subtract(Number(), Of("7")), Of("-7"));
  EXPECT_EQ(*Subtract(Number(), Number()), Number());
  EXPECT_EQ(*Add(Of("-5"), Of("-6")), Of("-11"));
  EXPECT_EQ(*Subtract(Of("1"), Of("1000")), Of("-999"));
}

TEST(NumberBytes, AreTheseForEver) {
  const std::pair<const char*, const char*> golden[] = {
      {"0", "80"},
      {"1", "ff820b00"},
      {"-1", "017df4ff"},
      {"10", "ff830b00"},
      {"12", "ff830d00"},
      {"123.45", "ff840d233300"},
      {"-123.45", "017bf2dcccff"},
      {"0.001", "ff7f0b00"},
      {"-0.001", "0180f4ff"},
      {"99", "ff836400"},
      {"1001", "ff850b0200"},
      {"1E-130", "ff000b00"},
      {"-1E-130", "01fff4ff"},
      {"1E+125", "ffff0b00"},
      {"-1E+125", "0100f4ff"},
      {"99999999999999999999999999999999999999", "ffa76464646464646464646464646464646464646400"},
  };
  for (const auto& [text, hex] : golden) {
    EXPECT_EQ(Hex(Of(text).encoded()), hex) << text;
    const std::string bytes = Unhex(hex);
    std::string_view rest = bytes;
    EXPECT_EQ(*Number::Take(rest), Of(text)) << text;
    EXPECT_TRUE(rest.empty());
  }
}

TEST(NumberTake, LeavesWhatFollows) {
  const std::string bytes = Unhex("ff820b00") + Unhex("80") + Unhex("017df4ff") + "tail";
  std::string_view rest = bytes;
  EXPECT_EQ(*Number::Take(rest), Of("1"));
  EXPECT_EQ(*Number::Take(rest), Number());
  EXPECT_EQ(*Number::Take(rest), Of("-1"));
  EXPECT_EQ(rest, "tail");
}

TEST(NumberTake, RefusesDamage) {
  const std::pair<const char*, const char*> damaged[] = {
      {"", "nothing"},
      {"00", "an unknown first byte"},
      {"81", "an unknown first byte"},
      {"ff", "no exponent"},
      {"ff82", "no digits and no end"},
      {"ff8200", "no digits"},
      {"ff820b", "no end"},
      {"ff82650000", "a pair over 99"},
      {"ff820200", "a leading zero digit"},
      {"ff820b0100", "a trailing zero pair"},
      {"ff820b0bff00", "a byte that is no pair"},
      {"017df4", "no end, negative"},
      {"017dff", "no digits, negative"},
      {"017df400", "a byte that is no pair, negative"},
      {"017df4feff", "a trailing zero pair, negative"},
      {"ff820b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b00", "twenty pairs"},
  };
  for (const auto& [hex, what] : damaged) {
    const std::string bytes = Unhex(hex);
    std::string_view rest = bytes;
    const auto number = Number::Take(rest);
    ASSERT_FALSE(number.ok()) << what;
    EXPECT_EQ(number.error().code(), ErrorCode::kCorruption) << what;
  }
}

}  // namespace
}  // namespace trestle::value
