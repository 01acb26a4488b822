// BatchGetItem: reads up to 100 items of several tables by their keys.

#include "base/limits.h"
#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/expression_parameters.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"

namespace trestle::wire {
namespace {

constexpr Shape kKeysShape = {
    .kind = Kind::kList, .min = 1, .max = kBatchGetKeysMax, .element = &kAttributeMapShape};
constexpr Member kKeysAndAttributesMembers[] = {
    {.name = "Keys", .shape = &kKeysShape, .presence = Presence::kRequired},
    {.name = "AttributesToGet", .shape = &kAttributeNameListShape},
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "ProjectionExpression", .shape = &kStringShape},
    {.name = "ExpressionAttributeNames", .shape = &kExpressionAttributeNamesShape},
};
constexpr Shape kKeysAndAttributesShape = {
    .kind = Kind::kStructure, .name = "KeysAndAttributes", .members = kKeysAndAttributesMembers};
constexpr Shape kRequestItemsShape = {.kind = Kind::kMap,
                                      .max = kBatchGetKeysMax,
                                      .element = &kKeysAndAttributesShape,
                                      .key = &kManagedTableNameShape};
constexpr Member kMembers[] = {
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "RequestItems", .shape = &kRequestItemsShape, .presence = Presence::kRequired},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "BatchGetItemInput", .members = kMembers};

// Everything but the keys, which are judged after what the tables ask of them.
Result<engine::BatchGetRequest::Table> ParseTable(const json::Object& body) {
  TRY(CheckMix(body, {.legacy = {"AttributesToGet"},
                      .expressions = {"ProjectionExpression"},
                      .values_need = {},
                      .value_expressions = {}}));
  TRY(CheckAttributesToGet(body));
  expr::Placeholders placeholders = TRY(ParsePlaceholders(body));
  engine::BatchGetRequest::Table table;
  table.projection = TRY(ParseProjection(body, placeholders));
  TRY(placeholders.CheckAllUsed());
  table.consistency = ParseConsistentRead(body);
  return table;
}

json::Object RequestItems(const json::Object& body) {
  const auto items = FindObject(body, "RequestItems");
  CHECK(items.has_value(), "a required member, by CheckConstraints");
  return *items;
}

// What one table asks for with an expression, another may not without.
Status CheckMixOfTables(const json::Object& tables) {
  const auto has = [&](std::string_view name) {
    for (const auto& field : tables) {
      if (FindMember(AsObject(field.value), name)) return true;
    }
    return false;
  };
  if (!has("AttributesToGet") || !has("ProjectionExpression")) return Ok();
  return ValidationError(
      "Can not use both expression and non-expression parameters in the same request: "
      "Non-expression parameters: {AttributesToGet} Expression parameters: "
      "{ProjectionExpression}");
}

Result<engine::BatchGetRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::BatchGetRequest request;
  if (RequestItems(body).size() == 0) {
    return ValidationError("The requestItems parameter is required for BatchGetItem");
  }
  TRY(CheckMixOfTables(RequestItems(body)));
  std::size_t key_count = 0;
  for (const auto& field : RequestItems(body)) {
    const json::Object table_body = AsObject(field.value);
    engine::BatchGetRequest::Table table = TRY(ParseTable(table_body));
    table.table = TRY(ParseTableName(field.key, context));
    const auto keys = FindArray(table_body, "Keys");
    for (const json::Value key : *keys) {
      table.keys.push_back(TRY(protocol::ParseItem(AsObject(key))));
    }
    key_count += table.keys.size();
    request.tables.push_back(std::move(table));
  }
  if (key_count > kBatchGetKeysMax) {
    return ValidationError("Too many items requested for the BatchGetItem call");
  }
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return request;
}

// What was asked of a table, less the keys that were served.
void WriteUnprocessed(const json::Object& asked, const std::vector<std::size_t>& positions,
                      json::Writer& body) {
  body.BeginObject();
  for (const auto& field : asked) {
    if (field.value.is_null()) continue;
    body.Key(field.key);
    if (field.key != "Keys") {
      body.Raw(simdjson::minify(field.value));
      continue;
    }
    const json::Array keys = AsArray(field.value);
    body.BeginArray();
    for (const std::size_t position : positions)
      body.Raw(simdjson::minify(keys.at(position)));
    body.EndArray();
  }
  body.EndObject();
}

void Render(const CallContext& context, const engine::BatchGetRequest& request,
            const engine::BatchGetReply& reply, json::Writer& body) {
  const json::Object asked = RequestItems(*context.body);
  body.Key("Responses");
  body.BeginObject();
  std::size_t index = 0;
  for (const auto& field : asked) {
    const engine::ItemList& items = reply.tables[index++].items;
    body.Key(field.key);
    body.BeginArray();
    for (std::size_t i = 0; i < items.size(); ++i)
      protocol::WriteItem(body, items[i]);
    body.EndArray();
  }
  body.EndObject();

  body.Key("UnprocessedKeys");
  body.BeginObject();
  index = 0;
  for (const auto& field : asked) {
    const std::vector<std::size_t>& positions = reply.tables[index++].unprocessed;
    if (positions.empty()) continue;
    body.Key(field.key);
    WriteUnprocessed(AsObject(field.value), positions, body);
  }
  body.EndObject();
  WriteConsumedCapacities(body, request.return_consumed_capacity, reply.consumed,
                          UnitNames::kTotal);
}

}  // namespace

constinit const Operation kBatchGetItem =
    MakeOperation<engine::BatchGetRequest, engine::BatchGetReply, Parse, Render>("BatchGetItem",
                                                                                 kInput);

}  // namespace trestle::wire
