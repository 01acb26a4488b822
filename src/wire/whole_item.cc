#include "wire/whole_item.h"

#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/legacy_parameters.h"
#include "wire/members.h"

namespace trestle::wire {

Result<engine::WriteRequest> ParseWholeItemWrite(const json::Object& body,
                                                 const CallContext& context, engine::WriteKind kind,
                                                 std::string_view member) {
  TRY(CheckMix(body, {.legacy = {"Expected", "ConditionalOperator"},
                      .expressions = {"ConditionExpression"},
                      .values_need = "ConditionExpression is null",
                      .value_expressions = {"ConditionExpression"}}));

  engine::WriteRequest request;
  request.action.kind = kind;
  request.action.item = TRY(ParseItemMember(body, member));
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

void RenderWholeItemWrite(const CallContext& /*context*/, const engine::WriteRequest& request,
                          const engine::WriteReply& reply, json::Writer& body) {
  if (request.return_values == engine::ReturnValues::kAllOld && reply.old_item) {
    body.Key("Attributes");
    protocol::WriteItem(body, reply.old_item->view());
  }
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
  WriteItemCollectionMetrics(body, reply.item_collection_metrics);
}

}  // namespace trestle::wire
