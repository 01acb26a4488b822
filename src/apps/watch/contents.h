#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "apps/watch/watch_internal.h"
#include "base/result.h"
#include "design/runtime.h"

namespace trestle::apps::watch {

// What a list's items stand for, read at once: the titles, and what the caller did with them.
class Contents {
 public:
  // Nobody's ratings and marks when `sub` is empty.
  [[nodiscard]] static Result<Contents> Read(design::Runtime& runtime,
                                             std::span<const Content> contents,
                                             const std::string& sub);

  // Null: the title is gone.
  [[nodiscard]] const design::TypedItem* Title(const Content& content) const;
  [[nodiscard]] std::optional<std::int64_t> Rating(const Content& content) const;
  [[nodiscard]] bool IsWatched(const Content& content) const { return watched_.contains(content); }
  // What is rated was seen, too.
  [[nodiscard]] bool IsSeen(const Content& content) const {
    return IsWatched(content) || ratings_.contains(content);
  }

  // The members `content`, when the title is there, and `me`, when there is a caller.
  void Write(const Content& content, json::Writer& writer) const;

 private:
  bool has_caller_ = false;
  std::map<Content, design::TypedItem> titles_;
  std::map<Content, std::int64_t> ratings_;
  std::set<Content> watched_;
};

// The sub of who calls; empty for visitors.
[[nodiscard]] std::string SubOf(const Call& call);
// What a title is to somebody who sees it in a list.
void WriteTitleSummary(const design::TypedItem& title, json::Writer& writer);

}  // namespace trestle::apps::watch
