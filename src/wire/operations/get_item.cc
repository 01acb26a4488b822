// GetItem: reads one item by its key.

#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "AttributesToGet", .shape = &kAttributeNameListShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "ProjectionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "GetItemInput", .members = kMembers};

Result<engine::GetRequest> Parse(const json::Object& body, const CallContext& context) {
  TRY(CheckMix(body, {.legacy = {"AttributesToGet"},
                      .expressions = {"ProjectionExpression"},
                      .values_need = {},
                      .value_expressions = {}}));
  engine::GetRequest request;
  request.key = TRY(ParseItemMember(body, "Key"));
  TRY(CheckAttributesToGet(body));

  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  request.projection = TRY(ParseProjection(body, placeholders));
  TRY(placeholders.CheckAllUsed());

  request.table = TRY(ParseTableName(body, context));
  request.consistency = ParseConsistentRead(body);
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::GetRequest& request,
            const engine::GetReply& reply, json::Writer& body) {
  if (reply.item) {
    body.Key("Item");
    protocol::WriteItem(body, reply.item->view());
  }
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
}

}  // namespace

constinit const Operation kGetItem =
    MakeOperation<engine::GetRequest, engine::GetReply, Parse, Render>("GetItem", kInput);

}  // namespace trestle::wire
