// GetRecords: the changes that a shard holds, from an iterator on.

#include <fmt/format.h>

#include "base/hash.h"
#include "protocol/attribute_json.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/stream_json.h"

namespace trestle::wire {
namespace {

constexpr Shape kShardIterator = {.kind = Kind::kString, .min = 1, .max = 2048};
constexpr Shape kLimit = {.kind = Kind::kInteger, .min = 1, .max = 1000};
constexpr Member kMembers[] = {
    {"ShardIterator", &kShardIterator, Presence::kRequired},
    {"Limit", &kLimit},
};
constexpr Shape kInput = {.kind = Kind::kStructure, .name = "GetRecordsInput", .members = kMembers};

Result<engine::RecordsRequest> Parse(const json::Object& body, const CallContext& /*context*/) {
  auto parts = ParseShardIterator(*FindString(body, "ShardIterator"));
  if (!parts) return ValidationError("Invalid ShardIterator");
  engine::RecordsRequest request{.arn = std::string(parts->arn),
                                 .iterator = std::move(parts->iterator)};
  if (const auto limit = FindInteger(body, "Limit")) {
    request.limit = static_cast<std::uint32_t>(*limit);
  }
  return request;
}

std::string_view EventNameOf(engine::StreamEvent event) {
  switch (event) {
    case engine::StreamEvent::kInsert:
      return "INSERT";
    case engine::StreamEvent::kModify:
      return "MODIFY";
    case engine::StreamEvent::kRemove:
    case engine::StreamEvent::kExpire:
      return "REMOVE";
  }
  UNREACHABLE("an event that is not in the enum");
}

// The same for the same record whenever it is read.
std::string EventIdOf(std::string_view arn, std::string_view sequence_number) {
  const std::uint64_t high = StableHash(fmt::format("{}{}", arn, sequence_number));
  const std::uint64_t low = StableHash(fmt::format("{}{}", sequence_number, arn));
  return fmt::format("{:016x}{:016x}", high, low);
}

// Writes an image that the stream's view holds, and adds its size.
void RenderImage(std::string_view name, std::string_view image, json::Writer& body,
                 std::int64_t& size_bytes) {
  if (image.empty()) return;
  const value::ItemView item(image);
  body.Key(name);
  protocol::WriteItem(body, item);
  size_bytes += static_cast<std::int64_t>(item.size_bytes());
}

void RenderRecord(const CallContext& context, const engine::Stream& stream, std::string_view arn,
                  const engine::SequencedRecord& entry, json::Writer& body) {
  const engine::StreamRecord& record = entry.record;
  const std::string sequence_number = SequenceNumberText(entry.sequence);
  body.BeginObject();
  body.Key("eventID");
  body.String(EventIdOf(arn, sequence_number));
  body.Key("eventName");
  body.String(EventNameOf(record.event));
  body.Key("eventVersion");
  body.String("1.1");
  body.Key("eventSource");
  body.String("aws:dynamodb");
  body.Key("awsRegion");
  body.String(context.region);
  body.Key("dynamodb");
  body.BeginObject();
  body.Key("ApproximateCreationDateTime");
  const std::int64_t whole_seconds = record.time_unix_ms / 1000;
  body.Double(static_cast<double>(whole_seconds));
  std::int64_t size_bytes = 0;
  RenderImage("Keys", record.keys, body, size_bytes);
  RenderImage("NewImage", record.new_image, body, size_bytes);
  RenderImage("OldImage", record.old_image, body, size_bytes);
  body.Key("SequenceNumber");
  body.String(sequence_number);
  body.Key("SizeBytes");
  body.Integer(size_bytes);
  body.Key("StreamViewType");
  body.String(StreamViewTypeName(stream.view_type));
  body.EndObject();
  if (record.event == engine::StreamEvent::kExpire) {
    body.Key("userIdentity");
    body.BeginObject();
    body.Key("PrincipalId");
    body.String("dynamodb.amazonaws.com");
    body.Key("Type");
    body.String("Service");
    body.EndObject();
  }
  body.EndObject();
}

void Render(const CallContext& context, const engine::RecordsRequest& request,
            const engine::RecordsReply& reply, json::Writer& body) {
  const std::string arn = StreamArnOf(context, *reply.stream);
  body.Key("Records");
  body.BeginArray();
  for (const engine::SequencedRecord& record : reply.records)
    RenderRecord(context, *reply.stream, arn, record, body);
  body.EndArray();
  if (reply.next_iterator) {
    body.Key("NextShardIterator");
    body.String(ShardIteratorText(request.arn, *reply.next_iterator));
  }
}

}  // namespace

constinit const Operation kGetRecords =
    MakeOperation<engine::RecordsRequest, engine::RecordsReply, Parse, Render>("GetRecords", kInput,
                                                                               Api::kStreams);

}  // namespace trestle::wire
