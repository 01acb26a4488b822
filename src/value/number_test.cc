// Numbers as texts: what is read, what is refused, what comes back, and what it counts.

#include "value/number.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::value {
namespace {

std::string Run(std::size_t count, char c) { return std::string(count, c); }
std::string Digits38() { return "12345678901234567890123456789012345678"; }

struct Accepted {
  std::string text;
  std::string canonical;
  std::size_t size_bytes;
};

std::vector<Accepted> AllAccepted() {
  return {
      {"0", "0", 1},
      {"-0", "0", 1},
      {"+0", "0", 1},
      {"00", "0", 1},
      {"0000", "0", 1},
      {"0.", "0", 1},
      {".0", "0", 1},
      {"0.0", "0", 1},
      {"-0.0", "0", 1},
      {"+.0", "0", 1},
      {"000.000", "0", 1},
      {"0e0", "0", 1},
      {"0E5", "0", 1},
      {"0e-999", "0", 1},
      {"0e999", "0", 1},
      {"-0e400", "0", 1},
      {"0e" + Run(20, '9'), "0", 1},
      {"0.00e-" + Run(20, '9'), "0", 1},
      {"-.0E+7", "0", 1},
      {"1", "1", 2},
      {"+1", "1", 2},
      {"-1", "-1", 3},
      {"01", "1", 2},
      {"-01", "-1", 3},
      {"+01", "1", 2},
      {"007", "7", 2},
      {"-007", "-7", 3},
      {"1.", "1", 2},
      {"1.0", "1", 2},
      {"-1.0", "-1", 3},
      {"1.50", "1.5", 3},
      {"01.50", "1.5", 3},
      {".5", "0.5", 2},
      {"-.5", "-0.5", 3},
      {"+.5", "0.5", 2},
      {"0.5", "0.5", 2},
      {"-0.5", "-0.5", 3},
      {"00.5", "0.5", 2},
      {"5.", "5", 2},
      {"-5.", "-5", 3},
      {"+5.", "5", 2},
      {"10", "10", 2},
      {"-10", "-10", 3},
      {"100", "100", 2},
      {"1000", "1000", 2},
      {"1200", "1200", 2},
      {"120", "120", 2},
      {"12", "12", 2},
      {"123", "123", 3},
      {"1234", "1234", 3},
      {"12345", "12345", 4},
      {"123456", "123456", 4},
      {"1234567", "1234567", 5},
      {"12345678", "12345678", 5},
      {"123456789", "123456789", 6},
      {"1234567890", "1234567890", 6},
      {"0.1", "0.1", 2},
      {"0.01", "0.01", 2},
      {"0.001", "0.001", 2},
      {"0.0001", "0.0001", 2},
      {"0.12", "0.12", 2},
      {"0.012", "0.012", 2},
      {"0.0012", "0.0012", 2},
      {"0.123", "0.123", 3},
      {"0.0123", "0.0123", 3},
      {"0.10", "0.1", 2},
      {"0.100", "0.1", 2},
      {"-0.1", "-0.1", 3},
      {"-0.01", "-0.01", 3},
      {"-0.012", "-0.012", 3},
      {"1.1", "1.1", 3},
      {"1.01", "1.01", 3},
      {"1.001", "1.001", 4},
      {"1.0001", "1.0001", 4},
      {"10.1", "10.1", 3},
      {"10.01", "10.01", 3},
      {"100.1", "100.1", 4},
      {"100.001", "100.001", 5},
      {"1000.001", "1000.001", 5},
      {"12.5", "12.5", 3},
      {"-12.5", "-12.5", 4},
      {"12.34", "12.34", 3},
      {"123.4", "123.4", 4},
      {"123.45", "123.45", 4},
      {"-123.45", "-123.45", 5},
      {"1234.5678", "1234.5678", 5},
      {"99.99", "99.99", 3},
      {"999.999", "999.999", 5},
      {"-999.999", "-999.999", 6},
      {"3.14159", "3.14159", 5},
      {"2.718281828459045", "2.718281828459045", 10},
      {"1e0", "1", 2},
      {"1E0", "1", 2},
      {"1e1", "10", 2},
      {"1E+1", "10", 2},
      {"1e-1", "0.1", 2},
      {"1E-01", "0.1", 2},
      {"1e+01", "10", 2},
      {"1e" + Run(19, '0') + "1", "10", 2},
      {"1e-" + Run(19, '0') + "1", "0.1", 2},
      {"1E+10", "10000000000", 2},
      {"1e10", "10000000000", 2},
      {"1.5e3", "1500", 2},
      {"1.5E-3", "0.0015", 2},
      {"-1.5e3", "-1500", 3},
      {"15e-1", "1.5", 3},
      {"150e-2", "1.5", 3},
      {"-150e-2", "-1.5", 4},
      {"12.5e1", "125", 3},
      {"0.00012e4", "1.2", 3},
      {"0.00012e8", "12000", 2},
      {".5e1", "5", 2},
      {"5.e1", "50", 2},
      {"5.e-1", "0.5", 2},
      {"+5e+5", "500000", 2},
      {"1e20", "1" + Run(20, '0'), 2},
      {"1e-20", "0." + Run(19, '0') + "1", 2},
      {"123e18", "123" + Run(18, '0'), 3},
      {"123e-18", "0." + Run(15, '0') + "123", 3},
      {"999e36", "999" + Run(36, '0'), 3},
      {"1e37", "1" + Run(37, '0'), 2},
      {"1e38", "1" + Run(38, '0'), 2},
      {"1e39", "1" + Run(39, '0'), 2},
      {"1e-37", "0." + Run(36, '0') + "1", 2},
      {"1e-38", "0." + Run(37, '0') + "1", 2},
      {"1e-39", "0." + Run(38, '0') + "1", 2},
      {"100e-2", "1", 2},
      {"1000000e-6", "1", 2},
      {"0.000001e6", "1", 2},
      {Run(18, '9'), Run(18, '9'), 10},
      {Run(19, '9'), Run(19, '9'), 11},
      {Run(20, '9'), Run(20, '9'), 11},
      {"123456789012345678", "123456789012345678", 10},
      {"1234567890123456789", "1234567890123456789", 11},
      {"12345678901234567890", "12345678901234567890", 11},
      {"1" + Run(17, '0'), "1" + Run(17, '0'), 2},
      {"1" + Run(18, '0'), "1" + Run(18, '0'), 2},
      {"1" + Run(19, '0'), "1" + Run(19, '0'), 2},
      {"-" + Run(18, '9'), "-" + Run(18, '9'), 11},
      {"-" + Run(19, '9'), "-" + Run(19, '9'), 12},
      {"0.123456789012345678", "0.123456789012345678", 10},
      {"0.1234567890123456789", "0.1234567890123456789", 11},
      {"-0.12345678901234567", "-0.12345678901234567", 11},
      {"1.23456789012345678", "1.23456789012345678", 11},
      {"123456789.123456789", "123456789.123456789", 11},
      {"12345678.1234567890", "12345678.123456789", 10},
      {"1234567.12345678900", "1234567.123456789", 10},
      {Run(17, '0') + "1", "1", 2},
      {Run(18, '0') + "1", "1", 2},
      {Run(25, '0') + "1", "1", 2},
      {"0." + Run(17, '0') + "1", "0." + Run(17, '0') + "1", 2},
      {"0." + Run(18, '0') + "1", "0." + Run(18, '0') + "1", 2},
      {"9223372036854775807", "9223372036854775807", 11},
      {"-9223372036854775808", "-9223372036854775808", 12},
      {"18446744073709551615", "18446744073709551615", 11},
      {"18446744073709551616", "18446744073709551616", 11},
      {"1" + Run(17, '0') + ".5", "1" + Run(17, '0') + ".5", 11},
      {"1" + Run(18, '0') + ".5", "1" + Run(18, '0') + ".5", 12},
      {Digits38(), Digits38(), 20},
      {"-" + Digits38(), "-" + Digits38(), 21},
      {Digits38() + "0", Digits38() + "0", 20},
      {Digits38() + "00000", Digits38() + "00000", 20},
      {Digits38() + ".", Digits38(), 20},
      {Digits38() + ".0", Digits38(), 20},
      {"0." + Digits38(), "0." + Digits38(), 20},
      {"0.000" + Digits38(), "0.000" + Digits38(), 20},
      {"-0." + Digits38(), "-0." + Digits38(), 21},
      {"1234567890123456789.0123456789012345678", "1234567890123456789.0123456789012345678", 21},
      {"1.2345678901234567890123456789012345678", "1.2345678901234567890123456789012345678", 21},
      {"1234567890123456789012345678901234567.8", "1234567890123456789012345678901234567.8", 21},
      {"12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678", 20},
      {Digits38() + "e87", Digits38() + Run(87, '0'), 20},
      {"-" + Digits38() + "e87", "-" + Digits38() + Run(87, '0'), 21},
      {Digits38() + "e88", Digits38() + Run(88, '0'), 20},
      {Digits38() + "e-167", "0." + Run(129, '0') + Digits38(), 20},
      {"0." + Digits38() + "e-129", "0." + Run(129, '0') + Digits38(), 20},
      {Run(50, '0') + Digits38(), Digits38(), 20},
      {Digits38() + "." + Run(60, '0'), Digits38(), 20},
      {"0." + Run(92, '0') + Digits38(), "0." + Run(92, '0') + Digits38(), 20},
      {"+" + Digits38(), Digits38(), 20},
      {Run(38, '9'), Run(38, '9'), 20},
      {"-" + Run(38, '9'), "-" + Run(38, '9'), 21},
      {Run(38, '9') + "0", Run(38, '9') + "0", 20},
      {Run(38, '9') + ".0", Run(38, '9'), 20},
      {"1" + Run(36, '0') + "1", "1" + Run(36, '0') + "1", 20},
      {"1." + Run(36, '0') + "1", "1." + Run(36, '0') + "1", 21},
      {"0." + Run(38, '1'), "0." + Run(38, '1'), 20},
      {"0.0" + Run(38, '1'), "0.0" + Run(38, '1'), 20},
      {Digits38() + "e1", Digits38() + "0", 20},
      {"9." + Run(37, '9') + "E+125", Run(38, '9') + Run(88, '0'), 20},
      {"-9." + Run(37, '9') + "E+125", "-" + Run(38, '9') + Run(88, '0'), 21},
      {Run(38, '9') + "E+88", Run(38, '9') + Run(88, '0'), 20},
      {Run(38, '9') + "e87", Run(38, '9') + Run(87, '0'), 20},
      {"1E+125", "1" + Run(125, '0'), 2},
      {"-1E+125", "-1" + Run(125, '0'), 3},
      {"10E+124", "1" + Run(125, '0'), 2},
      {"0.1E+126", "1" + Run(125, '0'), 2},
      {"0.01E+127", "1" + Run(125, '0'), 2},
      {"9.99E+125", "999" + Run(123, '0'), 3},
      {"9.99e125", "999" + Run(123, '0'), 3},
      {"1" + Run(125, '0'), "1" + Run(125, '0'), 2},
      {Run(38, '9') + Run(88, '0'), Run(38, '9') + Run(88, '0'), 20},
      {"1E-130", "0." + Run(129, '0') + "1", 2},
      {"-1E-130", "-0." + Run(129, '0') + "1", 3},
      {"1.5E-130", "0." + Run(129, '0') + "15", 2},
      {"1." + Run(37, '9') + "E-130", "0." + Run(129, '0') + "1" + Run(37, '9'), 20},
      {"0.1E-129", "0." + Run(129, '0') + "1", 2},
      {"10E-131", "0." + Run(129, '0') + "1", 2},
      {"0." + Run(129, '0') + "1", "0." + Run(129, '0') + "1", 2},
      {"0." + Run(129, '0') + "9", "0." + Run(129, '0') + "9", 2},
      {"1E-129", "0." + Run(128, '0') + "1", 2},
      {"9E-130", "0." + Run(129, '0') + "9", 2},
  };
}

enum class Refusal { kNotANumber, kOverflow, kUnderflow, kDigits };

struct Refused {
  std::string text;
  Refusal refusal;
};

std::vector<Refused> AllRefused() {
  return {
      {Digits38() + "e-168", Refusal::kUnderflow},
      {"-" + Digits38() + "e-168", Refusal::kUnderflow},
      {"0." + Digits38() + "e-130", Refusal::kUnderflow},
      {Run(39, '9'), Refusal::kDigits},
      {"-" + Run(39, '9'), Refusal::kDigits},
      {Run(38, '9') + ".9", Refusal::kDigits},
      {"1" + Run(37, '0') + "1", Refusal::kDigits},
      {"1." + Run(37, '0') + "1", Refusal::kDigits},
      {"0." + Run(39, '1'), Refusal::kDigits},
      {Digits38() + "1", Refusal::kDigits},
      {Digits38() + "1e-10", Refusal::kDigits},
      {Digits38() + "01", Refusal::kDigits},
      {Digits38() + "1e5", Refusal::kDigits},
      {Run(100, '1'), Refusal::kDigits},
      {"9." + Run(38, '9') + "E+125", Refusal::kDigits},
      {"1E+126", Refusal::kOverflow},
      {"-1E+126", Refusal::kOverflow},
      {"10E+125", Refusal::kOverflow},
      {"0.1E+127", Refusal::kOverflow},
      {"9.99E+126", Refusal::kOverflow},
      {"1" + Run(126, '0'), Refusal::kOverflow},
      {"-1" + Run(126, '0'), Refusal::kOverflow},
      {"1e200", Refusal::kOverflow},
      {"1e1000", Refusal::kOverflow},
      {"-1e1000", Refusal::kOverflow},
      {"1e" + Run(12, '9'), Refusal::kOverflow},
      {"1e" + Run(26, '9'), Refusal::kOverflow},
      {"-1e" + Run(26, '9'), Refusal::kOverflow},
      {"9.9E-131", Refusal::kUnderflow},
      {"1E-131", Refusal::kUnderflow},
      {"-1E-131", Refusal::kUnderflow},
      {"0.1E-130", Refusal::kUnderflow},
      {"10E-132", Refusal::kUnderflow},
      {"0." + Run(130, '0') + "1", Refusal::kUnderflow},
      {"-0." + Run(130, '0') + "1", Refusal::kUnderflow},
      {"1e-200", Refusal::kUnderflow},
      {"1e-1000", Refusal::kUnderflow},
      {"1e-" + Run(12, '9'), Refusal::kUnderflow},
      {"-1e-" + Run(26, '9'), Refusal::kUnderflow},
      {"9E-131", Refusal::kUnderflow},
      {"", Refusal::kNotANumber},
      {"-", Refusal::kNotANumber},
      {"+", Refusal::kNotANumber},
      {".", Refusal::kNotANumber},
      {"-.", Refusal::kNotANumber},
      {"+.", Refusal::kNotANumber},
      {"e", Refusal::kNotANumber},
      {"e5", Refusal::kNotANumber},
      {"1e", Refusal::kNotANumber},
      {"1e+", Refusal::kNotANumber},
      {"1e-", Refusal::kNotANumber},
      {"1E", Refusal::kNotANumber},
      {".e1", Refusal::kNotANumber},
      {"-e1", Refusal::kNotANumber},
      {"1e1.5", Refusal::kNotANumber},
      {"1e1e1", Refusal::kNotANumber},
      {"1.2.3", Refusal::kNotANumber},
      {"..1", Refusal::kNotANumber},
      {"1..", Refusal::kNotANumber},
      {"--1", Refusal::kNotANumber},
      {"++1", Refusal::kNotANumber},
      {"+-1", Refusal::kNotANumber},
      {"-+1", Refusal::kNotANumber},
      {"1-", Refusal::kNotANumber},
      {"1+1", Refusal::kNotANumber},
      {" 1", Refusal::kNotANumber},
      {"1 ", Refusal::kNotANumber},
      {"1 000", Refusal::kNotANumber},
      {" ", Refusal::kNotANumber},
      {"\t1", Refusal::kNotANumber},
      {"1\n", Refusal::kNotANumber},
      {"1,5", Refusal::kNotANumber},
      {"1_000", Refusal::kNotANumber},
      {"0x1F", Refusal::kNotANumber},
      {"1f", Refusal::kNotANumber},
      {"1d", Refusal::kNotANumber},
      {"1L", Refusal::kNotANumber},
      {"NaN", Refusal::kNotANumber},
      {"Infinity", Refusal::kNotANumber},
      {"-Infinity", Refusal::kNotANumber},
      {"inf", Refusal::kNotANumber},
      {"abc", Refusal::kNotANumber},
      {"one", Refusal::kNotANumber},
      {"1a", Refusal::kNotANumber},
      {"a1", Refusal::kNotANumber},
      {"$1", Refusal::kNotANumber},
      {"1e 5", Refusal::kNotANumber},
      {"1e+-5", Refusal::kNotANumber},
      {"1 e5", Refusal::kNotANumber},
      {"0x", Refusal::kNotANumber},
      {"E", Refusal::kNotANumber},
      {"1e5.", Refusal::kNotANumber},
      {"\xef\xbc\x91", Refusal::kNotANumber},
  };
}

std::string MessageOf(const Refused& row) {
  switch (row.refusal) {
    case Refusal::kNotANumber:
      return row.text.empty() ? "The parameter cannot be converted to a numeric value"
                              : "The parameter cannot be converted to a numeric value: " + row.text;
    case Refusal::kOverflow:
      return "Number overflow. Attempting to store a number with magnitude larger than supported "
             "range";
    case Refusal::kUnderflow:
      return "Number underflow. Attempting to store a number with magnitude smaller than "
             "supported range";
    case Refusal::kDigits:
      return "Attempting to store more than 38 significant digits in a Number";
  }
  return "";
}

TEST(Number, IsAnIntegerOrNot) {
  for (const std::int64_t integer : {0LL, 7LL, -7LL, 10LL, 99LL, 100LL, 101LL, 1200LL, -34'005LL,
                                     999'999'999'999'999'999LL, -100'000'000'000'000'000LL})
    EXPECT_EQ(NumberInteger(Number::FromInteger(integer).encoded()), integer);
  for (const std::string_view text : {"0.5", "12.5", "-1.01", "1000000000000000000", "1E125"})
    EXPECT_EQ(NumberInteger(Number::Parse(text)->encoded()), std::nullopt) << text;
}

TEST(NumberParse, ReadsEveryAcceptedText) {
  for (const Accepted& row : AllAccepted()) {
    const auto number = Number::Parse(row.text);
    ASSERT_TRUE(number.ok()) << row.text << ": " << number.error().message();
    EXPECT_EQ(NumberText(number->encoded()), row.canonical) << row.text;
    EXPECT_EQ(NumberSizeBytes(number->encoded()), row.size_bytes) << row.text;

    // The canonical text is the same number, and its bytes read back.
    EXPECT_EQ(*Number::Parse(row.canonical), *number) << row.text;
    std::string_view stored = number->encoded();
    EXPECT_EQ(*Number::Take(stored), *number) << row.text;
    EXPECT_TRUE(stored.empty()) << row.text;
  }
}

TEST(NumberParse, RefusesWithTheServicesTexts) {
  for (const Refused& row : AllRefused()) {
    const auto number = Number::Parse(row.text);
    ASSERT_FALSE(number.ok()) << row.text;
    EXPECT_EQ(number.error().code(), ErrorCode::kValidation) << row.text;
    EXPECT_EQ(number.error().message(), MessageOf(row)) << row.text;
  }
}

// A client may send 16 MB of zeros; only the significant digits may cost memory.
TEST(NumberParse, ReadsVeryLongTexts) {
  const std::string zeros(1'000'000, '0');
  EXPECT_EQ(*Number::Parse(zeros + "12"), Number::FromInteger(12));
  EXPECT_EQ(*Number::Parse("12." + zeros), Number::FromInteger(12));
  EXPECT_EQ(*Number::Parse("0." + zeros + "12e1000002"), Number::FromInteger(12));
  EXPECT_EQ(*Number::Parse("12" + zeros + "e-1000000"), Number::FromInteger(12));
  EXPECT_EQ(*Number::Parse(zeros + "." + zeros + "e" + zeros + "9"), Number());
  EXPECT_EQ(Number::Parse("1" + zeros).error().message(),
            MessageOf({.text = "", .refusal = Refusal::kOverflow}));
  EXPECT_EQ(Number::Parse("0." + zeros + "1").error().message(),
            MessageOf({.text = "", .refusal = Refusal::kUnderflow}));
}

TEST(NumberFromInteger, KeepsTheWholeRange) {
  for (const std::int64_t integer :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{10}, std::int64_t{-100},
        std::int64_t{1'000'000'007}, std::numeric_limits<std::int64_t>::max(),
        std::numeric_limits<std::int64_t>::min()}) {
    EXPECT_EQ(NumberText(Number::FromInteger(integer).encoded()), std::to_string(integer));
  }
  // One more and one less digit around every power of ten, where lengths are easily off by one.
  for (std::int64_t power = 1; power < 1'000'000'000'000'000'000; power *= 10) {
    for (const std::int64_t integer : {power - 1, power, power + 1, -power}) {
      EXPECT_EQ(NumberText(Number::FromInteger(integer).encoded()), std::to_string(integer));
    }
  }
}

TEST(NumberText, AppendsToWhatIsThere) {
  std::string out = "n=";
  AppendNumberText(Number::FromInteger(-1200).encoded(), out);
  EXPECT_EQ(out, "n=-1200");
}

}  // namespace
}  // namespace trestle::value
