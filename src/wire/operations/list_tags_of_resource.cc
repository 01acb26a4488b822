// ListTagsOfResource: the tags of a table. All of them fit in one reply, as those of the service
// do, so no NextToken is ever given out, and one that comes is not looked at.

#include "wire/members.h"
#include "wire/operations.h"
#include "wire/tag_json.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {"ResourceArn", &kResourceArnShape, Presence::kRequired},
    {"NextToken", &kStringShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "ListTagsOfResourceInput", .members = kMembers};

Result<engine::DescribeTableRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::DescribeTableRequest request;
  request.table = TRY(ParseTaggedTable(body, context));
  return request;
}

void Render(const CallContext& /*context*/, const engine::DescribeTableRequest& /*request*/,
            const engine::TableReply& reply, json::Writer& body) {
  body.Key("Tags");
  body.BeginArray();
  for (const auto& [key, value] : reply.description.schema->tags) {
    body.BeginObject();
    body.Key("Key");
    body.String(key);
    body.Key("Value");
    body.String(value);
    body.EndObject();
  }
  body.EndArray();
}

std::optional<Error> Refuse(const CallContext& context, const engine::Request& request,
                            const Result<engine::Reply>& reply) {
  if (reply.ok()) return std::nullopt;
  return UntaggedResource(context, std::get<engine::DescribeTableRequest>(request).table,
                          reply.error());
}

}  // namespace

constinit const Operation kListTagsOfResource =
    MakeOperation<engine::DescribeTableRequest, engine::TableReply, Parse, Render>(
        "ListTagsOfResource", kInput, Refuse);

}  // namespace trestle::wire
