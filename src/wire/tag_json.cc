#include "wire/tag_json.h"

#include <array>

#include <fmt/format.h>

#include "base/check.h"
#include "protocol/arn.h"
#include "wire/members.h"

namespace trestle::wire {
namespace {

Error InvalidParameter(std::string_view reason, std::string_view arn) {
  return ValidationError(
      fmt::format("One or more parameter values were invalid: {}: {}", reason, arn));
}

Error InvalidArn(std::string_view arn) {
  return ValidationError(
      fmt::format("Invalid TableArn: Invalid ResourceArn provided as input {}", arn));
}

Error AccessDenied() { return {ErrorCode::kAccessDenied, "Access is denied"}; }

Error NotFound(std::string_view arn) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: ResourceArn: {} not found", arn)};
}

// "arn:partition:service:region:account:resource".
struct ArnParts {
  std::string_view partition;
  std::string_view service;
  std::string_view region;
  std::string_view account_id;
  std::string_view resource;
};

Result<ArnParts> SplitArn(std::string_view arn) {
  constexpr std::array<std::string_view, 5> kMissing = {
      "ARNs must start with 'arn:'", "Second colon partition not found",
      "Third colon vendor not found", "Fourth colon (region/namespace delimiter) not found",
      "Fifth colon (namespace/relative-id delimiter) not found"};
  std::array<std::string_view, 5> parts;
  std::string_view rest = arn;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t end = rest.find(':');
    if (end == std::string_view::npos) return InvalidParameter(kMissing[i], arn);
    parts[i] = rest.substr(0, end);
    if (i == 0 && parts[i] != "arn") return InvalidParameter(kMissing[i], arn);
    rest.remove_prefix(end + 1);
  }
  return ArnParts{.partition = parts[1],
                  .service = parts[2],
                  .region = parts[3],
                  .account_id = parts[4],
                  .resource = rest};
}

// Whether what is behind "table/" names a table, or something of it that can have an ARN.
bool IsTableResource(std::string_view resource) {
  if (!resource.starts_with("table/")) return false;
  const std::size_t slash = resource.find('/', 6);
  if (slash == std::string_view::npos) return true;
  const std::string_view part = resource.substr(slash + 1);
  return part.starts_with("index/") || part.starts_with("stream/");
}

}  // namespace

Result<std::vector<std::pair<std::string, std::string>>> ParseTags(const json::Object& body) {
  std::vector<std::pair<std::string, std::string>> tags;
  const auto array = FindArray(body, "Tags");
  if (!array) return tags;
  for (const json::Value element : *array) {
    const json::Object tag = AsObject(element);
    const auto key = FindString(tag, "Key");
    const auto value = FindString(tag, "Value");
    if (!key) return ValidationError("The Tag Key provided is invalid, Key: null");
    if (!value) return ValidationError("The Tag Value provided is invalid, Value: null");
    tags.emplace_back(*key, *value);
  }
  return tags;
}

// Who may see a resource is decided before it is looked at.
Result<std::string> ParseTaggedTable(const json::Object& body, const CallContext& context) {
  const auto text = FindString(body, "ResourceArn");
  CHECK(text.has_value(), "a required member, by CheckConstraints");
  const ArnParts parts = TRY(SplitArn(*text));
  if (parts.service != "dynamodb") return AccessDenied();
  if (!IsTableResource(parts.resource)) {
    return InvalidParameter("Provided Arn is not a DynamoDB resource arn", *text);
  }
  if (parts.account_id != context.account_id) return AccessDenied();
  const auto arn = protocol::ParseArn(*text);
  if (!arn || parts.region != context.region) return InvalidArn(*text);
  if (!arn->index.empty()) {
    return InvalidParameter(
        "Invalid resource arn provided, only table or stream is accepted. Provided resource arn",
        *text);
  }
  if (!arn->stream_label.empty()) return NotFound(*text);
  return std::string(arn->table);
}

std::optional<Error> UntaggedResource(const CallContext& context, std::string_view table,
                                      const Error& error) {
  if (error.code() != ErrorCode::kResourceNotFound) return std::nullopt;
  return NotFound(
      protocol::TableArn({.region = context.region, .account_id = context.account_id}, table));
}

std::optional<Error> RefuseTagChange(const CallContext& context, const engine::Request& request,
                                     const Result<engine::Reply>& reply) {
  if (reply.ok()) return std::nullopt;
  return UntaggedResource(context, std::get<engine::ChangeTagsRequest>(request).table,
                          reply.error());
}

}  // namespace trestle::wire
