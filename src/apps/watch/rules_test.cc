#include "apps/watch/rules.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "apps/watch/order.h"

namespace trestle::apps::watch {
namespace {

using Texts = std::vector<std::string>;
using Plan = std::vector<std::optional<std::int64_t>>;

TEST(WatchRulesTest, TagsAreFoldedAndNoneComesTwice) {
  EXPECT_EQ(NormalisedTags(Texts{" Sci-Fi ", "sci-fi", "Été", "ete", "2025"}),
            (Texts{"sci-fi", "été", "2025"}));
  EXPECT_EQ(NormalisedTags(Texts{"", " "}), (Texts{"", ""})) << "too short, as the design says";
  EXPECT_EQ(NormalisedNames(Texts{"Ava Lind ", "ava lind", "Bo"}), (Texts{"Ava Lind", "Bo"}));
}

TEST(WatchRulesTest, EverybodyHasAName) {
  EXPECT_EQ(UsernameOf({.name = "Ann Lee", .email = "a@example.org"}), "Ann Lee");
  EXPECT_EQ(UsernameOf({.name = "", .email = "ann.lee@example.org"}), "ann.lee");
  EXPECT_EQ(UsernameOf({.name = " x ", .email = "x@example.org"}), "user x");
  EXPECT_EQ(UsernameOf({.name = "", .email = ""}), "user");
  EXPECT_EQ(UsernameOf({.name = std::string(40, 'a'), .email = ""}), std::string(30, 'a'));
  std::string umlauts;
  for (int i = 0; i < 40; ++i)
    umlauts += "ä";
  EXPECT_EQ(UsernameOf({.name = umlauts, .email = ""}), umlauts.substr(0, 60));
}

TEST(WatchRulesTest, ACommentIsNamedByItsTimeAndAuthor) {
  const CommentName comment{.created_at = "2026-01-02T03:04:05.678Z", .user_id = "ann_b-1"};
  const std::string token = TokenOf(comment);
  EXPECT_EQ(ReadToken(token), comment);
  EXPECT_EQ(token.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                    "-_"),
            std::string::npos);
  for (const char* wrong : {"", "_", "x", "_ann", "mk_", "m!k_ann", "zzzzzzzzzzzzzz_ann", "-1_ann"})
    EXPECT_EQ(ReadToken(wrong), std::nullopt) << wrong;
}

TEST(WatchRulesTest, AQuarterOfAnHourIsItsBeginning) {
  EXPECT_EQ(QuarterOf(0), 0);
  EXPECT_EQ(QuarterOf(899'999), 0);
  EXPECT_EQ(QuarterOf(900'000), 900'000);
}

// The order in which the items stand after the plan.
std::vector<std::int64_t> After(const std::vector<std::int64_t>& positions) {
  const Plan plan = PlanPositions(positions, 1000);
  std::vector<std::int64_t> after;
  for (std::size_t i = 0; i < positions.size(); ++i)
    after.push_back(plan[i].value_or(positions[i]));
  return after;
}

TEST(WatchOrderTest, AMoveWritesOneItem) {
  EXPECT_EQ(PlanPositions(std::vector<std::int64_t>{1000, 2000, 3000}, 1000),
            (Plan{std::nullopt, std::nullopt, std::nullopt}));
  EXPECT_EQ(PlanPositions(std::vector<std::int64_t>{3000, 1000, 2000}, 1000),
            (Plan{500, std::nullopt, std::nullopt}));
  EXPECT_EQ(PlanPositions(std::vector<std::int64_t>{1000, 3000, 2000, 4000}, 1000).size(), 4U);
  EXPECT_EQ(After({2000, 3000, 1000}), (std::vector<std::int64_t>{2000, 3000, 4000}));
  EXPECT_EQ(PlanPositions(std::vector<std::int64_t>{}, 1000), Plan{});
}

TEST(WatchOrderTest, WithoutRoomAllAreNumberedAnew) {
  EXPECT_EQ(After({1, 3, 2}), (std::vector<std::int64_t>{1000, 2000, 3000}));
  EXPECT_EQ(After({5, 5, 5}), (std::vector<std::int64_t>{1, 2, 5}));
  EXPECT_EQ(After({2, 0, 1}), (std::vector<std::int64_t>{1000, 2000, 3000}));
}

TEST(WatchOrderTest, TheOrderIsTheOneThatIsWanted) {
  std::vector<std::int64_t> positions;
  for (std::int64_t i = 0; i < 500; ++i)
    positions.push_back((i * 7919) % 500 * 1000 + 1000);
  std::vector<std::int64_t> after = After(positions);
  EXPECT_TRUE(std::ranges::is_sorted(after));
  EXPECT_EQ(std::ranges::adjacent_find(after), after.end());
  for (int moves = 0; moves < 200; ++moves) {
    std::rotate(after.begin() + 3, after.begin() + 400, after.begin() + 401);
    after = After(after);
    ASSERT_TRUE(std::ranges::is_sorted(after));
    ASSERT_EQ(std::ranges::adjacent_find(after), after.end());
  }
}

}  // namespace
}  // namespace trestle::apps::watch
