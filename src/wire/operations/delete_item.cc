// DeleteItem: removes one item by its key. An absent item is no error.

#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/whole_item.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ReturnValues", .shape = &kReturnValuesShape},
    {.name = "ReturnItemCollectionMetrics", .shape = &kReturnItemCollectionMetricsShape},
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "ConditionalOperator", .shape = &kConditionalOperatorShape},
    {.name = "Expected", .shape = &kExpectedShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "DeleteItemInput", .members = kMembers};

Result<engine::WriteRequest> Parse(const json::Object& body, const CallContext& context) {
  return ParseWholeItemWrite(body, context, engine::WriteKind::kDelete, "Key");
}

}  // namespace

constinit const Operation kDeleteItem =
    MakeOperation<engine::WriteRequest, engine::WriteReply, Parse, RenderWholeItemWrite>(
        "DeleteItem", kInput);

}  // namespace trestle::wire
