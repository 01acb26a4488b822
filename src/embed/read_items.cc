// GetItem, BatchGetItem and TransactGetItems.

#include <fmt/format.h>

#include "base/limits.h"
#include "embed/constraints.h"
#include "embed/database_internal.h"
#include "embed/expressions.h"
#include "embed/value_codec.h"

namespace trestle::embed {
namespace {

// Of anything that has names and perhaps a projection.
template <typename Input>
trestle::Result<std::optional<expr::Projection>> ReadProjection(const Input& input) {
  expr::Placeholders placeholders =
      TRY(MakePlaceholders(input.expression_attribute_names, nullptr));
  auto projection = TRY(ParseProjection(input.projection_expression, placeholders));
  TRY(placeholders.CheckAllUsed());
  return projection;
}

template <typename Input>
Status CheckNames(const Input& input) {
  return CheckUse({.has_expression = input.projection_expression.has_value()},
                  input.expression_attribute_names, nullptr);
}

trestle::Result<engine::GetRequest> ToRequest(const GetItemInput& input) {
  TRY(CheckTableName(input.table_name));
  TRY(CheckNames(input));
  engine::GetRequest request;
  request.key = TRY(EncodeItem(input.key));
  request.projection = TRY(ReadProjection(input));
  request.table = input.table_name;
  request.consistency = ConsistencyOf(input.consistent_read);
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  return request;
}

std::string TextOf(const std::map<std::string, KeysAndAttributes>& request_items) {
  std::string text = "{";
  for (const auto& [table, keys] : request_items) {
    text += fmt::format("{}{}=com.amazonaws.dynamodb.v20120810.KeysAndAttributes@{:x}",
                        text.size() == 1 ? "" : ", ", table, keys.keys.size());
  }
  return text += "}";
}

Status CheckConstraints(const BatchGetItemInput& input) {
  Constraints constraints;
  const auto& items = input.request_items;
  constexpr std::string_view kPath = "requestItems";
  if (items.size() > kBatchGetKeysMax) {
    constraints.Violate(
        kPath, TextOf(items),
        fmt::format("Member must have length less than or equal to {}", kBatchGetKeysMax));
  }
  for (const auto& [table, keys] : items) {
    if (IsName(table)) continue;
    constraints.Violate(kPath, TextOf(items),
                        fmt::format("Map keys must satisfy constraint: {}", DescribeNames()));
    break;
  }
  for (const auto& [table, keys] : items) {
    constraints.CheckCount(fmt::format("{}.{}.member.keys", kPath, table), "AttributeValue",
                           keys.keys.size(), {.min = 1, .max = kBatchGetKeysMax});
  }
  return constraints.Finish();
}

trestle::Result<engine::BatchGetRequest> ToRequest(const BatchGetItemInput& input) {
  TRY(CheckConstraints(input));
  if (input.request_items.empty()) {
    return ValidationError("The requestItems parameter is required for BatchGetItem");
  }
  engine::BatchGetRequest request;
  std::size_t key_count = 0;
  for (const auto& [table_name, asked] : input.request_items) {
    engine::BatchGetRequest::Table table;
    TRY(CheckNames(asked));
    table.projection = TRY(ReadProjection(asked));
    table.table = table_name;
    for (const Item& key : asked.keys)
      table.keys.push_back(TRY(EncodeItem(key)));
    table.consistency = ConsistencyOf(asked.consistent_read);
    key_count += table.keys.size();
    request.tables.push_back(std::move(table));
  }
  if (key_count > kBatchGetKeysMax) {
    return ValidationError("Too many items requested for the BatchGetItem call");
  }
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  return request;
}

// The tables of the reply stand in the order of the request's.
BatchGetItemOutput ToBatchOutput(const BatchGetItemInput& input,
                                 const engine::BatchGetReply& reply) {
  BatchGetItemOutput output;
  std::size_t index = 0;
  for (const auto& [table_name, asked] : input.request_items) {
    const engine::BatchGetReply::Table& table = reply.tables.at(index++);
    std::vector<Item>& items = output.responses[table_name];
    for (std::size_t i = 0; i < table.items.size(); ++i)
      items.push_back(DecodeItem(table.items[i]));
    if (table.unprocessed.empty()) continue;
    KeysAndAttributes& unprocessed = output.unprocessed_keys[table_name];
    unprocessed = asked;
    unprocessed.keys.clear();
    for (const std::size_t position : table.unprocessed)
      unprocessed.keys.push_back(asked.keys.at(position));
  }
  output.consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity);
  return output;
}

trestle::Result<engine::TransactGetRequest> ToRequest(const TransactGetItemsInput& input) {
  Constraints constraints;
  constraints.CheckCount("transactItems", "TransactGetItem", input.transact_items.size(),
                         {.min = 1, .max = kTransactActionsMax});
  for (std::size_t i = 0; i < input.transact_items.size(); ++i) {
    const std::string& name = input.transact_items[i].table_name;
    if (IsName(name)) continue;
    constraints.CheckName(fmt::format("transactItems.{}.member.get.tableName", i + 1), name);
  }
  TRY(constraints.Finish());

  engine::TransactGetRequest request;
  for (const Get& get : input.transact_items) {
    TRY(CheckNames(get));
    engine::TransactGetRequest::Get one;
    one.key = TRY(EncodeItem(get.key));
    one.projection = TRY(ReadProjection(get));
    one.table = get.table_name;
    request.gets.push_back(std::move(one));
  }
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  return request;
}

}  // namespace

Result<GetItemOutput> Database::GetItem(const GetItemInput& input) const {
  return Run<engine::GetReply>(
      *impl_->database, ToRequest(input), [&](const engine::GetReply& reply) {
        return GetItemOutput{
            .item = ToOutput(reply.item),
            .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity)};
      });
}

Result<BatchGetItemOutput> Database::BatchGetItem(const BatchGetItemInput& input) const {
  return Run<engine::BatchGetReply>(
      *impl_->database, ToRequest(input),
      [&](const engine::BatchGetReply& reply) { return ToBatchOutput(input, reply); });
}

Result<TransactGetItemsOutput> Database::TransactGetItems(
    const TransactGetItemsInput& input) const {
  return Run<engine::TransactGetReply>(
      *impl_->database, ToRequest(input), [&](const engine::TransactGetReply& reply) {
        TransactGetItemsOutput output;
        for (const std::optional<value::Item>& item : reply.items)
          output.responses.push_back(ToOutput(item));
        output.consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity);
        return output;
      });
}

}  // namespace trestle::embed
