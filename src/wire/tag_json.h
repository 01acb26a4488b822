#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "json/json.h"
#include "wire/operation.h"
#include "wire/shapes.h"

// Tags in requests, and the ARNs of what has them.

namespace trestle::wire {

// Tags have their own words for what is wrong with them, see ParseTags.
inline constexpr Member kTagMembers[] = {
    {"Key", &kStringShape},
    {"Value", &kStringShape},
};
inline constexpr Shape kTagShape = {
    .kind = Kind::kStructure, .name = "Tag", .members = kTagMembers};
inline constexpr Shape kTagsShape = {.kind = Kind::kList, .element = &kTagShape};
inline constexpr Shape kResourceArnShape = {.kind = Kind::kString, .min = 1, .max = 1283};

// Of the member Tags, if it is there.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> ParseTags(
    const json::Object& body);

// The table whose ARN is the member ResourceArn. Only tables have tags.
[[nodiscard]] Result<std::string> ParseTaggedTable(const json::Object& body,
                                                   const CallContext& context);

// The words of tag operations for a table that is not there; nothing for other errors.
[[nodiscard]] std::optional<Error> UntaggedResource(const CallContext& context,
                                                    std::string_view table, const Error& error);
// The same as the `refuse` of an operation that changes tags.
[[nodiscard]] std::optional<Error> RefuseTagChange(const CallContext& context,
                                                   const engine::Request& request,
                                                   const Result<engine::Reply>& reply);

}  // namespace trestle::wire
