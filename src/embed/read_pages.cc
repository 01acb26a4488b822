// Query and Scan.

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "embed/constraints.h"
#include "embed/database_internal.h"
#include "embed/expressions.h"
#include "embed/value_codec.h"

namespace trestle::embed {
namespace {

// As the refusal of a projection beside it calls it.
std::string_view NameOf(Select select) {
  switch (select) {
    case Select::kAllAttributes:
      return "ALL_ATTRIBUTES";
    case Select::kAllProjectedAttributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::kCount:
      return "only the Count";
  }
  UNREACHABLE("a selection that is not in the enum");
}

// What Query and Scan have in common; the functions below stand in the order in which the service
// finds faults. `reading` is "Querying" or "Scanning".

template <typename Input>
Status AddStartKey(const Input& input, engine::PageRequest& request) {
  if (!input.exclusive_start_key) return Ok();
  trestle::Result<value::Item> key = EncodeItem(*input.exclusive_start_key);
  if (!key.ok()) {
    return ValidationError(
        fmt::format("The provided starting key is invalid: {}", key.error().message()));
  }
  request.exclusive_start_key = *std::move(key);
  return Ok();
}

template <typename Input>
Status AddSelect(const Input& input, engine::PageRequest& request) {
  if (!input.select) return Ok();
  request.select = SameEnumerator<engine::Select>(*input.select);
  if (*input.select == Select::kSpecificAttributes) {
    if (input.projection_expression) return Ok();
    return ValidationError(
        "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
        "SPECIFIC_ATTRIBUTES");
  }
  if (input.projection_expression) {
    return ValidationError(fmt::format(
        "Cannot specify the ProjectionExpression when choosing to get {}", NameOf(*input.select)));
  }
  if (*input.select == Select::kAllProjectedAttributes && !input.index_name) {
    return ValidationError(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return Ok();
}

template <typename Input>
Status AddExpressions(const Input& input, const std::optional<std::string>& key_condition,
                      engine::PageRequest& request) {
  expr::Placeholders placeholders =
      TRY(MakePlaceholders(input.expression_attribute_names, &input.expression_attribute_values));
  if (key_condition) {
    request.key_condition = TRY(expr::KeyCondition::Parse(*key_condition, placeholders));
  }
  request.filter =
      TRY(ParseCondition(expr::ConditionKind::kFilter, input.filter_expression, placeholders));
  request.projection = TRY(ParseProjection(input.projection_expression, placeholders));
  return placeholders.CheckAllUsed();
}

template <typename Input>
void AddOptions(const Input& input, engine::PageRequest& request) {
  request.table = input.table_name;
  request.index = input.index_name.value_or("");
  if (input.limit) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::uint32_t>::max();
    request.limit = static_cast<std::uint32_t>(std::min(*input.limit, kEnd));
  }
  request.consistency = ConsistencyOf(input.consistent_read);
  request.return_consumed_capacity =
      SameEnumerator<engine::ReturnConsumedCapacity>(input.return_consumed_capacity);
}

trestle::Result<engine::PageRequest> ToRequest(const QueryInput& input) {
  TRY(CheckTableName(input.table_name));
  Constraints constraints;
  if (input.index_name) constraints.CheckName("indexName", *input.index_name);
  if (input.limit) constraints.CheckRange("limit", *input.limit, {.min = 1});
  TRY(constraints.Finish());
  const bool has_value_expression = input.filter_expression || input.key_condition_expression;
  TRY(CheckUse({.has_expression = has_value_expression || input.projection_expression,
                .has_value_expression = has_value_expression,
                .values_need = "FilterExpression and KeyConditionExpression are null"},
               input.expression_attribute_names, &input.expression_attribute_values));

  engine::PageRequest request;
  TRY(AddStartKey(input, request));
  if (!input.key_condition_expression) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  TRY(AddSelect(input, request));
  TRY(AddExpressions(input, input.key_condition_expression, request));
  request.direction =
      input.scan_index_forward ? engine::Direction::kForward : engine::Direction::kBackward;
  AddOptions(input, request);
  return request;
}

Status AddSegments(const ScanInput& input, engine::PageRequest& request) {
  if (!input.segment && !input.total_segments) return Ok();
  if (!input.total_segments) {
    return ValidationError(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (!input.segment) {
    return ValidationError(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (*input.segment >= *input.total_segments) {
    return ValidationError(
        fmt::format("The Segment parameter is zero-based and must be less than parameter "
                    "TotalSegments: Segment: {} is not less than TotalSegments: {}",
                    *input.segment, *input.total_segments));
  }
  request.segment = static_cast<std::uint32_t>(*input.segment);
  request.total_segments = static_cast<std::uint32_t>(*input.total_segments);
  return Ok();
}

trestle::Result<engine::PageRequest> ToRequest(const ScanInput& input) {
  TRY(CheckTableName(input.table_name));
  Constraints constraints;
  if (input.index_name) constraints.CheckName("indexName", *input.index_name);
  if (input.total_segments) {
    constraints.CheckRange("totalSegments", *input.total_segments, {.min = 1, .max = 1'000'000});
  }
  if (input.segment) constraints.CheckRange("segment", *input.segment, {.min = 0, .max = 999'999});
  if (input.limit) constraints.CheckRange("limit", *input.limit, {.min = 1});
  TRY(constraints.Finish());
  TRY(CheckUse({.has_expression = input.filter_expression || input.projection_expression,
                .has_value_expression = input.filter_expression.has_value(),
                .values_need = "FilterExpression is null"},
               input.expression_attribute_names, &input.expression_attribute_values));

  engine::PageRequest request;
  TRY(AddStartKey(input, request));
  TRY(AddSegments(input, request));
  TRY(AddSelect(input, request));
  TRY(AddExpressions(input, std::nullopt, request));
  AddOptions(input, request);
  return request;
}

PageOutput ToPageOutput(const engine::PageReply& reply, ReturnConsumedCapacity asked) {
  PageOutput output = {.count = static_cast<std::int64_t>(reply.count),
                       .scanned_count = static_cast<std::int64_t>(reply.scanned_count),
                       .last_evaluated_key = ToOutput(reply.last_evaluated_key),
                       .consumed_capacity = ToOutput(reply.consumed, asked)};
  output.items.reserve(reply.items.size());
  for (std::size_t i = 0; i < reply.items.size(); ++i)
    output.items.push_back(DecodeItem(reply.items[i]));
  return output;
}

}  // namespace

Result<PageOutput> Database::Query(const QueryInput& input) const {
  return Run<engine::PageReply>(*impl_->database, ToRequest(input),
                                [&](const engine::PageReply& reply) {
                                  return ToPageOutput(reply, input.return_consumed_capacity);
                                });
}

Result<PageOutput> Database::Scan(const ScanInput& input) const {
  return Run<engine::PageReply>(*impl_->database, ToRequest(input),
                                [&](const engine::PageReply& reply) {
                                  return ToPageOutput(reply, input.return_consumed_capacity);
                                });
}

}  // namespace trestle::embed
