// UpdateItem: changes parts of an item, or creates it.

#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/legacy_parameters.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr std::string_view kActionValues[] = {"ADD", "DELETE", "PUT"};
constexpr Shape kActionShape = {.kind = Kind::kString, .values = kActionValues};
constexpr Member kAttributeValueUpdateMembers[] = {
    {.name = "Value", .shape = &kAttributeValueShape},
    {.name = "Action", .shape = &kActionShape},
};
constexpr Shape kAttributeValueUpdateShape = {.kind = Kind::kStructure,
                                              .name = "AttributeValueUpdate",
                                              .members = kAttributeValueUpdateMembers};
constexpr Shape kAttributeUpdatesShape = {.kind = Kind::kMap,
                                          .element = &kAttributeValueUpdateShape};
constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ReturnItemCollectionMetrics", .shape = &kReturnItemCollectionMetricsShape},
    {.name = "ReturnValues", .shape = &kReturnValuesShape},
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "ConditionalOperator", .shape = &kConditionalOperatorShape},
    {.name = "Expected", .shape = &kExpectedShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
    {.name = "AttributeUpdates", .shape = &kAttributeUpdatesShape},
    {.name = "UpdateExpression", .shape = &kStringShape},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "UpdateItemInput", .members = kMembers};

Result<engine::WriteRequest> Parse(const json::Object& body, const CallContext& context) {
  TRY(CheckMix(body, {.legacy = {"AttributeUpdates", "Expected", "ConditionalOperator"},
                      .expressions = {"UpdateExpression", "ConditionExpression"},
                      .values_need = "UpdateExpression and ConditionExpression are null",
                      .value_expressions = {"UpdateExpression", "ConditionExpression"}}));

  engine::WriteRequest request;
  request.action.kind = engine::WriteKind::kUpdate;
  request.action.item = TRY(ParseItemMember(body, "Key"));
  request.action.update = TRY(ParseAttributeUpdates(body));
  request.action.condition = TRY(ParseExpected(body));

  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  if (FindMember(body, "UpdateExpression")) {
    request.action.update = TRY(ParseUpdate(body, placeholders));
  }
  if (FindMember(body, "ConditionExpression")) {
    request.action.condition = TRY(ParseCondition(body, placeholders));
  }
  TRY(placeholders.CheckAllUsed());

  request.action.table = TRY(ParseTableName(body, context));
  request.action.return_item_on_condition_failure = WantsItemOnConditionFailure(body);
  request.return_values = ParseReturnValues(body);
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  request.return_item_collection_metrics = ParseReturnItemCollectionMetrics(body);
  return request;
}

// What of an item ReturnValues asks for: all of it, or what the update named.
void WriteAttributes(const engine::WriteRequest& request, const engine::WriteReply& reply,
                     json::Writer& body) {
  const engine::ReturnValues values = request.return_values;
  const bool wants_old =
      values == engine::ReturnValues::kAllOld || values == engine::ReturnValues::kUpdatedOld;
  const bool wants_part =
      values == engine::ReturnValues::kUpdatedOld || values == engine::ReturnValues::kUpdatedNew;
  const std::optional<value::Item>& item = wants_old ? reply.old_item : reply.new_item;
  if (values == engine::ReturnValues::kNone || !item) return;

  if (!wants_part) {
    body.Key("Attributes");
    protocol::WriteItem(body, item->view());
    return;
  }
  const value::Item part = expr::Projection(request.action.update.targets()).Apply(item->view());
  if (part.view().count() == 0) return;
  body.Key("Attributes");
  protocol::WriteItem(body, part.view());
}

void Render(const CallContext& /*context*/, const engine::WriteRequest& request,
            const engine::WriteReply& reply, json::Writer& body) {
  WriteAttributes(request, reply, body);
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
  WriteItemCollectionMetrics(body, reply.item_collection_metrics);
}

}  // namespace

constinit const Operation kUpdateItem =
    MakeOperation<engine::WriteRequest, engine::WriteReply, Parse, Render>("UpdateItem", kInput);

}  // namespace trestle::wire
