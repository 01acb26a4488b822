// Reading items and values in place.

#include "value/item.h"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "value/number.h"
#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::B;
using testing::Bool;
using testing::Bs;
using testing::ItemOf;
using testing::L;
using testing::M;
using testing::N;
using testing::Ns;
using testing::Null;
using testing::S;
using testing::Ss;

TEST(ValueView, KnowsItsType) {
  const std::pair<std::string, std::string_view> values[] = {
      {S("a"), "S"},         {N("1"), "N"},     {B("a"), "B"},       {Bool(true), "BOOL"},
      {Bool(false), "BOOL"}, {Null(), "NULL"},  {M({}), "M"},        {L({}), "L"},
      {Ss({"a"}), "SS"},     {Ns({"1"}), "NS"}, {Bs({"\xff"}), "BS"}};
  for (const auto& [bytes, name] : values) {
    EXPECT_EQ(TypeName(ValueView(bytes).type()), name);
  }
}

TEST(ValueView, ReadsScalars) {
  const std::string text = S("caf\xc3\xa9");
  EXPECT_EQ(ValueView(text).text(), "caf\xc3\xa9");
  const std::string empty = S("");
  EXPECT_EQ(ValueView(empty).text(), "");
  const std::string number = N("-12.5");
  EXPECT_EQ(NumberText(ValueView(number).number()), "-12.5");
  EXPECT_TRUE(ValueView(Bool(true)).boolean());
  EXPECT_FALSE(ValueView(Bool(false)).boolean());
}

// Lengths of 127, 128 and 16384 are where a varint grows by a byte.
TEST(ValueView, ReadsLongStrings) {
  for (const std::size_t length : {127U, 128U, 16383U, 16384U, 400U * 1024}) {
    const std::string text(length, 'x');
    const std::string bytes = B(text) + "behind";
    std::string_view rest = bytes;
    EXPECT_EQ(TakeValue(rest).text(), text);
    EXPECT_EQ(rest, "behind");
  }
}

TEST(ValueView, FindsInMapsAndLists) {
  const std::string map = M({{"b", N("2")}, {"a", S("one")}, {"long", L({})}});
  EXPECT_EQ(ValueView(map).count(), 3U);
  EXPECT_EQ(ValueView(map).Find("a")->text(), "one");
  EXPECT_EQ(ValueView(map).Find("long")->type(), Type::kL);
  EXPECT_EQ(ValueView(map).Find("c"), std::nullopt);
  EXPECT_EQ(ValueView(map).Find(""), std::nullopt);

  const std::string list = L({S("x"), L({S("y")}), Null()});
  EXPECT_EQ(ValueView(list).count(), 3U);
  EXPECT_EQ(ValueView(list).At(0)->text(), "x");
  EXPECT_EQ(ValueView(list).At(1)->At(0)->text(), "y");
  EXPECT_EQ(ValueView(list).At(2)->type(), Type::kNull);
  EXPECT_EQ(ValueView(list).At(3), std::nullopt);
  EXPECT_EQ(ValueView(L({})).At(0), std::nullopt);
}

TEST(ValueView, TakesEveryKindOfValue) {
  const std::string values[] = {
      S("a"),      N("1"),        B("a"),          Bool(true),           Null(),           M({}),
      L({S("a")}), Ss({"a", ""}), Ns({"1", "-2"}), Bs({"\xff", "\x01"}), M({{"m", M({})}})};
  std::string all;
  for (const std::string& value : values)
    all += value;
  std::string_view rest = all;
  for (const std::string& value : values)
    EXPECT_EQ(TakeValue(rest).bytes(), value);
  EXPECT_TRUE(rest.empty());
}

TEST(ValueView, GivesSetElementsInOrder) {
  const std::string strings = Ss({"b", "", "ab", "a"});
  std::string_view rest = ValueView(strings).contents();
  for (const std::string_view expected : {"", "a", "ab", "b"}) {
    EXPECT_EQ(TakeElement(rest, Type::kSs), expected);
  }
  EXPECT_TRUE(rest.empty());

  const std::string numbers = Ns({"10", "-1", "9", "0.5"});
  rest = ValueView(numbers).contents();
  for (const std::string_view expected : {"-1", "0.5", "9", "10"}) {
    EXPECT_EQ(NumberText(TakeElement(rest, Type::kNs)), expected);
  }
  EXPECT_TRUE(rest.empty());
}

TEST(Item, IsEmptyAtFirst) {
  const Item item;
  EXPECT_EQ(item.view().count(), 0U);
  EXPECT_EQ(item.view().size_bytes(), 0U);
  EXPECT_EQ(item.Find("a"), std::nullopt);
  EXPECT_TRUE(item.view().attributes().begin() == item.view().attributes().end());
  EXPECT_TRUE(CheckItem(item.bytes()).ok());
}

TEST(Item, IteratesInOrderOfNames) {
  const Item item = ItemOf({{"z", N("1")}, {"\xc3\xa9", S("e")}, {"aa", Null()}, {"a", L({})}});
  std::vector<std::string_view> names;
  for (const AttributeView attribute : item.view().attributes()) {
    names.push_back(attribute.name);
    EXPECT_EQ(item.Find(attribute.name), attribute.value);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"a", "aa", "z", "\xc3\xa9"}));
}

}  // namespace
}  // namespace trestle::value
