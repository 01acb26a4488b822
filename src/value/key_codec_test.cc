// Keys as bytes: golden ones, and that they sort as DynamoDB compares.

#include "value/key_codec.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::B;
using testing::Hex;
using testing::N;
using testing::Null;
using testing::S;

std::string Component(const std::string& value) {
  std::string out;
  AppendKeyComponent(out, ValueView(value));
  return out;
}

std::string Last(const std::string& value) {
  std::string out;
  AppendLastKeyComponent(out, ValueView(value));
  return out;
}

std::string Prefix(const std::string& value) {
  std::string out;
  AppendKeyPrefix(out, ValueView(value));
  return out;
}

TEST(KeyBytes, AreTheseForEver) {
  EXPECT_EQ(Hex(Component(S("o#1"))), "6f23310001");
  EXPECT_EQ(Hex(Component(S("caf\xc3\xa9"))), "636166c3a90001");
  EXPECT_EQ(Hex(Component(S(""))), "0001");
  EXPECT_EQ(Hex(Component(B(std::string("\x00\x01\xff\x00", 4)))), "00ff01ff00ff0001");
  EXPECT_EQ(Hex(Component(N("12.5"))), "ff830d3300");
  EXPECT_EQ(Hex(Component(N("0"))), "80");
  EXPECT_EQ(Hex(Component(N("-3"))), "017de0ff");

  EXPECT_EQ(Hex(Last(S("o#1"))), "6f2331");
  EXPECT_EQ(Hex(Last(B(std::string("\x00\x01", 2)))), "0001");
  EXPECT_EQ(Hex(Last(N("-3"))), "017de0ff");

  EXPECT_EQ(Hex(Prefix(B(std::string("a\x00", 2)))), "6100ff");
}

TEST(KeyBytes, AreAppended) {
  std::string out = "row";
  const std::string text = S("a");
  AppendKeyComponent(out, ValueView(text));
  AppendLastKeyComponent(out, ValueView(text));
  EXPECT_EQ(Hex(out), Hex("row") + "610001" + "61");
}

// Short strings over few bytes, among them those that mean something in a component.
TEST(KeyBytes, OfStringsSortAsTheStrings) {
  std::mt19937_64 random(7);
  static constexpr char kAlphabet[] = {'\x00', '\x01', '\x02', 'a', '\xfe', '\xff'};
  const auto random_bytes = [&] {
    std::string bytes(random() % 6, '\0');
    for (char& c : bytes)
      c = kAlphabet[random() % sizeof(kAlphabet)];
    return bytes;
  };
  for (int i = 0; i < 50'000; ++i) {
    const std::string left = random_bytes();
    const std::string right = random_bytes();
    const std::string left_key = Component(B(left));
    const std::string right_key = Component(B(right));
    ASSERT_EQ(left < right, left_key < right_key) << Hex(left) << " " << Hex(right);
    ASSERT_EQ(left == right, left_key == right_key);
    if (left != right) {
      ASSERT_FALSE(left_key.starts_with(right_key)) << Hex(left) << " " << Hex(right);
    }
    ASSERT_EQ(left < right, Last(B(left)) < Last(B(right)));
    ASSERT_EQ(left.starts_with(right), left_key.starts_with(Prefix(B(right))));
  }
}

TEST(KeyBytes, OfNumbersSortAsTheNumbers) {
  const std::vector<std::string> ascending = {
      "-9.9e125", "-1e125", "-1000", "-100.1", "-100",    "-99.5",  "-99",    "-10",  "-9",
      "-1.01",    "-1",     "-0.5",  "-0.05",  "-1e-130", "0",      "1e-130", "0.05", "0.5",
      "0.51",     "1",      "1.01",  "1.1",    "2",       "9",      "9.9",    "10",   "10.01",
      "11",       "99",     "100",   "1e20",   "1e125",   "9.9e125"};
  for (std::size_t i = 0; i + 1 < ascending.size(); ++i) {
    EXPECT_LT(Component(N(ascending[i])), Component(N(ascending[i + 1]))) << ascending[i];
    // What follows a component does not disturb the order.
    EXPECT_LT(Component(N(ascending[i])) + "\xff", Component(N(ascending[i + 1]))) << ascending[i];
  }
}

TEST(PrefixEnd, IsTheNextStringThatHasNotThePrefix) {
  EXPECT_EQ(PrefixEnd("a"), "b");
  EXPECT_EQ(PrefixEnd("a\x7f"), "a\x80");
  EXPECT_EQ(PrefixEnd("a\xff\xff"), "b");
  EXPECT_EQ(PrefixEnd("\xff\xff"), "");
  EXPECT_EQ(PrefixEnd(""), "");
  EXPECT_EQ(PrefixEnd(std::string("\0", 1)), "\x01");
}

TEST(KeyBytesDeathTest, StopForWhatIsNoKey) {
  EXPECT_DEATH(Component(Null()), "a key is");
  EXPECT_DEATH(Last(Null()), "a key is");
  EXPECT_DEATH(Prefix(N("1")), "begin with");
}

}  // namespace
}  // namespace trestle::value
