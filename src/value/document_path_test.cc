#include "value/document_path.h"

#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::value {
namespace {

using testing::ItemOf;
using testing::L;
using testing::M;
using testing::N;
using testing::S;

TEST(PathText, LooksAsInTheServicesErrors) {
  EXPECT_EQ(PathText({{"a"}}), "[a]");
  EXPECT_EQ(PathText({{"a", "b", std::size_t{3}}}), "[a, b, [3]]");
  EXPECT_EQ(PathText({{"a", std::size_t{0}, std::size_t{12}, "b"}}), "[a, [0], [12], b]");
}

TEST(Resolve, FollowsAPathAsFarAsItLeads) {
  const Item item = ItemOf({{"m", M({{"l", L({S("x"), M({{"k", N("1")}})})}})}, {"s", S("text")}});
  EXPECT_EQ(Resolve(item.view(), {{"s"}})->text(), "text");
  EXPECT_EQ(Resolve(item.view(), {{"m", "l", std::size_t{0}}})->text(), "x");
  EXPECT_EQ(Resolve(item.view(), {{"m", "l", std::size_t{1}, "k"}})->bytes(), N("1"));

  EXPECT_EQ(Resolve(item.view(), {{"x"}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"m", "x"}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"m", "l", std::size_t{2}}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"m", std::size_t{0}}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"m", "l", "k"}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"s", "k"}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"s", std::size_t{0}}}), std::nullopt);
  EXPECT_EQ(Resolve(item.view(), {{"x", "y", "z"}}), std::nullopt);
}

}  // namespace
}  // namespace trestle::value
