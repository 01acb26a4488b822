// UpdateTimeToLive: says by which attribute items of a table expire, or that none do.

#include "base/limits.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Shape kAttributeName = {
    .kind = Kind::kString, .min = 1, .max = kKeyAttributeNameBytesMax};
constexpr Member kSpecificationMembers[] = {
    {"Enabled", &kBooleanShape, Presence::kRequired},
    {"AttributeName", &kAttributeName, Presence::kRequired},
};
constexpr Shape kSpecification = {
    .kind = Kind::kStructure, .name = "TimeToLiveSpecification", .members = kSpecificationMembers};
constexpr Member kMembers[] = {
    {"TableName", &kManagedTableNameShape, Presence::kRequired},
    {"TimeToLiveSpecification", &kSpecification, Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "UpdateTimeToLiveInput", .members = kMembers};

Result<engine::UpdateTimeToLiveRequest> Parse(const json::Object& body,
                                              const CallContext& context) {
  const json::Object specification = *FindObject(body, "TimeToLiveSpecification");
  return engine::UpdateTimeToLiveRequest{
      .table = TRY(ParseTableName(body, context)),
      .attribute = std::string(*FindString(specification, "AttributeName")),
      .is_enabled = *FindBool(specification, "Enabled")};
}

void Render(const CallContext& /*context*/, const engine::UpdateTimeToLiveRequest& request,
            const std::monostate& /*reply*/, json::Writer& body) {
  body.Key("TimeToLiveSpecification");
  body.BeginObject();
  body.Key("AttributeName");
  body.String(request.attribute);
  body.Key("Enabled");
  body.Bool(request.is_enabled);
  body.EndObject();
}

}  // namespace

constinit const Operation kUpdateTimeToLive =
    MakeOperation<engine::UpdateTimeToLiveRequest, std::monostate, Parse, Render>(
        "UpdateTimeToLive", kInput);

}  // namespace trestle::wire
