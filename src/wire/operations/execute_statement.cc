// ExecuteStatement: one PartiQL statement.

#include <algorithm>
#include <limits>
#include <string>

#include "base/crypto.h"
#include "base/limits.h"
#include "engine/statement.h"
#include "protocol/attribute_json.h"
#include "value/item_codec.h"
#include "wire/capacity_json.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/statement_json.h"

// A NextToken, in base64:
//
//   token   := 01 request check key
//   request := 16 bytes, of the digest of the statement and its parameters
//   check   := 8 bytes, of the SHA-256 of request and key
//   key     := the LastEvaluatedKey (value/item.h)

namespace trestle::wire {
namespace {

constexpr Shape kNextTokenShape = {.kind = Kind::kString, .min = 1, .max = kNextTokenLengthMax};
constexpr Member kMembers[] = {
    {.name = "Statement", .shape = &kStatementShape, .presence = Presence::kRequired},
    {.name = "Parameters", .shape = &kParametersShape},
    {.name = "ConsistentRead", .shape = &kBooleanShape},
    {.name = "NextToken", .shape = &kNextTokenShape},
    {.name = "ReturnConsumedCapacity", .shape = &kReturnConsumedCapacityShape},
    {.name = "Limit", .shape = &kPositiveIntegerShape},
    {.name = "ReturnValuesOnConditionCheckFailure",
     .shape = &kReturnValuesOnConditionCheckFailureShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "ExecuteStatementInput", .members = kMembers};

constexpr char kTokenFormat = 1;
constexpr std::size_t kRequestBytes = 16;
constexpr std::size_t kCheckBytes = 8;
constexpr std::size_t kKeyStart = 1 + kRequestBytes + kCheckBytes;

std::string CheckOf(std::string_view request, std::string_view key) {
  const Sha256Digest digest = Sha256(std::string(request).append(key));
  return std::string(AsBytes(digest).substr(0, kCheckBytes));
}

std::string MakeToken(const expr::partiql::Statement& statement, const value::Item& key) {
  const std::string_view request = std::string_view(statement.digest).substr(0, kRequestBytes);
  std::string token(1, kTokenFormat);
  token.append(request).append(CheckOf(request, key.bytes())).append(key.bytes());
  return Base64Encode(token);
}

Result<value::Item> ReadToken(const expr::partiql::Statement& statement, std::string_view text) {
  const std::optional<std::string> token = Base64Decode(text);
  if (!token || token->size() < kKeyStart || token->front() != kTokenFormat) {
    return ValidationError("Invalid NextToken");
  }
  const std::string_view request = std::string_view(*token).substr(1, kRequestBytes);
  const std::string_view check = std::string_view(*token).substr(1 + kRequestBytes, kCheckBytes);
  const std::string_view key = std::string_view(*token).substr(kKeyStart);
  if (check != CheckOf(request, key) || !value::CheckItem(key).ok()) {
    return ValidationError("Invalid NextToken");
  }
  if (!statement.digest.starts_with(request)) {
    return ValidationError("NextToken does not match request");
  }
  return value::Item(std::string(key));
}

Result<engine::StatementRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::StatementRequest request = TRY(ParseStatement(body, context));
  TRY(engine::CheckAlone(request.statement));
  if (const auto token = FindString(body, "NextToken"); token && request.statement.IsRead()) {
    request.exclusive_start_key = TRY(ReadToken(request.statement, *token));
  }
  if (const auto limit = FindInteger(body, "Limit")) {
    constexpr std::int64_t kEnd = std::numeric_limits<std::uint32_t>::max();
    request.limit = static_cast<std::uint32_t>(std::min(*limit, kEnd));
  }
  request.return_consumed_capacity = ParseReturnConsumedCapacity(body);
  return request;
}

void Render(const CallContext& /*context*/, const engine::StatementRequest& request,
            const engine::StatementReply& reply, json::Writer& body) {
  body.Key("Items");
  body.BeginArray();
  for (std::size_t i = 0; i < reply.items.size(); ++i)
    protocol::WriteItem(body, reply.items[i]);
  body.EndArray();
  if (reply.last_evaluated_key) {
    body.Key("NextToken");
    body.String(MakeToken(request.statement, *reply.last_evaluated_key));
    body.Key("LastEvaluatedKey");
    protocol::WriteItem(body, reply.last_evaluated_key->view());
  }
  WriteConsumedCapacity(body, request.return_consumed_capacity, reply.consumed);
}

}  // namespace

constinit const Operation kExecuteStatement =
    MakeOperation<engine::StatementRequest, engine::StatementReply, Parse, Render>(
        "ExecuteStatement", kInput);

}  // namespace trestle::wire
