#include "apps/stories/tree.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace trestle::apps::stories {

std::vector<std::size_t> TreeOrder(std::span<const TreeNode> nodes, std::string_view root,
                                   std::int64_t levels) {
  std::map<std::string_view, std::vector<std::size_t>> children;
  std::vector<std::pair<std::size_t, std::int64_t>> waiting;  // a stack: the next one is last
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].id == root) {
      waiting.emplace_back(i, 0);
    } else if (!nodes[i].parent.empty()) {
      children[nodes[i].parent].push_back(i);
    }
  }
  std::vector<std::size_t> order;
  order.reserve(nodes.size());
  while (!waiting.empty()) {
    const auto [place, level] = waiting.back();
    waiting.pop_back();
    order.push_back(place);
    const auto found = children.find(nodes[place].id);
    if (found == children.end() || level >= levels) continue;
    // Whoever comes last on the stack comes out first.
    std::ranges::sort(found->second, [&](std::size_t left, std::size_t right) {
      return std::tie(nodes[left].order, nodes[left].id) >
             std::tie(nodes[right].order, nodes[right].id);
    });
    for (const std::size_t child : found->second)
      waiting.emplace_back(child, level + 1);
    children.erase(found);  // each once, also where raw writes have made a circle
  }
  return order;
}

}  // namespace trestle::apps::stories
