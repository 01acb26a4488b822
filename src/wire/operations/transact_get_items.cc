// TransactGetItems: reads up to 100 items as they are at one moment.

#include "base/limits.h"
#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kGetMembers[] = {
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ProjectionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
};
constexpr Shape kGetShape = {.kind = Kind::kStructure, .name = "Get", .members = kGetMembers};
constexpr Member kTransactGetItemMembers[] = {
    {.name = "Get", .shape = &kGetShape, .presence = Presence::kRequired},
};
constexpr Shape kTransactGetItemShape = {
    .kind = Kind::kStructure, .name = "TransactGetItem", .members = kTransactGetItemMembers};
constexpr Shape kTransactItemsShape = {
    .kind = Kind::kList, .min = 1, .max = kTransactActionsMax, .element = &kTransactGetItemShape};
constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "TransactItems", .shape = &kTransactItemsShape, .presence = Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "TransactGetItemsInput", .members = kMembers};

Result<engine::TransactGetRequest::Get> ParseGet(const json::Object& body,
                                                 const CallContext& context) {
  engine::TransactGetRequest::Get get;
  get.key = TRY(ParseItemMember(body, "Key"));
  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  get.projection = TRY(ParseProjection(body, placeholders));
  // Names are fine here without an expression that could use them.
  if (get.projection) TRY(placeholders.CheckAllUsed());
  get.table = TRY(ParseTableName(body, context));
  return get;
}

Result<engine::TransactGetRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::TransactGetRequest request;
  const auto items = FindArray(body, "TransactItems");
  for (const json::Value item : *items) {
    const auto get = FindObject(AsObject(item), "Get");
    request.gets.push_back(TRY(ParseGet(*get, context)));
  }
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::TransactGetRequest& request,
            const engine::TransactGetReply& reply, json::Writer& body) {
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kReadAndWrite);
  body.Key("Responses");
  body.BeginArray();
  for (const std::optional<value::Item>& item : reply.items) {
    body.BeginObject();
    if (item) {
      body.Key("Item");
      protocol::WriteItem(body, item->view());
    }
    body.EndObject();
  }
  body.EndArray();
}

}  // namespace

constinit const Operation kTransactGetItems =
    MakeOperation<engine::TransactGetRequest, engine::TransactGetReply, Parse, Render>(
        "TransactGetItems", kInput);

}  // namespace trestle::wire
