// The bytes of items: golden ones, how builders order them, and which damage is found.

#include "value/item_codec.h"

#include <string>

#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::B;
using testing::Bool;
using testing::Bs;
using testing::Hex;
using testing::ItemOf;
using testing::L;
using testing::M;
using testing::N;
using testing::Ns;
using testing::Null;
using testing::S;
using testing::Ss;
using testing::Unhex;

TEST(ItemBytes, AreTheseForEver) {
  const Item order = ItemOf({{"pk", S("o#1")}, {"total", N("12.5")}, {"paid", Bool(true)}});
  EXPECT_EQ(Hex(order.bytes()), Hex(Unhex("01 12000000 03000000"
                                          "04 70616964 54"
                                          "02 706b 53 03 6f2331"
                                          "05 746f74616c 4e 05 ff830d3300")));

  const Item nested = ItemOf({{"ns", Ns({"10", "-1", "0"})}, {"l", L({S("x"), Null()})}});
  EXPECT_EQ(Hex(nested.bytes()), Hex(Unhex("01 10000000 02000000"
                                           "01 6c 4c 08000000 02000000 53 01 78 30"
                                           "02 6e73 6e 10000000 03000000"
                                           "04 017df4ff 01 80 04 ff830b00")));

  const Item all = ItemOf({
      {"b", B(std::string("\x00\xff", 2))},
      {"bs", Bs({"\x02", "\x01"})},
      {"f", Bool(false)},
      {"l", L({S("x"), Null()})},
      {"m", M({{"k", N("-1")}, {"a", L({})}})},
      {"ns", Ns({"10", "-1", "0"})},
      {"ss", Ss({"b", "a"})},
  });
  EXPECT_EQ(Hex(all.bytes()),
            Hex(Unhex("01 2b000000 07000000"
                      "01 62 42 02 00ff"
                      "02 6273 62 08000000 02000000 01 01 01 02"
                      "01 66 46"
                      "01 6c 4c 08000000 02000000 53 01 78 30"
                      "01 6d 4d 17000000 02000000 01 61 4c 04000000 00000000 01 6b 4e 04 017df4ff"
                      "02 6e73 6e 10000000 03000000 04 017df4ff 01 80 04 ff830b00"
                      "02 7373 73 08000000 02000000 01 61 01 62")));
  EXPECT_TRUE(CheckItem(order.bytes()).ok());
  EXPECT_TRUE(CheckItem(all.bytes()).ok());
}

TEST(ItemBuilder, SortsAndKeepsTheLastOfAName) {
  for (const int copies : {1, 40}) {  // few and many attributes are sorted differently
    ItemBuilder builder;
    std::vector<std::string> names;
    for (int i = 0; i < copies; ++i)
      names.push_back("n" + std::to_string(copies - i));
    const std::string first = N("1");
    const std::string second = N("2");
    const std::string third = N("3");
    for (const std::string& name : names)
      builder.Add(name, first);
    for (const std::string& name : names)
      builder.Add(name, second);
    builder.Add("n1", third);

    const Item item = builder.Finish();
    EXPECT_EQ(item.view().count(), static_cast<std::uint32_t>(copies));
    EXPECT_EQ(item.Find("n1")->bytes(), third);
    if (copies > 1) {
      EXPECT_EQ(item.Find("n2")->bytes(), second);
    }
    const Status status = CheckItem(item.bytes());
    EXPECT_TRUE(status.ok()) << status.error().message();
  }
}

TEST(ItemBuilder, SortsMapsToo) {
  EXPECT_EQ(M({{"b", Null()}, {"a", S("old")}, {"a", S("new")}}),
            M({{"a", S("new")}, {"b", Null()}}));
}

TEST(SortedItemWriter, WritesWhatTheBuilderWrites) {
  const std::string one = S("one");
  const std::string two = M({{"x", N("1")}});
  SortedItemWriter writer;
  writer.Add("", one);
  writer.Add("a", one);
  writer.Add("b", two);
  EXPECT_EQ(std::move(writer).Finish(), ItemOf({{"b", two}, {"", one}, {"a", one}}));
}

TEST(SortedItemWriterDeathTest, StopsWhenNamesAreOutOfOrder) {
  const std::string value = Null();
  SortedItemWriter writer;
  writer.Add("b", value);
  EXPECT_DEATH(writer.Add("a", value), "in order");
  EXPECT_DEATH(writer.Add("b", value), "in order");
}

TEST(SetsDeathTest, StopWhenEmptyOrDoubled) {
  EXPECT_DEATH(Ss({}), "has an element");
  EXPECT_DEATH(Ss({"a", "b", "a"}), "twice");
  EXPECT_DEATH(Ns({}), "has an element");
  EXPECT_DEATH(Ns({"1", "1.0"}), "twice");
}

