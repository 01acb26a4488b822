// PutItem: replaces a whole item, or creates it.

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

constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionalOperator", .shape = &kConditionalOperatorShape},
    {.name = "Item", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "ReturnValues", .shape = &kReturnValuesShape},
    {.name = "ReturnItemCollectionMetrics", .shape = &kReturnItemCollectionMetricsShape},
    {.name = "Expected", .shape = &kExpectedShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "PutItemInput", .members = kMembers};

Result<engine::WriteRequest> Parse(const json::Object& body, const CallContext& context) {
  TRY(CheckMix(body, {.legacy = {"Expected", "ConditionalOperator"},
                      .expressions = {"ConditionExpression"},
                      .values_need = "ConditionExpression is null",
                      .value_expressions = {"ConditionExpression"}}));

  engine::WriteRequest request;
  request.action.kind = engine::WriteKind::kPut;
  request.action.item = TRY(ParseItemMember(body, "Item"));
  request.return_values = TRY(ParseOldReturnValues(body));
  request.action.condition = TRY(ParseExpected(body));

  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  if (FindMember(body, "ConditionExpression")) {
    request.action.condition = TRY(ParseCondition(body, placeholders));
  }
  TRY(placeholders.CheckAllUsed());

  request.action.table = TRY(ParseTableName(body, context));
  request.action.return_item_on_condition_failure = WantsItemOnConditionFailure(body);
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  request.return_item_collection_metrics = ParseReturnItemCollectionMetrics(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::WriteRequest& request,
            const engine::WriteReply& reply, json::Writer& body) {
  if (request.return_values == engine::ReturnValues::kAllOld && reply.old_item) {
    body.Key("Attributes");
    protocol::WriteItem(body, reply.old_item->view());
  }
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
  WriteItemCollectionMetrics(body, reply.item_collection_metrics);
}

}  // namespace

constinit const Operation kPutItem =
    MakeOperation<engine::WriteRequest, engine::WriteReply, Parse, Render>("PutItem", kInput);

}  // namespace trestle::wire
