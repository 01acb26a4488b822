// UntagResource: takes tags from a table. One that it does not have is no error.

#include "engine/tags.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/tag_json.h"

namespace trestle::wire {
namespace {

constexpr Shape kTagKeys = {.kind = Kind::kList, .element = &kStringShape};
constexpr Member kMembers[] = {
    {"ResourceArn", &kResourceArnShape, Presence::kRequired},
    {"TagKeys", &kTagKeys, Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "UntagResourceInput", .members = kMembers};

Result<engine::ChangeTagsRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::ChangeTagsRequest request;
  request.table = TRY(ParseTaggedTable(body, context));
  const json::Array keys = *FindArray(body, "TagKeys");
  for (const json::Value key : keys)
    request.remove.emplace_back(AsString(key));
  if (request.remove.empty()) {
    return ValidationError("Atleast one Tag Key needs to be provided as Input.");
  }
  TRY(engine::CheckTagChange(request));
  return request;
}

}  // namespace

constinit const Operation kUntagResource =
    MakeOperation<engine::ChangeTagsRequest, std::monostate, Parse, nullptr>(
        "UntagResource", kInput, RefuseTagChange);

}  // namespace trestle::wire
