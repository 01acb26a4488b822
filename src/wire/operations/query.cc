// Query: the items of one partition key, in the order of their sort keys.

#include "wire/expression_parameters.h"
#include "wire/legacy_parameters.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/page_json.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kMembers[] = {
    {.name = "Select", .shape = &kSelectShape},
    {.name = "IndexName", .shape = &kIndexNameShape},
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "QueryFilter", .shape = &kConditionMapShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionalOperator", .shape = &kConditionalOperatorShape},
    {.name = "AttributesToGet", .shape = &kAttributeNameListShape},
    {.name = "Limit", .shape = &kPositiveIntegerShape},
    {.name = "KeyConditions", .shape = &kConditionMapShape},
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "ScanIndexForward", .shape = &kBooleanShape},
    {.name = "ExclusiveStartKey", .shape = &kAttributeMapShape},
    {.name = "KeyConditionExpression", .shape = &kStringShape},
    {.name = "FilterExpression", .shape = &kStringShape},
    {.name = "ProjectionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "QueryInput", .members = kMembers};

Result<engine::PageRequest> Parse(const json::Object& body, const CallContext& context) {
  TRY(CheckMix(
      body, {.legacy = {"AttributesToGet", "QueryFilter", "ConditionalOperator", "KeyConditions"},
             .expressions = {"ProjectionExpression", "FilterExpression", "KeyConditionExpression"},
             .values_need = "FilterExpression and KeyConditionExpression are null",
             .value_expressions = {"FilterExpression", "KeyConditionExpression"}}));
  engine::PageRequest request;
  request.filter = TRY(ParseLegacyFilter(body, "QueryFilter"));
  if (!request.filter.empty()) request.filter_name = "QueryFilter";
  TRY(CheckAttributesToGet(body));
  TRY(ParseStartKey(body, request));
  const auto key_condition = FindString(body, "KeyConditionExpression");
  if (FindMember(body, "KeyConditions")) {
    request.key_condition = TRY(ParseKeyConditions(body));
  } else if (!key_condition) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  TRY(ParseSelect(body, request));

  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  if (key_condition) {
    request.key_condition = TRY(expr::KeyCondition::Parse(*key_condition, placeholders));
  }
  if (FindMember(body, "FilterExpression")) request.filter = TRY(ParseFilter(body, placeholders));
  request.projection = TRY(ParseProjection(body, placeholders));
  TRY(placeholders.CheckAllUsed());

  request.direction = FindBool(body, "ScanIndexForward").value_or(true)
                          ? engine::Direction::kForward
                          : engine::Direction::kBackward;
  TRY(ParsePageOptions(body, context, request));
  return request;
}

}  // namespace

constinit const Operation kQuery =
    MakeOperation<engine::PageRequest, engine::PageReply, Parse, RenderPage>("Query", kInput);

}  // namespace trestle::wire
