// Scan: all items of a table or index, or of one segment of it.

#include <fmt/format.h>

#include "wire/expression_parameters.h"
#include "wire/legacy_parameters.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/page_json.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Shape kSegmentShape = {.kind = Kind::kInteger, .min = 0, .max = 999'999};
constexpr Shape kTotalSegmentsShape = {.kind = Kind::kInteger, .min = 1, .max = 1'000'000};

constexpr Member kMembers[] = {
    {.name = "Select", .shape = &kSelectShape},
    {.name = "IndexName", .shape = &kIndexNameShape},
    {.name = "TotalSegments", .shape = &kTotalSegmentsShape},
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionalOperator", .shape = &kConditionalOperatorShape},
    {.name = "ScanFilter", .shape = &kConditionMapShape},
    {.name = "Segment", .shape = &kSegmentShape},
    {.name = "Limit", .shape = &kPositiveIntegerShape},
    {.name = "AttributesToGet", .shape = &kAttributeNameListShape},
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "ExclusiveStartKey", .shape = &kAttributeMapShape},
    {.name = "FilterExpression", .shape = &kStringShape},
    {.name = "ProjectionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "ScanInput", .members = kMembers};

Status ParseSegments(const json::Object& body, engine::PageRequest& request) {
  const auto segment = FindInteger(body, "Segment");
  const auto total_segments = FindInteger(body, "TotalSegments");
  if (!segment && !total_segments) return Ok();
  if (!total_segments) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (!segment) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (*segment >= *total_segments) {
    return ValidationError(
        fmt::format("The Segment parameter is zero-based and must be less than parameter "
                    "TotalSegments: Segment: {} is not less than TotalSegments: {}",
                    *segment, *total_segments));
  }
  request.segment = static_cast<std::uint32_t>(*segment);
  request.total_segments = static_cast<std::uint32_t>(*total_segments);
  return Ok();
}

Result<engine::PageRequest> Parse(const json::Object& body, const CallContext& context) {
  TRY(CheckMix(body, {.legacy = {"AttributesToGet", "ScanFilter", "ConditionalOperator"},
                      .expressions = {"ProjectionExpression", "FilterExpression"},
                      .values_need = "FilterExpression is null",
                      .value_expressions = {"FilterExpression"}}));
  engine::PageRequest request;
  TRY(CheckAttributesToGet(body));
  request.filter = TRY(ParseLegacyFilter(body, "ScanFilter"));
  TRY(ParseStartKey(body, request));
  TRY(ParseSegments(body, request));
  TRY(ParseSelect(body, request));

  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  if (FindMember(body, "FilterExpression")) request.filter = TRY(ParseFilter(body, placeholders));
  request.projection = TRY(ParseProjection(body, placeholders));
  TRY(placeholders.CheckAllUsed());

  TRY(ParsePageOptions(body, context, request));
  return request;
}

}  // namespace

constinit const Operation kScan =
    MakeOperation<engine::PageRequest, engine::PageReply, Parse, RenderPage>("Scan", kInput);

}  // namespace trestle::wire
