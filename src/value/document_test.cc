// Changes inside an item. What an update expression makes of them is tested in expr.

#include "value/document.h"

#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::ItemOf;
using testing::L;
using testing::M;
using testing::N;
using testing::S;

constexpr std::size_t Index(std::size_t index) { return index; }

Item Finish(Document& document) {
  Item item = document.Finish();
  const Status status = CheckItem(item.bytes());
  EXPECT_TRUE(status.ok()) << status.error().message();
  return item;
}

TEST(Document, WithoutChangesIsTheItem) {
  const Item old = ItemOf({{"a", S("x")}, {"l", L({N("1")})}});
  Document document(old.view());
  EXPECT_EQ(Finish(document), old);
  const Item empty;
  Document nothing(empty.view());
  EXPECT_EQ(Finish(nothing), empty);
}

TEST(Document, SetsAndRemovesAttributes) {
  const Item old = ItemOf({{"b", S("x")}, {"d", S("y")}, {"f", S("z")}});
  Document document(old.view());
  EXPECT_TRUE(document.Set({{"a"}}, N("1")));
  EXPECT_TRUE(document.Set({{"b"}}, N("2")));
  EXPECT_TRUE(document.Set({{"c"}}, N("3")));
  EXPECT_TRUE(document.Remove({{"d"}}));
  EXPECT_TRUE(document.Remove({{"e"}}));
  EXPECT_TRUE(document.Set({{"g"}}, N("4")));
  EXPECT_EQ(Finish(document),
            ItemOf({{"a", N("1")}, {"b", N("2")}, {"c", N("3")}, {"f", S("z")}, {"g", N("4")}}));
}

TEST(Document, KeepsTheLastChangeOfOnePath) {
  const Item old = ItemOf({{"a", S("x")}, {"b", S("y")}});
  Document document(old.view());
  EXPECT_TRUE(document.Set({{"a"}}, N("1")));
  EXPECT_TRUE(document.Set({{"a"}}, N("2")));
  EXPECT_TRUE(document.Remove({{"b"}}));
  EXPECT_TRUE(document.Set({{"b"}}, N("3")));
  EXPECT_TRUE(document.Set({{"c"}}, N("4")));
  EXPECT_TRUE(document.Remove({{"c"}}));
  EXPECT_EQ(Finish(document), ItemOf({{"a", N("2")}, {"b", N("3")}}));
}

TEST(Document, ChangesWhatIsNested) {
  const Item old =
      ItemOf({{"m", M({{"a", S("x")}, {"l", L({S("0"), M({{"k", S("y")}}), S("2")})}})}});
  Document document(old.view());
  EXPECT_TRUE(document.Set({{"m", "b"}}, N("1")));
  EXPECT_TRUE(document.Remove({{"m", "a"}}));
  EXPECT_TRUE(document.Set({{"m", "l", Index(1), "k"}}, S("new")));
  EXPECT_TRUE(document.Set({{"m", "l", Index(1), "j"}}, S("more")));
  EXPECT_TRUE(document.Remove({{"m", "l", Index(0)}}));
  EXPECT_EQ(
      Finish(document),
      ItemOf(
          {{"m", M({{"b", N("1")}, {"l", L({M({{"j", S("more")}, {"k", S("new")}}), S("2")})}})}}));
}

// DynamoDB counts all positions in the list as it was.
TEST(Document, CountsListPositionsInTheOldList) {
  const Item old = ItemOf({{"l", L({S("0"), S("1"), S("2"), S("3"), S("4")})}});
  Document document(old.view());
  EXPECT_TRUE(document.Remove({{"l", Index(1)}}));
  EXPECT_TRUE(document.Remove({{"l", Index(0)}}));
  EXPECT_TRUE(document.Set({{"l", Index(2)}}, S("two")));
  EXPECT_TRUE(document.Remove({{"l", Index(3)}}));
  EXPECT_EQ(Finish(document), ItemOf({{"l", L({S("two"), S("4")})}}));
}

TEST(Document, AppendsPastTheEndInOrderOfTheIndexes) {
  const Item old = ItemOf({{"l", L({S("0"), S("1")})}, {"e", L({})}});
  Document document(old.view());
  EXPECT_TRUE(document.Set({{"l", Index(90)}}, S("b")));
  EXPECT_TRUE(document.Set({{"l", Index(7)}}, S("a")));
  EXPECT_TRUE(document.Set({{"l", Index(100)}}, S("c")));
  EXPECT_TRUE(document.Remove({{"l", Index(1)}}));
  EXPECT_TRUE(document.Remove({{"l", Index(50)}}));
  EXPECT_TRUE(document.Set({{"e", Index(3)}}, S("only")));
  EXPECT_EQ(Finish(document),
            ItemOf({{"l", L({S("0"), S("a"), S("b"), S("c")})}, {"e", L({S("only")})}}));
}

