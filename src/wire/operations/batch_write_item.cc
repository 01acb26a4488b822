// BatchWriteItem: up to 25 puts and deletes in several tables, each on its own.

#include "base/limits.h"
#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kDeleteRequestMembers[] = {
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
};
constexpr Shape kDeleteRequestShape = {
    .kind = Kind::kStructure, .name = "DeleteRequest", .members = kDeleteRequestMembers};
constexpr Member kPutRequestMembers[] = {
    {.name = "Item", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
};
constexpr Shape kPutRequestShape = {
    .kind = Kind::kStructure, .name = "PutRequest", .members = kPutRequestMembers};
constexpr Member kWriteRequestMembers[] = {
    {.name = "DeleteRequest", .shape = &kDeleteRequestShape},
    {.name = "PutRequest", .shape = &kPutRequestShape},
};
constexpr Shape kWriteRequestShape = {
    .kind = Kind::kStructure, .name = "WriteRequest", .members = kWriteRequestMembers};
constexpr Shape kWriteRequestsShape = {
    .kind = Kind::kList, .min = 1, .max = kBatchWriteRequestsMax, .element = &kWriteRequestShape};
constexpr Shape kRequestItemsShape = {.kind = Kind::kMap,
                                      .max = kBatchWriteRequestsMax,
                                      .element = &kWriteRequestsShape,
                                      .key = &kManagedTableNameShape};
constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "ReturnItemCollectionMetrics", .shape = &kReturnItemCollectionMetricsShape},
    {.name = "RequestItems", .shape = &kRequestItemsShape, .presence = Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "BatchWriteItemInput", .members = kMembers};

Result<engine::WriteAction> ParseAction(const json::Object& body) {
  const auto put = FindObject(body, "PutRequest");
  const auto remove = FindObject(body, "DeleteRequest");
  if (put.has_value() == remove.has_value()) {
    // These are the service's words, odd as they are here.
    return ValidationError(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  engine::WriteAction action;
  action.kind = put ? engine::WriteKind::kPut : engine::WriteKind::kDelete;
  action.item = put ? TRY(ParseItemMember(*put, "Item")) : TRY(ParseItemMember(*remove, "Key"));
  return action;
}

Result<engine::BatchWriteRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::BatchWriteRequest request;
  const auto tables = FindObject(body, "RequestItems");
  if (tables->size() == 0) {
    return ValidationError("The requestItems parameter is required for BatchWriteItem");
  }
  for (const auto& field : *tables) {
    const std::string table = TRY(ParseTableName(field.key, context));
    for (const json::Value element : AsArray(field.value)) {
      engine::WriteAction action = TRY(ParseAction(AsObject(element)));
      action.table = table;
      request.actions.push_back(std::move(action));
    }
  }
  if (request.actions.size() > kBatchWriteRequestsMax) {
    return ValidationError("Too many items requested for the BatchWriteItem call");
  }
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  request.return_item_collection_metrics = ParseReturnItemCollectionMetrics(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::BatchWriteRequest& request,
            const engine::BatchWriteReply& reply, json::Writer& body) {
  // A batch is one group of the committer: all of it is written, or the call fails.
  body.Key("UnprocessedItems");
  body.BeginObject();
  body.EndObject();
  WriteItemCollectionMetrics(body, request.return_item_collection_metrics,
                             reply.item_collection_metrics);
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kTotal);
}

}  // namespace

constinit const Operation kBatchWriteItem =
    MakeOperation<engine::BatchWriteRequest, engine::BatchWriteReply, Parse, Render>(
        "BatchWriteItem", kInput);

}  // namespace trestle::wire
