// PutItem: replaces a whole item, or creates it.

#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/whole_item.h"

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
  return ParseWholeItemWrite(body, context, engine::WriteKind::kPut, "Item");
}

}  // namespace

constinit const Operation kPutItem =
    MakeOperation<engine::WriteRequest, engine::WriteReply, Parse, RenderWholeItemWrite>("PutItem",
                                                                                         kInput);

}  // namespace trestle::wire
