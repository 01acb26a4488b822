#include "design/spelling.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace trestle::design {
namespace {

constexpr std::array<std::string_view, 4> kWords = {"entity", "access", "asc", "id"};

TEST(Spelling, FindsTheNearestWord) {
  EXPECT_EQ(ClosestWord("entty", kWords), "entity");
  EXPECT_EQ(ClosestWord("Entity", kWords), "entity");
  EXPECT_EQ(ClosestWord("acs", kWords), "asc");
  EXPECT_EQ(ClosestWord("acces", kWords), "access");
}

TEST(Spelling, SaysNothingWhenNoneIsNear) {
  EXPECT_EQ(ClosestWord("table", kWords), "");
  EXPECT_EQ(ClosestWord("x", kWords), "");
  EXPECT_EQ(ClosestWord(std::string_view("a name that is longer than all words can be"), kWords),
            "");
}

}  // namespace
}  // namespace trestle::design