TEST(SortedUnique, SortsAndFindsDuplicates) {
  std::vector<std::string_view> elements = {"b", "a"};
  EXPECT_TRUE(SortedUnique(elements));
  EXPECT_EQ(elements, (std::vector<std::string_view>{"a", "b"}));
  elements.emplace_back("a");
  EXPECT_FALSE(SortedUnique(elements));
}

// An item with one attribute "a" whose value is given in hex, with the size that it claims.
std::string WithValue(std::string_view value_hex, std::uint8_t size_bytes) {
  std::string bytes = Unhex("01 00000000 01000000 01 61") + Unhex(value_hex);
  bytes[1] = static_cast<char>(size_bytes);
  return bytes;
}

std::string ProblemOf(std::string_view bytes) {
  const Status status = CheckItem(bytes);
  if (status.ok()) return "";
  EXPECT_EQ(status.error().code(), ErrorCode::kCorruption);
  return status.error().message().substr(sizeof("an item's bytes are damaged:"));
}

TEST(CheckItem, FindsDamagedHeaders) {
  const std::string fine = ItemOf({{"a", S("x")}, {"b", S("y")}}).bytes();
  EXPECT_EQ(ProblemOf(fine), "");
  EXPECT_EQ(ProblemOf(""), "the header is cut off");
  EXPECT_EQ(ProblemOf(fine.substr(0, 8)), "the header is cut off");

  std::string damaged = fine;
  damaged[0] = '\x02';
  EXPECT_EQ(ProblemOf(damaged), "the format is unknown");
  damaged = fine;
  ++damaged[1];
  EXPECT_EQ(ProblemOf(damaged), "the size is wrong");
  damaged = fine;
  --damaged[5];
  EXPECT_EQ(ProblemOf(damaged), "bytes follow the last attribute");
  damaged = fine;
  ++damaged[5];
  EXPECT_EQ(ProblemOf(damaged), "a length is cut off");
  EXPECT_EQ(ProblemOf(fine + '\0'), "bytes follow the last attribute");
}

TEST(CheckItem, FindsDamagedNames) {
  EXPECT_EQ(ProblemOf(Unhex("01 02000000 02000000 01 62 30 01 61 30")), "names are out of order");
  EXPECT_EQ(ProblemOf(Unhex("01 02000000 02000000 01 61 30 01 61 30")), "names are out of order");
  EXPECT_EQ(ProblemOf(Unhex("01 02000000 01000000 01 ff 30")), "a string is not UTF-8");
  EXPECT_EQ(ProblemOf(Unhex("01 02000000 01000000 02 61")), "a string is cut off");
  EXPECT_EQ(ProblemOf(Unhex("01 02000000 01000000 01 61")), "a value is missing");
  // Names inside a map are in order, too.
  EXPECT_EQ(ProblemOf(WithValue("4d 0a000000 02000000 01 62 30 01 61 30", 10)),
            "names are out of order");
}

TEST(CheckItem, FindsDamagedScalars) {
  EXPECT_EQ(ProblemOf(WithValue("53 01 78", 2)), "");
  EXPECT_EQ(ProblemOf(WithValue("51", 2)), "a value's tag is unknown");
  EXPECT_EQ(ProblemOf(WithValue("53 02 78", 2)), "a string is cut off");
  EXPECT_EQ(ProblemOf(WithValue("53 81", 2)), "a length is cut off");
  EXPECT_EQ(ProblemOf(WithValue("53 8100 78", 2)), "a length is over long");
  EXPECT_EQ(ProblemOf(WithValue("53 ffffffffffffffffff7f 78", 2)), "a string is cut off");
  EXPECT_EQ(ProblemOf(WithValue("53 ffffffffffffffffffff01 78", 2)), "a length is cut off");
  EXPECT_EQ(ProblemOf(WithValue("4e 04 ff820b00", 3)), "");
  EXPECT_EQ(ProblemOf(WithValue("4e", 3)), "a number is missing");
  EXPECT_EQ(ProblemOf(WithValue("4e 05 ff820b00", 3)), "a number is cut off");
  EXPECT_EQ(ProblemOf(WithValue("4e 05 ff820b0000", 3)), "a number is damaged");
  EXPECT_EQ(ProblemOf(WithValue("4e 00", 3)), "a number is damaged");
  EXPECT_EQ(ProblemOf(WithValue("4e 05 ff820b0100", 3)), "a number is damaged");
}

