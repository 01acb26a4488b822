#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/request.h"

// The service's rules about tags, with its texts.

namespace trestle::engine {

using Tags = std::vector<std::pair<std::string, std::string>>;

// Tags as CreateTable takes them: none is fine.
[[nodiscard]] Status CheckTags(const Tags& tags);

// What can be wrong with the request whatever the table is.
[[nodiscard]] Status CheckTagChange(const ChangeTagsRequest& request);

// The table's tags after the change; a key that the table has gets the new value.
[[nodiscard]] Result<Tags> PlanTags(Tags tags, const ChangeTagsRequest& request);

}  // namespace trestle::engine
