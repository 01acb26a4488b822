#include "remote/items.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/limits.h"
#include "base/unit_counter.h"
#include "protocol/attribute_json.h"
#include "remote/body_internal.h"

namespace trestle::remote {
namespace {

void AddExpressions(const Expressions& expressions, Body& body) {
  if (!expressions.names.empty()) {
    body.BeginObject("ExpressionAttributeNames");
    for (const auto& [key, name] : expressions.names)
      body.Text(key, name);
    body.EndObject();
  }
  if (!expressions.values.empty()) {
    body.BeginObject("ExpressionAttributeValues");
    for (const auto& [key, value] : expressions.values) {
      body.writer().Key(key);
      protocol::WriteValue(body.writer(), value::ValueView(value));
    }
    body.EndObject();
  }
}

// What a write is on its own and as one of a transaction's.
void AddWrite(const WriteInput& write, Body& body) {
  body.Text("TableName", write.table);
  body.Item(write.kind == WriteKind::kPut ? "Item" : "Key", write.item.view());
  body.TextIf("UpdateExpression", write.update_expression);
  body.TextIf("ConditionExpression", write.condition_expression);
  AddExpressions(write.expressions, body);
  if (write.returns_item_on_failure) body.Text("ReturnValuesOnConditionCheckFailure", "ALL_OLD");
}

std::string_view ActionName(WriteKind kind) {
  switch (kind) {
    case WriteKind::kPut:
      return "Put";
    case WriteKind::kUpdate:
      return "Update";
    case WriteKind::kDelete:
      return "Delete";
    case WriteKind::kConditionCheck:
      return "ConditionCheck";
  }
  UNREACHABLE("a kind that is not in the enum");
}

// What an operation consumes, which it says of one table or of each.
enum class Consumes : std::uint8_t { kReads, kWrites };

// Sends an operation on items. Everything else is in the body, which is whole afterwards.
Result<Reply> Send(Client& client, std::string_view operation, Consumes consumes, Body& body,
                   bool is_repeatable = true) {
  if (UnitCounter::IsCounting()) body.Text("ReturnConsumedCapacity", "TOTAL");
  Reply reply = TRY(
      client.Send({.operation = operation, .body = body.Finish(), .is_repeatable = is_repeatable}));
  std::vector<json::Object> tables = FindObjects(reply.body, "ConsumedCapacity");
  if (const auto table = FindObject(reply.body, "ConsumedCapacity")) tables.push_back(*table);
  for (const json::Object& table : tables) {
    const double units = FindDouble(table, "CapacityUnits");
    UnitCounter::Add(consumes == Consumes::kReads ? Units{.read = units} : Units{.write = units});
  }
  return reply;
}

// One request of at most kBatchGetKeysMax keys: what it found, and the keys that it left.
struct BatchPart {
  std::vector<value::Item> items;
  std::vector<value::Item> unprocessed;
};

Result<BatchPart> GetPart(Client& client, const BatchGetInput& input,
                          std::span<const value::Item> keys) {
  Body body;
  body.BeginObject("RequestItems");
  body.BeginObject(input.table);
  body.writer().Key("Keys");
  body.writer().BeginArray();
  for (const value::Item& key : keys)
    protocol::WriteItem(body.writer(), key.view());
  body.writer().EndArray();
  if (input.consistent_read) body.Bool("ConsistentRead", true);
  body.EndObject();
  body.EndObject();
  const Reply reply = TRY(Send(client, "BatchGetItem", Consumes::kReads, body));
  BatchPart part;
  if (const auto responses = FindObject(reply.body, "Responses")) {
    part.items = TRY(FindItems(*responses, input.table));
  }
  if (const auto tables = FindObject(reply.body, "UnprocessedKeys")) {
    if (const auto rest = FindObject(*tables, input.table)) {
      part.unprocessed = TRY(FindItems(*rest, "Keys"));
    }
  }
  return part;
}

// Sends the writes of one request and returns those that the service left, as JSON.
Result<std::string> WritePart(Client& client, std::string_view request_items) {
  Body body;
  body.writer().Key("RequestItems");
  body.writer().Raw(request_items);
  const Reply reply = TRY(Send(client, "BatchWriteItem", Consumes::kWrites, body));
  const auto rest = FindObject(reply.body, "UnprocessedItems");
  if (!rest || rest->size() == 0) return std::string();
  return std::string(simdjson::minify(*rest));
}

std::string RequestItemsOf(std::span<const WriteInput> writes) {
  std::map<std::string_view, std::vector<const WriteInput*>> tables;
  for (const WriteInput& write : writes)
    tables[write.table].push_back(&write);
  std::string text;
  json::Writer writer(text);
  writer.BeginObject();
  for (const auto& [table, parts] : tables) {
    writer.Key(table);
    writer.BeginArray();
    for (const WriteInput* write : parts) {
      const bool is_put = write->kind == WriteKind::kPut;
      writer.BeginObject();
      writer.Key(is_put ? "PutRequest" : "DeleteRequest");
      writer.BeginObject();
      writer.Key(is_put ? "Item" : "Key");
      protocol::WriteItem(writer, write->item.view());
      writer.EndObject();
      writer.EndObject();
    }
    writer.EndArray();
  }
  writer.EndObject();
  return text;
}

// Of the rest of a batch. Nothing that went through in so many attempts will go through.
constexpr int kBatchAttemptsMax = 20;

Error NotProcessed() {
  return {ErrorCode::kThrottled, "The endpoint leaves a part of the batch unprocessed"};
}

}  // namespace

Result<std::optional<value::Item>> GetItem(Client& client, const GetItemInput& input) {
  Body body;
  body.Text("TableName", input.table);
  body.Item("Key", input.key.view());
  if (input.consistent_read) body.Bool("ConsistentRead", true);
  const Reply reply = TRY(Send(client, "GetItem", Consumes::kReads, body));
  return FindItem(reply.body, "Item");
}

Result<std::vector<value::Item>> BatchGetItems(Client& client, const BatchGetInput& input) {
  std::vector<value::Item> items;
  std::vector<value::Item> waiting(input.keys.begin(), input.keys.end());
  int idle_attempts = 0;
  while (!waiting.empty()) {
    const std::size_t count = std::min(waiting.size(), kBatchGetKeysMax);
    const std::size_t start = waiting.size() - count;
    BatchPart part = TRY(GetPart(client, input, std::span(waiting).subspan(start)));
    idle_attempts = part.unprocessed.size() < count ? 0 : idle_attempts + 1;
    if (idle_attempts > kBatchAttemptsMax) return NotProcessed();
    if (!part.unprocessed.empty()) client.Pause(idle_attempts + 1);
    waiting.resize(start);
    std::ranges::move(part.unprocessed, std::back_inserter(waiting));
    std::ranges::move(part.items, std::back_inserter(items));
  }
  return items;
}

Result<PageOutput> ReadPage(Client& client, const PageInput& input) {
  const bool is_query = !input.key_condition_expression.empty();
  Body body;
  body.Text("TableName", input.table);
  body.TextIf("IndexName", input.index);
  body.TextIf("KeyConditionExpression", input.key_condition_expression);
  body.TextIf("FilterExpression", input.filter_expression);
  body.TextIf("ProjectionExpression", input.projection_expression);
  AddExpressions(input.expressions, body);
  if (input.exclusive_start_key) body.Item("ExclusiveStartKey", input.exclusive_start_key->view());
  if (input.limit) body.Integer("Limit", *input.limit);
  if (is_query) body.Bool("ScanIndexForward", input.scan_index_forward);
  if (input.consistent_read) body.Bool("ConsistentRead", true);
  if (!is_query && input.total_segments > 1) {
    body.Integer("Segment", input.segment);
    body.Integer("TotalSegments", input.total_segments);
  }
  const Reply reply = TRY(Send(client, is_query ? "Query" : "Scan", Consumes::kReads, body));
  PageOutput output;
  output.items = TRY(FindItems(reply.body, "Items"));
  output.last_evaluated_key = TRY(FindItem(reply.body, "LastEvaluatedKey"));
  return output;
}

Status WriteItem(Client& client, const WriteInput& write) {
  CHECK(write.kind != WriteKind::kConditionCheck, "only a transaction can check without writing");
  Body body;
  AddWrite(write, body);
  const bool is_repeatable = write.kind != WriteKind::kUpdate && write.condition_expression.empty();
  const std::string operation = std::string(ActionName(write.kind)) + "Item";
  TRY(Send(client, operation, Consumes::kWrites, body, is_repeatable));
  return Ok();
}

Status TransactWriteItems(Client& client, std::span<const WriteInput> writes,
                          const std::string& client_request_token) {
  Body body;
  body.Text("ClientRequestToken",
            client_request_token.empty() ? client.random().Uuid() : client_request_token);
  body.writer().Key("TransactItems");
  body.writer().BeginArray();
  for (const WriteInput& write : writes) {
    body.writer().BeginObject();
    body.BeginObject(ActionName(write.kind));
    AddWrite(write, body);
    body.EndObject();
    body.writer().EndObject();
  }
  body.writer().EndArray();
  TRY(Send(client, "TransactWriteItems", Consumes::kWrites, body));
  return Ok();
}

Status BatchWriteItems(Client& client, std::span<const WriteInput> writes) {
  for (std::size_t start = 0; start < writes.size(); start += kBatchWriteRequestsMax) {
    std::string rest = RequestItemsOf(
        writes.subspan(start, std::min(writes.size() - start, kBatchWriteRequestsMax)));
    for (int attempt = 1; !rest.empty(); ++attempt) {
      rest = TRY(WritePart(client, rest));
      if (rest.empty()) break;
      if (attempt == kBatchAttemptsMax) return NotProcessed();
      client.Pause(attempt);
    }
  }
  return Ok();
}

}  // namespace trestle::remote
