// BatchExecuteStatement: up to 25 PartiQL statements, each on its own.

#include <algorithm>

#include "base/limits.h"
#include "engine/statement.h"
#include "protocol/attribute_json.h"
#include "protocol/error_names.h"
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
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kBatchStatementShape = {
    .kind = Kind::kStructure, .name = "BatchStatementRequest", .members = kStatementMembers};
constexpr Shape kStatementsShape = {
    .kind = Kind::kList, .min = 1, .max = kBatchStatementsMax, .element = &kBatchStatementShape};
constexpr Member kMembers[] = {
    {.name = "Statements", .shape = &kStatementsShape, .presence = Presence::kRequired},
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "BatchExecuteStatementInput", .members = kMembers};

Result<engine::StatementRequest> ParseOne(const json::Object& body, const CallContext& context,
                                          engine::ReturnConsumedCapacity return_capacity) {
  engine::StatementRequest request = TRY(ParseStatement(body, context));
  TRY(engine::CheckAlone(request.statement));
  request.return_consumed_capacity = return_capacity;
  return request;
}

Result<engine::BatchStatementRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::BatchStatementRequest request;
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  const auto statements = FindArray(body, "Statements");
  for (const json::Value value : *statements) {
    Result<engine::StatementRequest> one =
        ParseOne(AsObject(value), context, request.return_consumed_capacity);
    if (!one.ok() && one.error().code() == ErrorCode::kSerialization) return one.error();
    request.statements.push_back(std::move(one));
  }
  TRY(engine::CheckTogether(request));
  return request;
}

void WriteError(const Error& error, json::Writer& body) {
  body.Key("Error");
  body.BeginObject();
  body.Key("Code");
  body.String(protocol::ReasonCodeOf(error.code()));
  body.Key("Message");
  body.String(error.message());
  if (error.details() != nullptr && !error.details()->item.empty()) {
    body.Key("Item");
    protocol::WriteItem(body, value::ItemView(error.details()->item));
  }
  body.EndObject();
}

// The table is named unless the statement was refused before it ran.
void WriteResponse(const Result<engine::StatementRequest>& statement,
                   const Result<std::optional<value::Item>>& item, json::Writer& body) {
  body.BeginObject();
  if (!item.ok()) WriteError(item.error(), body);
  if (statement.ok() && (item.ok() || item.error().code() != ErrorCode::kValidation)) {
    body.Key("TableName");
    body.String(statement->statement.table);
  }
  if (item.ok() && *item) {
    body.Key("Item");
    protocol::WriteItem(body, (*item)->view());
  }
  body.EndObject();
}

void Render(const CallContext& /*context*/, const engine::BatchStatementRequest& request,
            const engine::BatchStatementReply& reply, json::Writer& body) {
  body.Key("Responses");
  body.BeginArray();
  for (std::size_t i = 0; i < reply.items.size(); ++i) {
    WriteResponse(request.statements[i], reply.items[i], body);
  }
  body.EndArray();
  if (reply.consumed.empty()) return;
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kTotal);
}

}  // namespace

constinit const Operation kBatchExecuteStatement =
    MakeOperation<engine::BatchStatementRequest, engine::BatchStatementReply, Parse, Render>(
        "BatchExecuteStatement", kInput);

}  // namespace trestle::wire
