#include "wire/page_json.h"

#include <algorithm>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "protocol/attribute_json.h"
#include "wire/capacity_json.h"
#include "wire/item_options.h"
#include "wire/members.h"

namespace trestle::wire {
namespace {

engine::Select SelectOf(std::string_view text) {
  if (text == "COUNT") return engine::Select::kCount;
  if (text == "SPECIFIC_ATTRIBUTES") return engine::Select::kSpecificAttributes;
  if (text == "ALL_PROJECTED_ATTRIBUTES") return engine::Select::kAllProjectedAttributes;
  return engine::Select::kAllAttributes;
}

}  // namespace

Status ParseSelect(const json::Object& body, engine::PageRequest& request) {
  const auto text = FindString(body, "Select");
  if (!text) return Ok();
  request.select = SelectOf(*text);

  std::string_view chosen;
  if (FindMember(body, "AttributesToGet")) chosen = "AttributesToGet";
  if (FindMember(body, "ProjectionExpression")) chosen = "ProjectionExpression";
  if (*request.select == engine::Select::kSpecificAttributes) {
    if (!chosen.empty()) return Ok();
    return ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (!chosen.empty()) {
    const bool is_count = *request.select == engine::Select::kCount;
    return ValidationError(fmt::format("Cannot specify the {} when choosing to get {}", chosen,
                                       is_count ? "only the Count" : *text));
  }
  if (*request.select == engine::Select::kAllProjectedAttributes &&
      !FindMember(body, "IndexName")) {
    return ValidationError(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return Ok();
}

Status ParseStartKey(const json::Object& body, engine::PageRequest& request) {
  const auto object = FindObject(body, "ExclusiveStartKey");
  if (!object) return Ok();
  Result<value::Item> key = protocol::ParseItem(*object);
  if (key.ok()) {
    request.exclusive_start_key = *std::move(key);
    return Ok();
  }
  if (key.error().code() != ErrorCode::kValidation) return key.error();
  return ValidationError(
      fmt::format("The provided starting key is invalid: {}", key.error().message()));
}

Status ParsePageOptions(const json::Object& body, const CallContext& context,
                        engine::PageRequest& request) {
  request.table = TRY(ParseTableName(body, context));
  request.index = std::string(FindString(body, "IndexName").value_or(""));
  if (const auto limit = FindInteger(body, "Limit")) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::uint32_t>::max();
    request.limit = static_cast<std::uint32_t>(std::min(*limit, kEnd));
  }
  request.consistency = ParseConsistentRead(body);
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return Ok();
}

void RenderPage(const CallContext& /*context*/, const engine::PageRequest& request,
                const engine::PageReply& reply, json::Writer& body) {
  body.Key("Count");
  body.Integer(static_cast<std::int64_t>(reply.count));
  body.Key("ScannedCount");
  body.Integer(static_cast<std::int64_t>(reply.scanned_count));
  if (request.select != engine::Select::kCount) {
    body.Key("Items");
    body.BeginArray();
    for (std::size_t i = 0; i < reply.items.size(); ++i) {
      protocol::WriteItem(body, reply.items[i]);
    }
    body.EndArray();
  }
  if (reply.last_evaluated_key) {
    body.Key("LastEvaluatedKey");
    protocol::WriteItem(body, reply.last_evaluated_key->view());
  }
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
}

}  // namespace trestle::wire