TEST(Document, EmptiesListsAndMaps) {
  const Item old = ItemOf({{"l", L({S("0")})}, {"m", M({{"k", S("x")}})}});
  Document document(old.view());
  EXPECT_TRUE(document.Remove({{"l", Index(0)}}));
  EXPECT_TRUE(document.Remove({{"m", "k"}}));
  EXPECT_EQ(Finish(document), ItemOf({{"l", L({})}, {"m", M({})}}));
}

TEST(Document, RefusesAWayThatDoesNotExist) {
  const Item old = ItemOf({{"l", L({S("0")})}, {"m", M({{"k", S("x")}})}, {"s", S("x")}});
  Document document(old.view());
  const DocumentPath wrong[] = {{{"x", "y"}},                  // no such attribute
                                {{"s", "y"}},                  // not a map
                                {{"s", Index(0)}},             // not a list
                                {{"m", Index(0)}},             // a map is not a list
                                {{"l", "y"}},                  // a list is not a map
                                {{"m", Index(0), "y"}},        // the same, on the way
                                {{"l", "y", "z"}},             // the same, on the way
                                {{"m", "x", "y"}},             // no such entry
                                {{"m", "k", "y"}},             // an entry that is not a map
                                {{"l", Index(1), "y"}},        // no such element
                                {{"l", Index(0), Index(0)}}};  // an element that is not a list
  for (const DocumentPath& path : wrong) {
    EXPECT_FALSE(document.Set(path, N("1"))) << PathText(path);
    EXPECT_FALSE(document.Remove(path)) << PathText(path);
  }
  EXPECT_EQ(Finish(document), old);
}

// The length and the start of this name look like a list, to who takes the map for one.
TEST(Document, DoesNotTakeAMapForAList) {
  const std::string name = std::string("\x48\0\0\0", 4) + std::string(72, '\0');
  ASSERT_EQ(name.size(), std::size_t{'L'});
  const Item old = ItemOf({{"m", M({{name, S("x")}})}});
  Document document(old.view());
  EXPECT_FALSE(document.Set({{"m", Index(0), Index(0)}}, N("1")));
  EXPECT_EQ(Finish(document), old);
}

TEST(Document, LeadsNowhereThroughItsOwnChanges) {
  const Item old = ItemOf({{"a", M({})}, {"b", M({})}});
  Document document(old.view());
  EXPECT_TRUE(document.Set({{"a"}}, M({})));
  EXPECT_TRUE(document.Remove({{"b"}}));
  EXPECT_FALSE(document.Set({{"a", "x"}}, N("1")));
  EXPECT_FALSE(document.Set({{"b", "x"}}, N("1")));
  EXPECT_EQ(Finish(document), ItemOf({{"a", M({})}}));
}

// Random changes of a two-level item, against maps and vectors.
TEST(Document, AgreesWithASimpleModel) {
  std::mt19937_64 random(11);
  const auto random_value = [&] {
    return S(std::string(random() % 300, static_cast<char>('a' + random() % 26)));
  };
  for (int round = 0; round < 300; ++round) {
    std::map<std::string, std::string> map;
    std::vector<std::optional<std::string>> list(random() % 6);
    for (std::size_t i = random() % 6; i > 0; --i) {
      map["k" + std::to_string(random() % 10)] = random_value();
    }
    for (auto& element : list)
      element = random_value();
    const auto build = [&] {
      ItemBuilder inner;
      for (const auto& [name, value] : map)
        inner.Add(name, value);
      std::string map_value;
      inner.AppendMapTo(map_value);
      std::string list_value;
      const std::size_t place = BeginContainer(list_value, Type::kL);
      std::uint32_t count = 0;
      for (const auto& element : list) {
        if (element) list_value += *element;
        if (element) ++count;
      }
      EndContainer(list_value, place, count);
      return ItemOf({{"l", list_value}, {"m", map_value}, {"s", S("beside")}});
    };

    const Item old = build();
    const std::size_t old_length = list.size();
    std::map<std::size_t, std::string> appended;
    Document document(old.view());
    for (std::size_t i = random() % 8; i > 0; --i) {
      const std::string name = "k" + std::to_string(random() % 10);
      const std::size_t index = random() % 9;
      const std::string value = random_value();
      switch (random() % 4) {
        case 0:
          ASSERT_TRUE(document.Set({{"m", name}}, value));
          map[name] = value;
          break;
        case 1:
          ASSERT_TRUE(document.Remove({{"m", name}}));
          map.erase(name);
          break;
        case 2:
          ASSERT_TRUE(document.Set({{"l", index}}, value));
          if (index < old_length) list[index] = value;
          if (index >= old_length) appended[index] = value;
          break;
        default:
          ASSERT_TRUE(document.Remove({{"l", index}}));
          if (index < old_length) list[index] = std::nullopt;
          appended.erase(index);
          break;
      }
    }
    for (const auto& [index, value] : appended)
      list.emplace_back(value);
    ASSERT_EQ(Finish(document), build());
  }
}

}  // namespace
}  // namespace trestle::value
