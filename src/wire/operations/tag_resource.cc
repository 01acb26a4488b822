// TagResource: gives a table tags, or other values to those that it has.

#include "engine/tags.h"
#include "wire/operations.h"
#include "wire/tag_json.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {"ResourceArn", &kResourceArnShape, Presence::kRequired},
    {"Tags", &kTagsShape, Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "TagResourceInput", .members = kMembers};

Result<engine::ChangeTagsRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::ChangeTagsRequest request;
  request.table = TRY(ParseTaggedTable(body, context));
  request.set = TRY(ParseTags(body));
  if (request.set.empty()) {
    return ValidationError("Atleast one Tag needs to be provided as Input.");
  }
  TRY(engine::CheckTagChange(request));
  return request;
}

}  // namespace

constinit const Operation kTagResource =
    MakeOperation<engine::ChangeTagsRequest, std::monostate, Parse, nullptr>("TagResource", kInput,
                                                                             RefuseTagChange);

}  // namespace trestle::wire
