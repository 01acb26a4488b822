// ExecuteTransaction: up to 100 PartiQL statements that all happen, or none.

#include "base/limits.h"
#include "engine/statement.h"
#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/statement_json.h"

namespace trestle::wire {
namespace {

constexpr Member kStatementMembers[] = {
    {.name = "Statement", .shape = &kStatementShape, .presence = Presence::kRequired},
    {.name = "Parameters", .shape = &kParametersShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kParameterizedStatementShape = {
    .kind = Kind::kStructure, .name = "ParameterizedStatement", .members = kStatementMembers};
constexpr Shape kTransactStatementsShape = {.kind = Kind::kList,
                                            .min = 1,
                                            .max = kTransactActionsMax,
                                            .element = &kParameterizedStatementShape};
constexpr Shape kClientRequestTokenShape = {
    .kind = Kind::kString, .min = 1, .max = kClientTokenLengthMax};
constexpr Member kMembers[] = {
    {.name = "TransactStatements",
     .shape = &kTransactStatementsShape,
     .presence = Presence::kRequired},
    {.name = "ClientRequestToken", .shape = &kClientRequestTokenShape},
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "ExecuteTransactionInput", .members = kMembers};

Result<engine::StatementRequest> ParseOne(const json::Object& body, const CallContext& context) {
  engine::StatementRequest request = TRY(ParseStatement(body, context));
  TRY(engine::CheckTransacted(request.statement));
  return request;
}

Result<engine::TransactStatementRequest> Parse(const json::Object& body,
                                               const CallContext& context) {
  engine::TransactStatementRequest request;
  const auto statements = FindArray(body, "TransactStatements");
  for (const json::Value value : *statements) {
    Result<engine::StatementRequest> one = ParseOne(AsObject(value), context);
    if (!one.ok()) {
      if (one.error().code() != ErrorCode::kValidation) return one.error();
      return engine::InTransaction(request.statements.size(), one.error());
    }
    request.return_items_on_condition_failure.push_back(one->return_item_on_condition_failure);
    request.statements.push_back((*std::move(one)).statement);
  }
  TRY(engine::CheckTogether(request));
  request.client_request_token = std::string(FindString(body, "ClientRequestToken").value_or(""));
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::TransactStatementRequest& request,
            const engine::TransactStatementReply& reply, json::Writer& body) {
  body.Key("Responses");
  body.BeginArray();
  for (const std::optional<value::Item>& item : reply.items) {
    body.BeginObject();
    if (item) {
      body.Key("Item");
      protocol::WriteItem(body, item->view());
    }
    body.EndObject();
  }
  body.EndArray();
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kReadAndWrite);
}

}  // namespace

constinit const Operation kExecuteTransaction =
    MakeOperation<engine::TransactStatementRequest, engine::TransactStatementReply, Parse, Render>(
        "ExecuteTransaction", kInput);

}  // namespace trestle::wire
