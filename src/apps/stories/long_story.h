#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// A story with some hundred branches to look around in: the same one each time. Pure.

namespace trestle::apps::stories {

inline constexpr std::size_t kLongStoryChapters = 260;

struct LongChapter {
  std::size_t parent = 0;  // a place before its own; the first chapter's own
  std::int64_t order = 0;
  std::int64_t depth = 0;
  std::size_t author = 0;  // below `authors`; 0 is the story's
  std::string title;
  std::string hint;  // branchDescription; empty: none
  std::string content;
  std::int64_t reads = 0;
  std::vector<std::size_t> upvotes;  // of authors
  std::vector<std::size_t> downvotes;
  bool is_approved = false;
  bool is_vision = false;        // at most one of siblings
  std::size_t vision_child = 0;  // a place; 0: none
};

// Parents come before their children. `authors` > 1.
[[nodiscard]] std::vector<LongChapter> MakeLongStory(std::size_t authors);

}  // namespace trestle::apps::stories
