#include "apps/stories/tree.h"

#include <gtest/gtest.h>

namespace trestle::apps::stories {
namespace {

std::string Order(std::span<const TreeNode> nodes, std::string_view root,
                  std::int64_t levels = 1000) {
  std::string ids;
  for (const std::size_t place : TreeOrder(nodes, root, levels))
    ids += nodes[place].id + " ";
  return ids;
}

const std::vector<TreeNode>& Nodes() {
  static const std::vector<TreeNode> kNodes = {
      {.id = "b10", .parent = "root", .order = 10}, {.id = "b2", .parent = "root", .order = 2},
      {.id = "b2a", .parent = "b2", .order = 0},    {.id = "root", .parent = "", .order = 0},
      {.id = "lost", .parent = "gone", .order = 0}, {.id = "b2b", .parent = "b2", .order = 0}};
  return kNodes;
}

TEST(StoryTree, ParentsComeFirstAndSiblingsInOrder) {
  EXPECT_EQ(Order(Nodes(), "root"), "root b2 b2a b2b b10 ");
}

TEST(StoryTree, APartOfItCanBeAskedFor) {
  EXPECT_EQ(Order(Nodes(), "root", 1), "root b2 b10 ");
  EXPECT_EQ(Order(Nodes(), "root", 0), "root ");
  EXPECT_EQ(Order(Nodes(), "b2"), "b2 b2a b2b ");
  EXPECT_EQ(Order(Nodes(), "none"), "");
}

TEST(StoryTree, ACircleEnds) {
  const std::vector<TreeNode> circle = {{.id = "a", .parent = "b", .order = 0},
                                        {.id = "b", .parent = "a", .order = 0}};
  EXPECT_EQ(Order(circle, "a"), "a b ");
}

TEST(StoryTree, DeepTreesNeedNoDeepStack) {
  std::vector<TreeNode> chain;
  chain.reserve(5000);
  for (int i = 0; i < 5000; ++i) {
    chain.push_back({.id = std::to_string(i), .parent = i == 0 ? "" : std::to_string(i - 1)});
  }
  EXPECT_EQ(TreeOrder(chain, "0").size(), 5000U);
}

}  // namespace
}  // namespace trestle::apps::stories
