#include "remote/streams.h"

#include <cmath>

#include "base/check.h"
#include "remote/body_internal.h"

namespace trestle::remote {
namespace {

Result<Reply> Ask(Client& client, std::string_view operation, std::string_view body) {
  return client.Send(
      {.operation = operation, .service = Service::kStreams, .body = body, .is_repeatable = true});
}

std::string_view NameOf(IteratorType type) {
  switch (type) {
    case IteratorType::kTrimHorizon:
      return "TRIM_HORIZON";
    case IteratorType::kLatest:
      return "LATEST";
    case IteratorType::kAfterSequenceNumber:
      return "AFTER_SEQUENCE_NUMBER";
  }
  UNREACHABLE("a type that is not in the enum");
}

ShardDescription ParseShard(json::Object shard) {
  const auto range = FindObject(shard, "SequenceNumberRange");
  return {.id = FindText(shard, "ShardId"),
          .parent = FindText(shard, "ParentShardId"),
          .is_open = !range || FindText(*range, "EndingSequenceNumber").empty()};
}

Result<StreamRecord> ParseRecord(json::Object record) {
  StreamRecord parsed;
  if (const auto identity = FindObject(record, "userIdentity")) {
    parsed.is_expiry = FindText(*identity, "PrincipalId") == "dynamodb.amazonaws.com";
  }
  const auto change = FindObject(record, "dynamodb");
  if (!change) return CorruptionError("The endpoint answers with a record of nothing");
  parsed.sequence_number = FindText(*change, "SequenceNumber");
  parsed.keys = TRY(FindItem(*change, "Keys")).value_or(value::Item());
  parsed.old_image = TRY(FindItem(*change, "OldImage"));
  parsed.new_image = TRY(FindItem(*change, "NewImage"));
  parsed.time_unix_ms = std::llround(FindDouble(*change, "ApproximateCreationDateTime") * 1000);
  return parsed;
}

}  // namespace

Result<StreamDescription> DescribeStream(Client& client, const std::string& stream_arn) {
  StreamDescription description;
  std::string start;
  do {
    Body body;
    body.Text("StreamArn", stream_arn);
    body.TextIf("ExclusiveStartShardId", start);
    const Reply reply = TRY(Ask(client, "DescribeStream", body.Finish()));
    const auto stream = FindObject(reply.body, "StreamDescription");
    if (!stream) return CorruptionError("The endpoint does not describe the stream");
    description.status = FindText(*stream, "StreamStatus");
    for (const json::Object shard : FindObjects(*stream, "Shards"))
      description.shards.push_back(ParseShard(shard));
    start = FindText(*stream, "LastEvaluatedShardId");
  } while (!start.empty());
  return description;
}

Result<std::string> GetShardIterator(Client& client, const ShardIteratorInput& input) {
  Body body;
  body.Text("StreamArn", input.stream_arn);
  body.Text("ShardId", input.shard_id);
  body.Text("ShardIteratorType", NameOf(input.type));
  body.TextIf("SequenceNumber", input.sequence_number);
  const Reply reply = TRY(Ask(client, "GetShardIterator", body.Finish()));
  return FindText(reply.body, "ShardIterator");
}

Result<RecordsOutput> GetRecords(Client& client, const std::string& iterator, std::uint32_t limit) {
  Body body;
  body.Text("ShardIterator", iterator);
  body.Integer("Limit", limit);
  const Reply reply = TRY(Ask(client, "GetRecords", body.Finish()));
  RecordsOutput output;
  for (const json::Object record : FindObjects(reply.body, "Records"))
    output.records.push_back(TRY(ParseRecord(record)));
  output.next_iterator = FindText(reply.body, "NextShardIterator");
  return output;
}

}  // namespace trestle::remote
