// PutItem, UpdateItem, DeleteItem, BatchWriteItem and TransactWriteItems.

#include <algorithm>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "base/limits.h"
#include "embed/constraints.h"
#include "embed/database_internal.h"
#include "embed/expressions.h"
#include "embed/value_codec.h"
#include "expr/update.h"

namespace trestle::embed {
namespace {

// What all conditional writes have in common, besides the input's own fields.
struct ActionView {
  engine::WriteKind kind;
  const Item& item;  // or the key
  std::optional<std::string> update_expression = std::nullopt;
  ReturnValues return_values = ReturnValues::kNone;
};

template <typename Input>
Status CheckExpressionUse(const ActionView& view, const Input& input,
                          const std::optional<std::string>& condition_expression) {
  const bool has_expression = view.update_expression || condition_expression;
  return CheckUse({.has_expression = has_expression,
                   .has_value_expression = has_expression,
                   .values_need = view.kind == engine::WriteKind::kUpdate
                                      ? "UpdateExpression and ConditionExpression are null"
                                      : "ConditionExpression is null"},
                  input.expression_attribute_names, &input.expression_attribute_values);
}

// The order of the steps is the order in which the service finds faults.
template <typename Input>
trestle::Result<engine::WriteAction> ToAction(const ActionView& view, const Input& input) {
  const std::optional<std::string> condition_expression = input.condition_expression;
  TRY(CheckExpressionUse(view, input, condition_expression));
  engine::WriteAction action;
  action.kind = view.kind;
  action.item = TRY(EncodeItem(view.item));
  if (view.kind != engine::WriteKind::kUpdate && view.return_values != ReturnValues::kNone &&
      view.return_values != ReturnValues::kAllOld) {
    return ValidationError("ReturnValues can only be ALL_OLD or NONE");
  }

  expr::Placeholders placeholders =
      TRY(MakePlaceholders(input.expression_attribute_names, &input.expression_attribute_values));
  if (view.update_expression) {
    action.update = TRY(expr::Update::Parse(*view.update_expression, placeholders));
  }
  action.condition =
      TRY(ParseCondition(expr::ConditionKind::kCondition, condition_expression, placeholders));
  TRY(placeholders.CheckAllUsed());

  action.table = input.table_name;
  action.return_item_on_condition_failure = input.return_values_on_condition_check_failure ==
                                            ReturnValuesOnConditionCheckFailure::kAllOld;
  return action;
}

template <typename Input>
trestle::Result<engine::WriteRequest> ToRequest(const ActionView& view, const Input& input) {
  TRY(CheckTableName(input.table_name));
  engine::WriteRequest request;
  request.action = TRY(ToAction(view, input));
  request.return_values = SameEnumerator<engine::ReturnValues>(view.return_values);
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  request.return_item_collection_metrics =
      SameEnumerator<engine::ReturnItemCollectionMetrics>(input.return_item_collection_metrics);
  return request;
}

// What of the old or new item return_values asks for: all of it, or what the update named.
std::optional<Item> AttributesOf(ReturnValues asked, const expr::Update& update,
                                 const engine::WriteReply& reply) {
  const bool is_old = asked == ReturnValues::kAllOld || asked == ReturnValues::kUpdatedOld;
  const std::optional<value::Item>& item = is_old ? reply.old_item : reply.new_item;
  if (asked == ReturnValues::kNone || !item) return std::nullopt;
  if (asked == ReturnValues::kAllOld || asked == ReturnValues::kAllNew) return ToOutput(item);
  const value::Item part = expr::Projection(update.targets()).Apply(item->view());
  if (part.view().count() == 0) return std::nullopt;
  return DecodeItem(part.view());
}

template <typename Input>
Result<WriteItemOutput> WriteItem(engine::Database& database, const ActionView& view,
                                  const Input& input) {
  trestle::Result<engine::WriteRequest> request = ToRequest(view, input);
  const expr::Update update = request.ok() ? request->action.update : expr::Update();
  return Run<engine::WriteReply>(
      database, std::move(request), [&](const engine::WriteReply& reply) {
        WriteItemOutput output = {
            .attributes = AttributesOf(view.return_values, update, reply),
            .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity)};
        if (reply.item_collection_metrics) {
          output.item_collection_metrics = ToOutput(*reply.item_collection_metrics);
        }
        return output;
      });
}

std::string TextOf(const std::map<std::string, std::vector<WriteRequest>>& request_items) {
  std::string text = "{";
  for (const auto& [table, requests] : request_items) {
    text += fmt::format("{}{}={}", text.size() == 1 ? "" : ", ", table,
                        ListText("WriteRequest", requests.size()));
  }
  return text += "}";
}

Status CheckConstraints(const BatchWriteItemInput& input) {
  Constraints constraints;
  const auto& items = input.request_items;
  const auto violate = [&](std::string_view constraint) {
    constraints.Violate("requestItems", TextOf(items), constraint);
  };
  if (items.size() > kBatchWriteRequestsMax) {
    violate(
        fmt::format("Member must have length less than or equal to {}", kBatchWriteRequestsMax));
  }
  const auto is_name = [](const auto& table) { return IsName(table.first); };
  if (!std::ranges::all_of(items, is_name)) {
    violate(fmt::format("Map keys must satisfy constraint: {}", DescribeNames()));
  }
  const auto has_room = [](const auto& table) {
    return !table.second.empty() && table.second.size() <= kBatchWriteRequestsMax;
  };
  if (!std::ranges::all_of(items, has_room)) {
    violate(
        fmt::format("Map value must satisfy constraint: [Member must have length less than or "
                    "equal to {}, Member must have length greater than or equal to 1]",
                    kBatchWriteRequestsMax));
  }
  return constraints.Finish();
}

trestle::Result<engine::BatchWriteRequest> ToRequest(const BatchWriteItemInput& input) {
  TRY(CheckConstraints(input));
  if (input.request_items.empty()) {
    return ValidationError("The requestItems parameter is required for BatchWriteItem");
  }
  engine::BatchWriteRequest request;
  for (const auto& [table_name, writes] : input.request_items) {
    for (const WriteRequest& write : writes) {
      engine::WriteAction action;
      action.table = table_name;
      const auto* put = std::get_if<PutRequest>(&write);
      action.kind = put != nullptr ? engine::WriteKind::kPut : engine::WriteKind::kDelete;
      action.item =
          TRY(EncodeItem(put != nullptr ? put->item : std::get<DeleteRequest>(write).key));
      request.actions.push_back(std::move(action));
    }
  }
  if (request.actions.size() > kBatchWriteRequestsMax) {
    return ValidationError("Too many items requested for the BatchWriteItem call");
  }
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  request.return_item_collection_metrics =
      SameEnumerator<engine::ReturnItemCollectionMetrics>(input.return_item_collection_metrics);
  return request;
}

trestle::Result<engine::WriteAction> ToAction(const ConditionCheck& check) {
  return ToAction({.kind = engine::WriteKind::kConditionCheck, .item = check.key}, check);
}
trestle::Result<engine::WriteAction> ToAction(const Put& put) {
  return ToAction({.kind = engine::WriteKind::kPut, .item = put.item}, put);
}
trestle::Result<engine::WriteAction> ToAction(const Delete& remove) {
  return ToAction({.kind = engine::WriteKind::kDelete, .item = remove.key}, remove);
}
trestle::Result<engine::WriteAction> ToAction(const Update& update) {
  return ToAction({.kind = engine::WriteKind::kUpdate,
                   .item = update.key,
                   .update_expression = update.update_expression},
                  update);
}

constexpr std::string_view NameOf(const ConditionCheck& /*action*/) { return "conditionCheck"; }
constexpr std::string_view NameOf(const Put& /*action*/) { return "put"; }
constexpr std::string_view NameOf(const Delete& /*action*/) { return "delete"; }
constexpr std::string_view NameOf(const Update& /*action*/) { return "update"; }

Status CheckConstraints(const TransactWriteItemsInput& input) {
  Constraints constraints;
  if (input.client_request_token) {
    constraints.CheckLength("clientRequestToken", *input.client_request_token,
                            {.min = 1, .max = kClientTokenLengthMax});
  }
  constraints.CheckCount("transactItems", "TransactWriteItem", input.transact_items.size(),
                         {.min = 1, .max = kTransactActionsMax});
  for (std::size_t i = 0; i < input.transact_items.size(); ++i) {
    const auto check = [&](const auto& action) {
      if (IsName(action.table_name)) return;
      constraints.CheckName(
          fmt::format("transactItems.{}.member.{}.tableName", i + 1, NameOf(action)),
          action.table_name);
    };
    std::visit(check, input.transact_items[i]);
  }
  return constraints.Finish();
}

trestle::Result<engine::TransactWriteRequest> ToRequest(const TransactWriteItemsInput& input) {
  TRY(CheckConstraints(input));
  engine::TransactWriteRequest request;
  for (const TransactWriteItem& item : input.transact_items) {
    request.actions.push_back(
        TRY(std::visit([](const auto& action) { return ToAction(action); }, item)));
  }
  request.client_request_token = input.client_request_token.value_or("");
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
  request.return_item_collection_metrics =
      SameEnumerator<engine::ReturnItemCollectionMetrics>(input.return_item_collection_metrics);
  return request;
}

// Of both operations that write several items.
template <typename Reply, typename Input>
Result<WriteItemsOutput> WriteItems(engine::Database& database, const Input& input) {
  return Run<Reply>(database, ToRequest(input), [&](const Reply& reply) {
    return WriteItemsOutput{
        .consumed_capacity = ToOutput(reply.consumed, input.return_consumed_capacity),
        .item_collection_metrics =
            ToOutput(reply.item_collection_metrics, input.return_item_collection_metrics)};
  });
}

}  // namespace

Result<WriteItemOutput> Database::PutItem(const PutItemInput& input) {
  return WriteItem(
      *impl_->database,
      {.kind = engine::WriteKind::kPut, .item = input.item, .return_values = input.return_values},
      input);
}

Result<WriteItemOutput> Database::UpdateItem(const UpdateItemInput& input) {
  return WriteItem(*impl_->database,
                   {.kind = engine::WriteKind::kUpdate,
                    .item = input.key,
                    .update_expression = input.update_expression,
                    .return_values = input.return_values},
                   input);
}

Result<WriteItemOutput> Database::DeleteItem(const DeleteItemInput& input) {
  return WriteItem(
      *impl_->database,
      {.kind = engine::WriteKind::kDelete, .item = input.key, .return_values = input.return_values},
      input);
}

Result<WriteItemsOutput> Database::BatchWriteItem(const BatchWriteItemInput& input) {
  return WriteItems<engine::BatchWriteReply>(*impl_->database, input);
}

Result<WriteItemsOutput> Database::TransactWriteItems(const TransactWriteItemsInput& input) {
  return WriteItems<engine::TransactWriteReply>(*impl_->database, input);
}

}  // namespace trestle::embed
