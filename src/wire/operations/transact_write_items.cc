// TransactWriteItems: up to 100 writes and checks that all happen, or none.

#include <array>

#include "base/limits.h"
#include "value/item_codec.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kConditionCheckMembers[] = {
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionExpression", .shape = &kStringShape, .presence = Presence::kRequired},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kConditionCheckShape = {
    .kind = Kind::kStructure, .name = "ConditionCheck", .members = kConditionCheckMembers};

constexpr Member kPutMembers[] = {
    {.name = "Item", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kPutShape = {.kind = Kind::kStructure, .name = "Put", .members = kPutMembers};

constexpr Member kDeleteMembers[] = {
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kDeleteShape = {
    .kind = Kind::kStructure, .name = "Delete", .members = kDeleteMembers};

constexpr Member kUpdateMembers[] = {
    {.name = "Key", .shape = &kAttributeMapShape, .presence = Presence::kRequired},
    {.name = "UpdateExpression", .shape = &kStringShape, .presence = Presence::kRequired},
    {.name = "TableName", .shape = &kTableNameShape, .presence = Presence::kRequired},
    {.name = "ConditionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
    {.name = "ExpressionAttributeValues", .shape = &kAttributeMapShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kUpdateShape = {
    .kind = Kind::kStructure, .name = "Update", .members = kUpdateMembers};

constexpr Member kTransactWriteItemMembers[] = {
    {.name = "ConditionCheck", .shape = &kConditionCheckShape},
    {.name = "Put", .shape = &kPutShape},
    {.name = "Delete", .shape = &kDeleteShape},
    {.name = "Update", .shape = &kUpdateShape},
};
constexpr Shape kTransactWriteItemShape = {
    .kind = Kind::kStructure, .name = "TransactWriteItem", .members = kTransactWriteItemMembers};
constexpr Shape kTransactItemsShape = {
    .kind = Kind::kList, .min = 1, .max = kTransactActionsMax, .element = &kTransactWriteItemShape};
constexpr Shape kClientRequestTokenShape = {
    .kind = Kind::kString, .min = 1, .max = kClientTokenLengthMax};
constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "ReturnItemCollectionMetrics", .shape = &kReturnItemCollectionMetricsShape},
    {.name = "ClientRequestToken", .shape = &kClientRequestTokenShape},
    {.name = "TransactItems", .shape = &kTransactItemsShape, .presence = Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "TransactWriteItemsInput", .members = kMembers};

// A kind of action, and what the request calls it and its item or key.
struct ActionName {
  engine::WriteKind kind;
  std::string_view name;
  std::string_view item_name;
};
constexpr std::array kActionNames = {
    ActionName{engine::WriteKind::kConditionCheck, "ConditionCheck", "Key"},
    ActionName{engine::WriteKind::kPut, "Put", "Item"},
    ActionName{engine::WriteKind::kDelete, "Delete", "Key"},
    ActionName{engine::WriteKind::kUpdate, "Update", "Key"},
};

Result<engine::WriteAction> ParseAction(const ActionName& name, const json::Object& body,
                                        const CallContext& context) {
  engine::WriteAction action;
  action.kind = name.kind;
  action.item = TRY(ParseItemMember(body, name.item_name));

  // Values are too deep only where they end up in an item, which is found when it is made.
  expr::Placeholders placeholders = TRY(ParsePlaceholders(body, value::kValueDepthMax));
  action.update = TRY(ParseUpdate(body, placeholders));
  action.condition = TRY(ParseCondition(body, placeholders));
  // Names and values are fine here without an expression that could use them.
  const bool has_expression =
      FindMember(body, "UpdateExpression") || FindMember(body, "ConditionExpression");
  if (has_expression) TRY(placeholders.CheckAllUsed());

  action.table = TRY(ParseTableName(body, context));
  action.return_item_on_condition_failure = WantsItemOnConditionFailure(body);
  return action;
}

Result<engine::WriteAction> ParseTransactItem(const json::Object& body,
                                              const CallContext& context) {
  const ActionName* found = nullptr;
  for (const ActionName& name : kActionNames) {
    if (!FindMember(body, name.name)) continue;
    if (found != nullptr) {
      return ValidationError("TransactItems can only contain one of Check, Put, Update or Delete");
    }
    found = &name;
  }
  if (found == nullptr) {
    return ValidationError("TransactItems can only contain one of Check, Put, Update or Delete");
  }
  return ParseAction(*found, *FindObject(body, found->name), context);
}

// What the request itself brings. What an update finds in the table is not counted.
Status CheckSize(const std::vector<engine::WriteAction>& actions) {
  std::size_t size_bytes = 0;
  for (const engine::WriteAction& action : actions)
    size_bytes += action.item.view().size_bytes();
  if (size_bytes <= kTransactBytesMax) return Ok();
  return ValidationError("Member must have total size less than or equal to 4 MB in a transaction");
}

Result<engine::TransactWriteRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::TransactWriteRequest request;
  const auto items = FindArray(body, "TransactItems");
  for (const json::Value item : *items) {
    request.actions.push_back(TRY(ParseTransactItem(AsObject(item), context)));
  }
  TRY(CheckSize(request.actions));
  request.client_request_token = std::string(FindString(body, "ClientRequestToken").value_or(""));
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  request.return_item_collection_metrics = ParseReturnItemCollectionMetrics(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::TransactWriteRequest& request,
            const engine::TransactWriteReply& reply, json::Writer& body) {
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kReadAndWrite);
  WriteItemCollectionMetrics(body, request.return_item_collection_metrics,
                             reply.item_collection_metrics);
}

}  // namespace

constinit const Operation kTransactWriteItems =
    MakeOperation<engine::TransactWriteRequest, engine::TransactWriteReply, Parse, Render>(
        "TransactWriteItems", kInput);

}  // namespace trestle::wire
