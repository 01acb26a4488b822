// Values as a program makes them, and the bytes they become and come back from.

#include "trestle/attribute_value.h"

#include <concepts>

#include <gtest/gtest.h>

#include "embed/value_codec.h"
#include "value/item_size.h"

namespace trestle::embed {
namespace {

using V = AttributeValue;

// What a call would say of an item with this value; empty when it would take it.
std::string RefusalOf(const V& value) {
  const auto encoded = EncodeItem({{"a", value}});
  return encoded.ok() ? "" : encoded.error().message();
}

V Nested(int levels) {
  V value = V::Bool(true);
  for (int i = 0; i < levels; ++i)
    value = i % 2 == 0 ? V::List({value}) : V::Map({{"m", value}});
  return value;
}

TEST(AttributeValue, ComesBackFromItsBytes) {
  const Item item = {
      {"s", V::String("gr\xc3\xbc\xc3\x9f")},
      {"empty", V::String("")},
      {"n", V::Number("-12.50")},
      {"b", V::Binary(std::string("\0\xff", 2))},
      {"bool", V::Bool(false)},
      {"null", V::Null()},
      {"l", V::List({V::Number(1), V::List({}), V::String("x")})},
      {"m", V::Map({{"inner", V::Map({})}, {"n", V::Number(2)}})},
      {"ss", V::StringSet({"b", "a"})},
      {"ns", V::NumberSet({"10", "9.0"})},
      {"bs", V::BinarySet({"\x02", "\x01"})},
  };
  const auto encoded = EncodeItem(item);
  ASSERT_TRUE(encoded.ok()) << encoded.error().message();
  EXPECT_EQ(DecodeItem(encoded->view()), item);
}

TEST(AttributeValue, SaysWhatItHolds) {
  EXPECT_EQ(*V::String("x").AsString(), "x");
  EXPECT_EQ(*V::Binary("x").AsBinary(), "x");
  EXPECT_EQ(V::Bool(true).AsBool(), true);
  EXPECT_TRUE(V::Null().IsNull());
  EXPECT_TRUE(V().IsNull());
  EXPECT_EQ(V::List({V::Bool(true)}).AsList()->size(), 1u);
  EXPECT_EQ(V::Map({{"k", V::Number(7)}}).AsMap()->at("k").AsInteger(), 7);
  EXPECT_EQ(V::StringSet({"x"}).AsStringSet()->at(0), "x");
  EXPECT_EQ(V::NumberSet({"1.0"}).AsNumberSet()->at(0), "1");
  EXPECT_EQ(V::BinarySet({"x"}).AsBinarySet()->at(0), "x");
}

// Several types keep the same C++ type, so each must refuse the others'.
TEST(AttributeValue, HoldsNothingOfAnotherType) {
  EXPECT_EQ(V::String("1").AsNumber(), nullptr);
  EXPECT_EQ(V::Number(1).AsString(), nullptr);
  EXPECT_EQ(V::String("x").AsBinary(), nullptr);
  EXPECT_EQ(V::StringSet({"x"}).AsBinarySet(), nullptr);
  EXPECT_EQ(V::NumberSet({"1"}).AsStringSet(), nullptr);
  EXPECT_EQ(V::List({}).AsMap(), nullptr);
  EXPECT_EQ(V::Null().AsBool(), std::nullopt);
  EXPECT_EQ(V::String("1").AsInteger(), std::nullopt);
}

TEST(AttributeValue, ComparesAsTheServiceDoes) {
  EXPECT_EQ(V::Number("1.0"), V::Number(1));
  EXPECT_EQ(V::Number("1E2"), V::Number("+100"));
  EXPECT_NE(V::Number(1), V::String("1"));
  EXPECT_NE(V::String("x"), V::Binary("x"));
  EXPECT_EQ(V::StringSet({"a", "b"}), V::StringSet({"b", "a"}));
  EXPECT_NE(V::StringSet({"a"}), V::StringSet({"a", "b"}));
  EXPECT_EQ(V::NumberSet({"1", "2.0"}), V::NumberSet({"2", "1.0"}));
  EXPECT_NE(V::List({V::Number(1), V::Number(2)}), V::List({V::Number(2), V::Number(1)}));
  EXPECT_EQ(V::Map({{"a", V::Number("1")}}), V::Map({{"a", V::Number("1.0")}}));
  EXPECT_NE(V::Map({{"a", V::Null()}}), V::Map({}));
}

TEST(AttributeValue, KeepsNumbersExactly) {
  const std::string digits = "12345678901234567890123456789012345678";
  EXPECT_EQ(*V::Number(digits).AsNumber(), digits);
  EXPECT_EQ(V::Number(std::int64_t{-9223372036854775807} - 1).AsInteger(),
            std::int64_t{-9223372036854775807} - 1);
  EXPECT_EQ(*V::Number(std::uint64_t{18446744073709551615u}).AsNumber(), "18446744073709551615");
  EXPECT_EQ(V::Number(digits).AsInteger(), std::nullopt);
  EXPECT_EQ(V::Number("1.5").AsInteger(), std::nullopt);
}

template <typename T>
concept MakesANumber = requires(T value) {
  V::Number(value);
};

TEST(AttributeValue, TakesNoDouble) {
  EXPECT_TRUE(MakesANumber<int>);
  EXPECT_FALSE(MakesANumber<double>);
  EXPECT_FALSE(MakesANumber<float>);
  EXPECT_FALSE(MakesANumber<bool>);
  EXPECT_FALSE(MakesANumber<char>);
}

TEST(AttributeValue, IsRefusedInTheServicesWords) {
  EXPECT_EQ(RefusalOf(V::Number("12x")),
            "The parameter cannot be converted to a numeric value: 12x");
  EXPECT_EQ(RefusalOf(V::NumberSet({"1", "y"})),
            "The parameter cannot be converted to a numeric value: y");
  const std::string start = "One or more parameter values were invalid: ";
  EXPECT_EQ(RefusalOf(V::StringSet({})), start + "An string set  may not be empty");
  EXPECT_EQ(RefusalOf(V::NumberSet({})), start + "An number set  may not be empty");
  EXPECT_EQ(RefusalOf(V::BinarySet({})), start + "Binary sets should not be empty");
  EXPECT_EQ(RefusalOf(V::StringSet({"b", "a", "b"})),
            start + "Input collection [b, a, b] contains duplicates.");
  EXPECT_EQ(RefusalOf(V::NumberSet({"1", "1.0"})), "Input collection contains duplicates");
  EXPECT_EQ(RefusalOf(V::BinarySet({"\x01", "\x01"})),
            start + "Input collection [AQ==, AQ==]of type BS contains duplicates.");
}

TEST(AttributeValue, NestsUpToTheLimit) {
  EXPECT_EQ(RefusalOf(Nested(31)), "");
  EXPECT_EQ(RefusalOf(Nested(32)), value::kTooDeepText);
}

TEST(AttributeValue, HasNamesUpToTheLimit) {
  EXPECT_TRUE(EncodeItem({{std::string(65535, 'n'), V::Null()}}).ok());
  const std::string refusal =
      "One or more parameter values were invalid: Attribute name is too large, must be less than "
      "65536 bytes";
  const std::string name(65536, 'n');
  const auto refused = EncodeItem({{name, V::Null()}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), refusal);
  EXPECT_EQ(RefusalOf(V::Map({{name, V::Null()}})), refusal);
}

// JSON cannot carry such a text, so only a program can try.
TEST(AttributeValue, IsUtf8) {
  const std::string refusal =
      "One or more parameter values were invalid: Strings and attribute names must be UTF-8";
  for (const char* text : {"\xff", "\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80",
                           "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "a\x80"}) {
    EXPECT_EQ(RefusalOf(V::String(text)), refusal);
    EXPECT_EQ(RefusalOf(V::StringSet({text})), refusal);
    EXPECT_EQ(RefusalOf(V::Map({{text, V::Null()}})), refusal);
    EXPECT_FALSE(EncodeItem({{text, V::Null()}}).ok());
  }
  for (const char* text : {"", "a", "\xc2\x80", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xf0\x90\x80\x80",
                           "\xf4\x8f\xbf\xbf"}) {
    EXPECT_EQ(RefusalOf(V::String(text)), "");
  }
}

}  // namespace
}  // namespace trestle::embed
