#pragma once

#include <string>
#include <string_view>
#include <vector>

// A note as a file of markdown, as other programs write them:
//
//   ---
//   title: Tax form
//   deadline: 2026-05-31
//   tags: [money, home]
//   done: false
//   ---
//   - [ ] receipts
//
// Without a title in its head, the first heading is the title, or the first line. Pure.

namespace trestle::apps::notes {

struct MarkdownNote {
  std::string title = {};
  std::string content = {};
  std::string deadline = {};  // as it is written; empty: none
  std::vector<std::string> tags = {};
  bool is_done = false;
};

[[nodiscard]] MarkdownNote ReadMarkdown(std::string_view text);

}  // namespace trestle::apps::notes
