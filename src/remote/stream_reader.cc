#include "remote/stream_reader.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "remote/body_internal.h"
#include "remote/tables.h"

namespace trestle::remote {
namespace {

constexpr std::size_t kRecordsMax = 1000;  // of one request
// A shard may be read five times a second.
constexpr std::chrono::milliseconds kPauseMin{5};
constexpr std::chrono::milliseconds kPauseMax{250};
// By how much our clock may be ahead of the service's: further, and it refuses our signatures.
constexpr std::int64_t kClockSkewMsMax = 15LL * 60 * 1000;

Error NoStream(const std::string& table) {
  return {ErrorCode::kResourceNotFound,
          fmt::format("Requested resource not found: Table: {} has no enabled stream", table)};
}

Error Trimmed() {
  return {ErrorCode::kTrimmedDataAccess, "Changes that have not been read are no longer kept"};
}

Result<std::string> StreamOf(Client& client, const std::string& table) {
  const TableDescription description = TRY(DescribeTable(client, table));
  if (description.stream_view_type.empty()) return NoStream(table);
  return description.latest_stream_arn;
}

void BeginPosition(const std::string& stream_arn, Body& body) {
  body.Text("stream", stream_arn);
  body.BeginObject("shards");
}

}  // namespace

Result<std::unique_ptr<StreamReader>> StreamReader::Open(Client& client, const std::string& table,
                                                         const std::string& position) {
  std::unique_ptr<StreamReader> reader(new StreamReader(client, table));
  if (position.empty()) {
    reader->stream_arn_ = TRY(StreamOf(client, table));
  } else {
    TRY(reader->ParsePosition(position));
  }
  return reader;
}

Result<std::string> StreamReader::CurrentPosition(Client& client, const std::string& table) {
  const std::string stream_arn = TRY(StreamOf(client, table));
  const std::int64_t now_unix_ms = client.clock().NowUnixMs();
  const StreamDescription stream = TRY(DescribeStream(client, stream_arn));
  Body body;
  BeginPosition(stream_arn, body);
  for (const ShardDescription& shard : stream.shards) {
    body.BeginObject(shard.id);
    if (shard.is_open) {
      body.Text("iterator", TRY(GetShardIterator(client, {.stream_arn = stream_arn,
                                                          .shard_id = shard.id,
                                                          .type = IteratorType::kLatest,
                                                          .sequence_number = {}})));
      body.Integer("since_unix_ms", now_unix_ms);
    } else {
      body.Bool("done", true);
    }
    body.EndObject();
  }
  body.EndObject();
  return body.Finish();
}

Status StreamReader::ParsePosition(const std::string& text) {
  json::Parser parser;
  const auto parsed = parser.Parse(text);
  json::Object position;
  std::optional<json::Object> shards;
  if (parsed.ok() && parsed->get(position) == simdjson::SUCCESS) {
    stream_arn_ = FindText(position, "stream");
    shards = FindObject(position, "shards");
  }
  if (!shards || stream_arn_.empty()) {
    return ValidationError("The position is not one of this back end");
  }
  for (const auto field : *shards) {
    json::Object place;
    if (field.value.get(place) != simdjson::SUCCESS) {
      return ValidationError("The position is not one of this back end");
    }
    Shard& shard = shards_[std::string(field.key)];
    shard.place = {.after = FindText(place, "after"),
                   .iterator = FindText(place, "iterator"),
                   .since_unix_ms = FindInteger(place, "since_unix_ms").value_or(0),
                   .is_done = FindBool(place, "done")};
    shard.iterator = shard.place.iterator;
  }
  return Ok();
}

std::string StreamReader::position() const {
  Body body;
  BeginPosition(stream_arn_, body);
  for (const auto& [id, shard] : shards_) {
    body.BeginObject(id);
    const Place& place = shard.place;
    if (place.is_done) {
      body.Bool("done", true);
    } else if (!place.after.empty()) {
      body.Text("after", place.after);
    } else if (place.since_unix_ms != 0) {
      body.TextIf("iterator", place.iterator);
      body.Integer("since_unix_ms", place.since_unix_ms);
    }
    body.EndObject();
  }
  body.EndObject();
  return body.Finish();
}

Status StreamReader::Refresh() {
  auto described = DescribeStream(client_, stream_arn_);
  if (!described.ok()) {
    return described.error().code() == ErrorCode::kResourceNotFound ? Trimmed() : described.error();
  }
  std::map<std::string, Shard> listed;
  for (const ShardDescription& shard : described->shards) {
    const auto known = shards_.find(shard.id);
    if (known != shards_.end()) listed[shard.id] = known->second;
    listed[shard.id].parent = shard.parent;
  }
  const auto is_lost = [&](const auto& entry) {
    return !entry.second.place.is_done && !listed.contains(entry.first);
  };
  if (std::ranges::any_of(shards_, is_lost)) return Trimmed();
  shards_ = std::move(listed);
  stream_status_ = described->status;
  needs_refresh_ = false;
  return Ok();
}

Status StreamReader::EnterNextStream() {
  std::string next = TRY(StreamOf(client_, table_));
  if (next == stream_arn_) return NoStream(table_);
  stream_arn_ = std::move(next);
  shards_.clear();
  return Refresh();
}

bool StreamReader::IsReadable(const Shard& shard) const {
  if (shard.place.is_done) return false;
  const auto parent = shards_.find(shard.parent);
  return parent == shards_.end() || parent->second.place.is_done;
}

bool StreamReader::IsRead() const {
  return std::ranges::all_of(shards_, [](const auto& entry) { return entry.second.place.is_done; });
}

Result<std::string> StreamReader::AskForIterator(const std::string& id, const Place& place) {
  auto iterator =
      GetShardIterator(client_, {.stream_arn = stream_arn_,
                                 .shard_id = id,
                                 .type = place.after.empty() ? IteratorType::kTrimHorizon
                                                             : IteratorType::kAfterSequenceNumber,
                                 .sequence_number = place.after});
  if (!iterator.ok() && iterator.error().code() == ErrorCode::kResourceNotFound) return Trimmed();
  return iterator;
}

Status StreamReader::ReadShard(const std::string& id, Shard& shard, std::size_t records_max,
                               std::vector<StreamRecord>& records) {
  if (shard.iterator.empty()) shard.iterator = TRY(AskForIterator(id, shard.place));
  const auto limit = static_cast<std::uint32_t>(std::min(records_max, kRecordsMax));
  auto output = GetRecords(client_, shard.iterator, limit);
  if (!output.ok() && output.error().code() == ErrorCode::kExpiredIterator) {
    // Of a place that has no number, only the time is left to go by.
    shard.place.iterator.clear();
    shard.iterator = TRY(AskForIterator(id, shard.place));
    output = GetRecords(client_, shard.iterator, limit);
  }
  RecordsOutput read = TRY(std::move(output));

  const bool is_by_time = shard.place.after.empty() && shard.place.iterator.empty();
  for (StreamRecord& record : read.records) {
    const bool has_been_seen =
        is_by_time && record.time_unix_ms + kClockSkewMsMax < shard.place.since_unix_ms;
    if (has_been_seen) continue;
    shard.place.after = record.sequence_number;
    records.push_back(std::move(record));
  }
  shard.iterator = std::move(read.next_iterator);
  if (shard.place.after.empty() && !shard.place.iterator.empty()) {
    shard.place.iterator = shard.iterator;
  }
  if (shard.iterator.empty()) {
    shard.place = {.is_done = true};
    needs_refresh_ = true;
  }
  return Ok();
}

// Every shard once. Positions are exact for what is returned, so it ends when there is enough.
Result<std::vector<StreamRecord>> StreamReader::ReadRound(std::size_t records_max) {
  std::vector<StreamRecord> records;
  for (auto& [id, shard] : shards_) {
    if (!IsReadable(shard)) continue;
    const Status read = ReadShard(id, shard, records_max - records.size(), records);
    if (!read.ok()) {
      // What other shards gave must not be lost: the error comes again with the next call.
      if (records.empty()) return read.error();
      break;
    }
    if (records.size() >= records_max) break;
  }
  return records;
}

Result<std::vector<StreamRecord>> StreamReader::Next(std::size_t records_max,
                                                     std::chrono::milliseconds wait) {
  const auto end = std::chrono::steady_clock::now() + wait;
  for (auto pause = kPauseMin;; pause = std::min(pause * 2, kPauseMax)) {
    if (is_stopped_) return std::vector<StreamRecord>();
    if (needs_refresh_) TRY(Refresh());
    std::vector<StreamRecord> records = TRY(ReadRound(records_max));
    if (!records.empty()) return records;
    if (IsRead()) {
      if (stream_status_ == "DISABLED") {
        TRY(EnterNextStream());
        continue;
      }
      needs_refresh_ = true;
    }
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return records;
    // A shard that has just ended has children to be read at once.
    if (!needs_refresh_ || IsRead()) WaitFor(std::min(left, pause));
  }
}

void StreamReader::WaitFor(std::chrono::milliseconds time) {
  const MutexLock lock(mutex_);
  if (!is_stopped_ && !must_look_) wake_.WaitFor(mutex_, time);
  must_look_ = false;
}

void StreamReader::Look() {
  const MutexLock lock(mutex_);
  must_look_ = true;
  wake_.WakeAll();
}

void StreamReader::Stop() {
  const MutexLock lock(mutex_);
  is_stopped_ = true;
  wake_.WakeAll();
}

}  // namespace trestle::remote