TEST(CheckItem, KnowsUtf8) {
  for (const char* hex :
       {"7f", "c280", "dfbf", "e0a080", "ed9fbf", "ee8080", "efbfbf", "f0908080", "f48fbfbf"}) {
    const std::string text = Unhex(hex);
    EXPECT_TRUE(CheckItem(ItemOf({{"a", S(text)}}).bytes()).ok()) << hex;
  }
  for (const char* hex :
       {"80", "bf", "c0af", "c1bf", "c2", "c27f", "c2c0", "e09fbf", "e0a0", "eda080", "edbfbf",
        "e28228", "f08fbfbf", "f4908080", "f5808080", "f09080", "ff", "61c2"}) {
    const std::string text = Unhex(hex);
    EXPECT_EQ(ProblemOf(ItemOf({{"a", S(text)}}).bytes()), "a string is not UTF-8") << hex;
    EXPECT_EQ(ProblemOf(ItemOf({{"a", Ss({text})}}).bytes()), "a string is not UTF-8") << hex;
    EXPECT_EQ(ProblemOf(ItemOf({{"a", Bs({text})}}).bytes()), "") << hex;
  }
}

TEST(CheckItem, FindsDamagedContainers) {
  EXPECT_EQ(ProblemOf(WithValue("4c 05000000 01000000 30", 6)), "");
  EXPECT_EQ(ProblemOf(WithValue("4c 0500", 6)), "a container's header is cut off");
  EXPECT_EQ(ProblemOf(WithValue("4c 06000000 01000000 30", 6)), "a container is cut off");
  EXPECT_EQ(ProblemOf(WithValue("4c 03000000 01000000 30", 6)), "a container's header is cut off");
  EXPECT_EQ(ProblemOf(WithValue("4c 05000000 00000000 30", 6)), "bytes follow the last element");
  EXPECT_EQ(ProblemOf(WithValue("4c 05000000 02000000 30", 6)), "a value is missing");
  EXPECT_EQ(ProblemOf(WithValue("4c 05000000 ffffffff 30", 6)), "a value is missing");
  EXPECT_EQ(ProblemOf(WithValue("4d 07000000 02000000 01 61 30", 7)), "a length is cut off");
}

TEST(CheckItem, FindsDamagedSets) {
  EXPECT_EQ(ProblemOf(WithValue("73 08000000 02000000 01 61 01 62", 3)), "");
  EXPECT_EQ(ProblemOf(WithValue("73 08000000 02000000 01 62 01 61", 3)), "a set is out of order");
  EXPECT_EQ(ProblemOf(WithValue("73 08000000 02000000 01 61 01 61", 3)), "a set is out of order");
  EXPECT_EQ(ProblemOf(WithValue("62 08000000 02000000 01 62 01 61", 3)), "a set is out of order");
  EXPECT_EQ(ProblemOf(WithValue("6e 0b000000 02000000 01 80 04 017df4ff", 5)),
            "a set is out of order");
  EXPECT_EQ(ProblemOf(WithValue("6e 06000000 01000000 01 81", 2)), "a number is damaged");
  for (const char* empty :
       {"73 04000000 00000000", "6e 04000000 00000000", "62 04000000 00000000"}) {
    EXPECT_EQ(ProblemOf(WithValue(empty, 1)), "a set is empty");
  }
}

TEST(CheckItem, BoundsTheDepth) {
  std::string value = L({});
  for (std::size_t depth = 1; depth < kValueDepthMax; ++depth)
    value = L({value});
  EXPECT_EQ(ProblemOf(ItemOf({{"a", value}}).bytes()), "");
  EXPECT_EQ(ProblemOf(ItemOf({{"a", L({value})}}).bytes()), "values nest too deep");
  EXPECT_EQ(ProblemOf(ItemOf({{"a", M({{"b", value}})}}).bytes()), "values nest too deep");
}

// Every single-byte change of a rich item is found, or gives another item that is as well formed:
// then a builder makes the same bytes from its parts.
TEST(CheckItem, AcceptsOnlyWhatABuilderMakes) {
  const std::string fine = ItemOf({{"b", B("bin")},
                                   {"l", L({S("x"), N("-12.5"), M({{"k", Bool(true)}})})},
                                   {"n", N("123")},
                                   {"ns", Ns({"1", "2"})},
                                   {"ss", Ss({"a", "b"})}})
                               .bytes();
  for (std::size_t i = 0; i < fine.size(); ++i) {
    ASSERT_FALSE(CheckItem(std::string_view(fine).substr(0, i)).ok()) << i;
    for (int change = 1; change < 256; ++change) {
      std::string changed = fine;
      changed[i] = static_cast<char>(changed[i] ^ change);
      if (!CheckItem(changed).ok()) continue;
      ItemBuilder builder;
      for (const AttributeView attribute : ItemView(changed).attributes()) {
        builder.Add(attribute.name, attribute.value.bytes());
      }
      ASSERT_EQ(builder.Finish().bytes(), changed);
    }
  }
}

}  // namespace
}  // namespace trestle::value
