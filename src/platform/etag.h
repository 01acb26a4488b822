#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

// Versions of items as HTTP names them. An item's tag is "<version>-<hash of its JSON>": writes
// compare the version, which counters leave alone, and reads the whole.

namespace trestle::platform {

// With its quotes. Without a version, that part is 0.
[[nodiscard]] std::string MakeEntityTag(std::optional<std::int64_t> version, std::string_view body);

// What If-Match or If-None-Match lists.
struct EntityTags {
  struct Tag {
    std::string text;  // without its quotes
    bool is_weak = false;
  };
  bool is_any = false;  // "*"
  std::vector<Tag> tags;
};
// kValidation when it cannot be read.
[[nodiscard]] Result<EntityTags> ParseEntityTags(std::string_view header);

// Whether one of them is `tag`, which has its quotes, as a client that has a copy asks it.
[[nodiscard]] bool Contains(const EntityTags& tags, std::string_view tag);

// Whether one of them allows to change an item of this tag: by its version, which may also stand
// alone, or by the whole when it has no version. Weak ones never do.
[[nodiscard]] bool AllowsChange(const EntityTags& tags, std::string_view tag);

}  // namespace trestle::platform
