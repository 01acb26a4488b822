// DescribeStream: what a stream is, and its shards, a page at a time.

#include <algorithm>
#include <array>

#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/stream_json.h"

namespace trestle::wire {
namespace {

constexpr Shape kLimit = {.kind = Kind::kInteger, .min = 1, .max = 100};
constexpr std::string_view kShardFilterTypes[] = {"CHILD_SHARDS"};
constexpr Shape kShardFilterType = {.kind = Kind::kString, .values = kShardFilterTypes};
constexpr Member kShardFilterMembers[] = {
    {"Type", &kShardFilterType},
    {"ShardId", &kShardIdShape},
};
constexpr Shape kShardFilter = {
    .kind = Kind::kStructure, .name = "ShardFilter", .members = kShardFilterMembers};
constexpr Member kMembers[] = {
    {"StreamArn", &kStreamArnShape, Presence::kRequired},
    {"Limit", &kLimit},
    {"ExclusiveStartShardId", &kShardIdShape},
    {"ShardFilter", &kShardFilter},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "DescribeStreamInput", .members = kMembers};

constexpr std::array<std::string_view, 4> kStatusNames = {"ENABLING", "ENABLED", "DISABLING",
                                                          "DISABLED"};

Result<engine::DescribeStreamRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::DescribeStreamRequest request;
  request.stream = TRY(ParseStreamArn(*FindString(body, "StreamArn"), context));
  if (const auto limit = FindInteger(body, "Limit")) {
    request.limit = static_cast<std::uint32_t>(*limit);
  }
  if (const auto start = FindString(body, "ExclusiveStartShardId")) {
    request.exclusive_start_shard = TRY(ParseShardId(*start));
  }
  if (const auto filter = FindObject(body, "ShardFilter")) {
    const auto parent = FindString(*filter, "ShardId");
    if (!parent || !FindString(*filter, "Type")) {
      return ValidationError("ShardFilter must have a Type and a ShardId");
    }
    request.children_of = TRY(ParseShardId(*parent));
  }
  return request;
}

void RenderKey(const engine::KeyAttribute& key, std::string_view key_type, json::Writer& body) {
  body.BeginObject();
  body.Key("AttributeName");
  body.String(key.name);
  body.Key("KeyType");
  body.String(key_type);
  body.EndObject();
}

void RenderShard(const engine::Shard& shard, json::Writer& body) {
  body.BeginObject();
  body.Key("ShardId");
  body.String(ShardIdText(shard.Name()));
  body.Key("SequenceNumberRange");
  body.BeginObject();
  body.Key("StartingSequenceNumber");
  body.String(SequenceNumberText(shard.first_sequence));
  if (!shard.IsOpen()) {
    // A shard without records ends before it starts.
    body.Key("EndingSequenceNumber");
    body.String(SequenceNumberText(std::max(shard.first_sequence, shard.last_sequence)));
  }
  body.EndObject();
  if (shard.parent) {
    body.Key("ParentShardId");
    body.String(ShardIdText(*shard.parent));
  }
  body.EndObject();
}

void Render(const CallContext& context, const engine::DescribeStreamRequest& /*request*/,
            const engine::DescribeStreamReply& reply, json::Writer& body) {
  const engine::Stream& stream = *reply.stream;
  body.Key("StreamDescription");
  body.BeginObject();
  body.Key("StreamArn");
  body.String(StreamArnOf(context, stream));
  body.Key("StreamLabel");
  body.String(StreamLabel(stream.created_unix_ms));
  body.Key("StreamStatus");
  body.String(kStatusNames.at(static_cast<std::size_t>(reply.status)));
  body.Key("StreamViewType");
  body.String(StreamViewTypeName(stream.view_type));
  body.Key("CreationRequestDateTime");
  body.Double(static_cast<double>(stream.created_unix_ms) / 1000.0);
  body.Key("TableName");
  body.String(stream.table);
  body.Key("KeySchema");
  body.BeginArray();
  RenderKey(stream.partition, "HASH", body);
  if (stream.sort) RenderKey(*stream.sort, "RANGE", body);
  body.EndArray();
  body.Key("Shards");
  body.BeginArray();
  for (const engine::Shard& shard : reply.shards)
    RenderShard(shard, body);
  body.EndArray();
  if (reply.has_more) {
    body.Key("LastEvaluatedShardId");
    body.String(ShardIdText(reply.shards.back().Name()));
  }
  body.EndObject();
}

}  // namespace

constinit const Operation kDescribeStream =
    MakeOperation<engine::DescribeStreamRequest, engine::DescribeStreamReply, Parse, Render>(
        "DescribeStream", kInput, Api::kStreams);

}  // namespace trestle::wire
