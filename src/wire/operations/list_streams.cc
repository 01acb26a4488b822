// ListStreams: the streams of one table or of all, a page at a time.

#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/stream_json.h"

namespace trestle::wire {
namespace {

constexpr Shape kTableName = {
    .kind = Kind::kString, .min = 3, .max = 255, .pattern = &kNamePattern};
constexpr Shape kLimit = {.kind = Kind::kInteger, .min = 1, .max = 100};
constexpr Member kMembers[] = {
    {"TableName", &kTableName},
    {"Limit", &kLimit},
    {"ExclusiveStartStreamArn", &kStreamArnShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "ListStreamsInput", .members = kMembers};

Result<engine::ListStreamsRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::ListStreamsRequest request;
  if (const auto table = FindString(body, "TableName")) request.table = *table;
  if (const auto limit = FindInteger(body, "Limit")) {
    request.limit = static_cast<std::uint32_t>(*limit);
  }
  if (const auto start = FindString(body, "ExclusiveStartStreamArn")) {
    request.exclusive_start_stream = TRY(ParseStreamArn(*start, context));
  }
  return request;
}

void Render(const CallContext& context, const engine::ListStreamsRequest& /*request*/,
            const engine::ListStreamsReply& reply, json::Writer& body) {
  body.Key("Streams");
  body.BeginArray();
  for (const auto& stream : reply.streams) {
    body.BeginObject();
    body.Key("StreamArn");
    body.String(StreamArnOf(context, *stream));
    body.Key("TableName");
    body.String(stream->table);
    body.Key("StreamLabel");
    body.String(StreamLabel(stream->created_unix_ms));
    body.EndObject();
  }
  body.EndArray();
  if (reply.has_more) {
    body.Key("LastEvaluatedStreamArn");
    body.String(StreamArnOf(context, *reply.streams.back()));
  }
}

}  // namespace

constinit const Operation kListStreams =
    MakeOperation<engine::ListStreamsRequest, engine::ListStreamsReply, Parse, Render>(
        "ListStreams", kInput, Api::kStreams);

}  // namespace trestle::wire
