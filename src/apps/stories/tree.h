#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// The chapters of a story as a tree. Pure.

namespace trestle::apps::stories {

struct TreeNode {
  std::string id;
  std::string parent;  // empty: the first chapter
  std::int64_t order = 0;
};

// The nodes at and below `root`, parents before their children and siblings in their order, at most
// `levels` deep below it: places in `nodes`. Nodes whose parent is not there are left out.
[[nodiscard]] std::vector<std::size_t> TreeOrder(
    std::span<const TreeNode> nodes, std::string_view root,
    std::int64_t levels = std::numeric_limits<std::int64_t>::max());

}  // namespace trestle::apps::stories
