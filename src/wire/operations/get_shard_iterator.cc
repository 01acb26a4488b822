// GetShardIterator: a place in a shard to read from.

#include <algorithm>

#include <fmt/format.h>

#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/stream_json.h"

namespace trestle::wire {
namespace {

// In the order of the engine's enum.
constexpr std::string_view kTypes[] = {"TRIM_HORIZON", "LATEST", "AT_SEQUENCE_NUMBER",
                                       "AFTER_SEQUENCE_NUMBER"};
// In the order in which the service prints them.
constexpr std::string_view kPrintedTypes[] = {"AFTER_SEQUENCE_NUMBER", "LATEST",
                                              "AT_SEQUENCE_NUMBER", "TRIM_HORIZON"};
constexpr Shape kType = {.kind = Kind::kString, .values = kPrintedTypes};
constexpr Shape kSequenceNumber = {.kind = Kind::kString, .min = 21, .max = 40};
constexpr Member kMembers[] = {
    {"StreamArn", &kStreamArnShape, Presence::kRequired},
    {"ShardId", &kShardIdShape, Presence::kRequired},
    {"ShardIteratorType", &kType, Presence::kRequired},
    {"SequenceNumber", &kSequenceNumber},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "GetShardIteratorInput", .members = kMembers};

Result<engine::ShardIteratorRequest> Parse(const json::Object& body, const CallContext& context) {
  const std::string_view type = *FindString(body, "ShardIteratorType");
  const auto sequence = FindString(body, "SequenceNumber");
  const bool needs_sequence = type.ends_with("SEQUENCE_NUMBER");
  if (needs_sequence != sequence.has_value()) {
    return ValidationError(fmt::format(
        "One or more parameter values were invalid: SequenceNumber must {}be specified when "
        "ShardIteratorType is {}",
        needs_sequence ? "" : "not ", type));
  }
  engine::ShardIteratorRequest request;
  request.stream = TRY(ParseStreamArn(*FindString(body, "StreamArn"), context));
  request.shard = TRY(ParseShardId(*FindString(body, "ShardId")));
  request.type =
      static_cast<engine::ShardIteratorType>(std::ranges::find(kTypes, type) - std::begin(kTypes));
  // 0 is no record's number, and refused as any other that the shard does not have.
  if (sequence) request.sequence = ParseSequenceNumber(*sequence).value_or(0);
  return request;
}

void Render(const CallContext& /*context*/, const engine::ShardIteratorRequest& request,
            const engine::ShardIteratorReply& reply, json::Writer& body) {
  body.Key("ShardIterator");
  body.String(ShardIteratorText(request.stream.arn, reply.iterator));
}

}  // namespace

constinit const Operation kGetShardIterator =
    MakeOperation<engine::ShardIteratorRequest, engine::ShardIteratorReply, Parse, Render>(
        "GetShardIterator", kInput, Api::kStreams);

}  // namespace trestle::wire
