// DescribeTimeToLive: whether items of a table expire, and by which attribute.

#include <fmt/format.h>

#include "wire/item_options.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {"TableName", &kManagedTableNameShape, Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "DescribeTimeToLiveInput", .members = kMembers};

Result<engine::DescribeTableRequest> Parse(const json::Object& body, const CallContext& context) {
  return engine::DescribeTableRequest{.table = TRY(ParseTableName(body, context))};
}

std::string_view StatusName(const std::optional<engine::TimeToLive>& time_to_live) {
  if (!time_to_live) return "DISABLED";
  if (!time_to_live->is_enabled) return "DISABLING";
  return time_to_live->status_until_unix_ms == 0 ? "ENABLED" : "ENABLING";
}

void Render(const CallContext& /*context*/, const engine::DescribeTableRequest& /*request*/,
            const engine::TableReply& reply, json::Writer& body) {
  const std::optional<engine::TimeToLive>& time_to_live = reply.description.schema->time_to_live;
  body.Key("TimeToLiveDescription");
  body.BeginObject();
  if (time_to_live) {
    body.Key("AttributeName");
    body.String(time_to_live->attribute);
  }
  body.Key("TimeToLiveStatus");
  body.String(StatusName(time_to_live));
  body.EndObject();
}

// A table on its way in or out has no time to live to speak of.
std::optional<Error> Refuse(const CallContext& /*context*/, const engine::Request& /*request*/,
                            const Result<engine::Reply>& reply) {
  if (!reply.ok()) return std::nullopt;
  const engine::TableStatus status =
      std::get<engine::TableReply>(*reply).description.schema->status;
  if (status != engine::TableStatus::kCreating && status != engine::TableStatus::kDeleting) {
    return std::nullopt;
  }
  return ValidationError(
      fmt::format("Cannot describe time to live while table is in {0} state: Current table state "
                  "is {0}",
                  status == engine::TableStatus::kCreating ? "CREATING" : "DELETING"));
}

}  // namespace

constinit const Operation kDescribeTimeToLive =
    MakeOperation<engine::DescribeTableRequest, engine::TableReply, Parse, Render>(
        "DescribeTimeToLive", kInput, Refuse);

}  // namespace trestle::wire
