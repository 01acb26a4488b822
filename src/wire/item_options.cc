#include "wire/item_options.h"

#include "protocol/arn.h"
#include "protocol/attribute_json.h"
#include "wire/members.h"

namespace trestle::wire {

Result<std::string> ParseTableName(std::string_view text, const CallContext& context) {
  return std::string(TRY(protocol::TableNameOf(text, context.account_id)));
}

Result<std::string> ParseTableName(const json::Object& body, const CallContext& context) {
  const auto text = FindString(body, "TableName");
  CHECK(text.has_value(), "a required member, by CheckConstraints");
  return ParseTableName(*text, context);
}

Result<value::Item> ParseItemMember(const json::Object& body, std::string_view name) {
  const auto object = FindObject(body, name);
  CHECK(object.has_value(), "a required member, by CheckConstraints");
  return protocol::ParseItem(*object);
}

engine::ReturnConsumedCapacity ParseReturnConsumedCapacity(const json::Object& body) {
  const auto text = FindString(body, "ReturnConsumedCapacity");
  if (text == "INDEXES") return engine::ReturnConsumedCapacity::kIndexes;
  if (text == "TOTAL") return engine::ReturnConsumedCapacity::kTotal;
  return engine::ReturnConsumedCapacity::kNone;
}

engine::ReturnItemCollectionMetrics ParseReturnItemCollectionMetrics(const json::Object& body) {
  return FindString(body, "ReturnItemCollectionMetrics") == "SIZE"
             ? engine::ReturnItemCollectionMetrics::kSize
             : engine::ReturnItemCollectionMetrics::kNone;
}

engine::ReturnValues ParseReturnValues(const json::Object& body) {
  const auto text = FindString(body, "ReturnValues");
  if (text == "ALL_OLD") return engine::ReturnValues::kAllOld;
  if (text == "ALL_NEW") return engine::ReturnValues::kAllNew;
  if (text == "UPDATED_OLD") return engine::ReturnValues::kUpdatedOld;
  if (text == "UPDATED_NEW") return engine::ReturnValues::kUpdatedNew;
  return engine::ReturnValues::kNone;
}

Result<engine::ReturnValues> ParseOldReturnValues(const json::Object& body) {
  const engine::ReturnValues values = ParseReturnValues(body);
  if (values != engine::ReturnValues::kNone && values != engine::ReturnValues::kAllOld) {
    return ValidationError("ReturnValues can only be ALL_OLD or NONE");
  }
  return values;
}

bool WantsItemOnConditionFailure(const json::Object& body) {
  return FindString(body, "ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
}

engine::Consistency ParseConsistentRead(const json::Object& body) {
  return FindBool(body, "ConsistentRead").value_or(false) ? engine::Consistency::kStrong
                                                          : engine::Consistency::kEventual;
}

}  // namespace trestle::wire
