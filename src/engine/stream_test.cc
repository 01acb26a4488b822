// Streams over time: shards, retention, iterators and subscriptions. What single requests answer is
// in tests/conformance.

#include "engine/stream.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/crypto.h"
#include "engine/database.h"
#include "engine/stream_shards.h"
#include "engine/subscription.h"
#include "engine/testing_internal.h"
#include "value/testing_internal.h"

namespace trestle::engine {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kNow = 1'794'716'430'123;
constexpr std::int64_t kMinuteMs = 60'000;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;
constexpr std::string_view kArn = "the stream";

value::Item MakeItem(std::string_view key, std::int64_t version) {
  return value::testing::ItemOf(
      {{"pk", value::testing::S(key)}, {"v", value::testing::N(version)}});
}

std::string KeyOf(const StreamRecord& record) {
  return std::string(value::ItemView(record.keys).Find("pk")->text());
}

std::int64_t VersionOf(const StreamRecord& record) {
  const auto version = value::ItemView(record.new_image).Find("v");
  return std::stoll(value::NumberText(version->number()));
}

class StreamTest : public testing::DatabaseFixture {
 protected:
  StreamTest() : DatabaseFixture(kNow) {}

  void CreateTable() {
    const auto created = database_->Execute(
        CreateTableRequest{.table = "t",
                           .attribute_definitions = {{"pk", value::Type::kS}},
                           .key_schema = {{"pk", true}},
                           .billing_mode = BillingMode::kPayPerRequest,
                           .stream = StreamSpecification{
                               .is_enabled = true, .view_type = StreamViewType::kNewAndOldImages}});
    ASSERT_TRUE(created.ok()) << created.error().message();
    name_ = NameOf(std::get<TableReply>(*created));
  }
  StreamName NameOf(const TableReply& reply) const {
    return {.table = "t",
            .created_unix_ms = reply.description.schema->stream->created_unix_ms,
            .arn = std::string(kArn)};
  }
  void SetStream(bool is_enabled) {
    UpdateTableRequest request{.table = "t"};
    request.stream = StreamSpecification{.is_enabled = is_enabled, .view_type = std::nullopt};
    if (is_enabled) request.stream->view_type = StreamViewType::kNewAndOldImages;
    const auto updated = database_->Execute(request);
    ASSERT_TRUE(updated.ok()) << updated.error().message();
    if (is_enabled) name_ = NameOf(std::get<TableReply>(*updated));
  }
  void DropTable() { ASSERT_TRUE(database_->Execute(DeleteTableRequest{.table = "t"}).ok()); }
  void Put(std::string_view key, std::int64_t version) {
    const auto written = database_->Execute(WriteRequest{
        .action = {.kind = WriteKind::kPut, .table = "t", .item = MakeItem(key, version)}});
    ASSERT_TRUE(written.ok()) << written.error().message();
  }

  Result<DescribeStreamReply> Describe() {
    return database_->DescribeStream(
        {.stream = name_, .exclusive_start_shard = {}, .children_of = {}});
  }
  std::vector<Shard> Shards() {
    const auto reply = Describe();
    EXPECT_TRUE(reply.ok());
    return reply.ok() ? reply->shards : std::vector<Shard>();
  }
  Result<ShardIteratorReply> Iterator(const Shard& shard, ShardIteratorType type,
                                      std::uint64_t sequence = 0) {
    return database_->MakeShardIterator(
        {.stream = name_, .shard = shard.Name(), .type = type, .sequence = sequence});
  }
  Result<RecordsReply> Read(const std::string& iterator, std::uint32_t limit = 1000) {
    return database_->ReadRecords({.arn = std::string(kArn), .iterator = iterator, .limit = limit});
  }
  // All records of a shard up to its end, or to where there are no more.
  std::vector<SequencedRecord> ReadShard(const Shard& shard, std::uint32_t limit = 1000) {
    std::vector<SequencedRecord> all;
    const auto begin = Iterator(shard, ShardIteratorType::kTrimHorizon);
    EXPECT_TRUE(begin.ok());
    std::optional<std::string> iterator = begin->iterator;
    for (bool is_empty = false; iterator && !is_empty;) {
      const auto reply = Read(*iterator, limit);
      EXPECT_TRUE(reply.ok()) << reply.error().message();
      is_empty = reply->records.empty();
      all.insert(all.end(), reply->records.begin(), reply->records.end());
      iterator = reply->next_iterator;
    }
    EXPECT_EQ(iterator.has_value(), shard.IsOpen());
    return all;
  }

  StreamName name_;
};

TEST(StreamRecordFormat, IsGolden) {
  const StreamRecord record{.event = StreamEvent::kExpire,
                            .shard = ShardId{3},
                            .time_unix_ms = 258,
                            .keys = "k",
                            .old_image = "old",
                            .new_image = ""};
  const std::string bytes = EncodeStreamRecord(record);
  EXPECT_EQ(HexEncode(bytes),
            "01580000000300000000000001020"
            "16b036f6c6400");
  EXPECT_EQ(HexEncode(StreamRow(StreamId{5}, 258)), "73000000050000000000000102");
  const auto read = DecodeStreamRecord(bytes);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(EncodeStreamRecord(*read), bytes);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeStreamRecord(std::string_view(bytes).substr(0, size)).ok());
  }
}

TEST(StreamFormat, IsGolden) {
  Stream stream{.id = StreamId{5},
                .table = "t",
                .partition = {.name = "pk", .type = value::Type::kS},
                .sort = KeyAttribute{.name = "sk", .type = value::Type::kN},
                .view_type = StreamViewType::kOldImage,
                .created_unix_ms = 300,
                .disabled_unix_ms = 0};
  stream.shards.push_back({.id = ShardId{1}, .opened_unix_ms = 300, .first_sequence = 1});
  ReplaceShard(stream, ShardId{1}, Children::kTwo, 10, 400);
  const std::string bytes = EncodeStream(stream);
  EXPECT_EQ(HexEncode(StreamStateRow(StreamId{5})), "6800000005");
  EXPECT_EQ(HexEncode(bytes),
            "01017402ac020003"
            "53706b"
            "03"
            "4e736b"
            "03"
            "01ac029003000000ffffffffffffffffff010109"
            "0290030001ac0200ffffffffffffffff7f0a00"
            "0390030001ac0280808080808080808001ffffffffffffffffff010a00");
  const auto read = DecodeStream(StreamId{5}, bytes);
  ASSERT_TRUE(read.ok()) << read.error().message();
  EXPECT_EQ(*read, stream);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(DecodeStream(StreamId{5}, std::string_view(bytes).substr(0, size)).ok());
  }
}

TEST_F(StreamTest, AShardIsReplacedAfterFourHours) {
  OpenInMemory();
  CreateTable();
  Put("a", 1);
  clock_.Advance(4 * kHourMs - 1);
  Put("a", 2);
  clock_.Advance(1);
  Put("a", 3);

  const std::vector<Shard> shards = Shards();
  ASSERT_EQ(shards.size(), 2U);
  EXPECT_FALSE(shards[0].IsOpen());
  EXPECT_EQ(shards[0].first_sequence, 1U);
  EXPECT_EQ(shards[0].last_sequence, 2U);
  EXPECT_EQ(shards[1].parent, shards[0].Name());
  EXPECT_EQ(shards[1].first_sequence, 3U);
  EXPECT_EQ(ReadShard(shards[0]).size(), 2U);
  ASSERT_EQ(ReadShard(shards[1]).size(), 1U);
  EXPECT_EQ(VersionOf(ReadShard(shards[1])[0].record), 3);

  const auto children = database_->DescribeStream(
      {.stream = name_, .exclusive_start_shard = {}, .children_of = shards[0].Name()});
  ASSERT_TRUE(children.ok());
  EXPECT_EQ(children->shards, std::vector<Shard>{shards[1]});
  const auto page = database_->DescribeStream(
      {.stream = name_, .exclusive_start_shard = {}, .children_of = {}, .limit = 1});
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(page->has_more);
  const auto rest = database_->DescribeStream(
      {.stream = name_, .exclusive_start_shard = shards[0].Name(), .children_of = {}, .limit = 1});
  ASSERT_TRUE(rest.ok());
  EXPECT_FALSE(rest->has_more);
  EXPECT_EQ(rest->shards, std::vector<Shard>{shards[1]});
}

// A consumer that reads parents before their children sees every change once, and those of an item
// in their order.
TEST_F(StreamTest, ABusyShardIsSplitAndItemsKeepTheirOrder) {
  options_.shards = {.records_per_second_max = 1, .open_shards_max = 4};
  OpenFolder();
  CreateTable();
  constexpr std::int64_t kVersions = 40;
  for (std::int64_t version = 1; version <= kVersions; ++version) {
    for (int key = 0; key < 5; ++key)
      Put(fmt::format("key{}", key), version);
    if (version == kVersions / 2) OpenFolder();
  }

  const std::vector<Shard> shards = Shards();
  std::map<std::string, std::int64_t> versions;
  std::set<std::uint64_t> sequences;
  std::set<ShardId> read;
  std::size_t open = 0;
  for (const Shard& shard : shards) {  // parents have smaller ids
    EXPECT_TRUE(!shard.parent || read.contains(shard.parent->id));
    read.insert(shard.id);
    open += shard.IsOpen() ? 1 : 0;
    for (const SequencedRecord& entry : ReadShard(shard, 3)) {
      EXPECT_TRUE(sequences.insert(entry.sequence).second);
      EXPECT_GE(entry.sequence, shard.first_sequence);
      EXPECT_TRUE(shard.IsOpen() || entry.sequence <= shard.last_sequence);
      EXPECT_EQ(VersionOf(entry.record), ++versions[KeyOf(entry.record)]);
    }
  }
  EXPECT_EQ(open, 4U);
  EXPECT_EQ(shards.size(), 7U);
  EXPECT_EQ(sequences.size(), 5U * kVersions);
  EXPECT_EQ(*sequences.rbegin(), 5U * kVersions);
}

TEST_F(StreamTest, AnIteratorExpiresAfterAQuarterOfAnHour) {
  OpenFolder();
  CreateTable();
  Put("a", 1);
  const Shard shard = Shards()[0];
  const std::string iterator = Iterator(shard, ShardIteratorType::kTrimHorizon)->iterator;
  clock_.Advance(15 * kMinuteMs);
  const auto reply = Read(iterator);
  ASSERT_TRUE(reply.ok());
  OpenFolder();  // iterators outlive a restart
  EXPECT_TRUE(Read(iterator).ok());
  clock_.Advance(1);
  ASSERT_FALSE(Read(iterator).ok());
  EXPECT_EQ(Read(iterator).error().code(), ErrorCode::kExpiredIterator);
  EXPECT_TRUE(Read(*reply->next_iterator).ok());  // was handed out later
}

TEST_F(StreamTest, AnIteratorThatWasChangedIsRefused) {
  OpenInMemory();
  CreateTable();
  const std::string iterator = Iterator(Shards()[0], ShardIteratorType::kTrimHorizon)->iterator;
  ASSERT_TRUE(Read(iterator).ok());
  for (std::size_t i = 0; i < iterator.size(); ++i) {
    std::string changed = iterator;
    changed[i] = static_cast<char>(changed[i] ^ 1);
    ASSERT_FALSE(Read(changed).ok());
    EXPECT_EQ(Read(changed).error().code(), ErrorCode::kValidation);
  }
  EXPECT_FALSE(database_->ReadRecords({.arn = "another stream", .iterator = iterator}).ok());
}

TEST_F(StreamTest, WhatWasTrimmedIsRefusedAndTheRestRead) {
  OpenInMemory();
  CreateTable();
  Put("a", 1);
  clock_.Advance(kHourMs);
  Put("a", 2);
  const Shard shard = Shards()[0];
  clock_.Advance(23 * kHourMs - 10 * kMinuteMs);
  const auto at = Iterator(shard, ShardIteratorType::kAtSequenceNumber, 1);
  ASSERT_TRUE(at.ok());
  const auto oldest = Iterator(shard, ShardIteratorType::kTrimHorizon);
  EXPECT_EQ(Read(oldest->iterator)->records.size(), 2U);
  clock_.Advance(11 * kMinuteMs);
  EXPECT_TRUE(Eventually([&] { return !Read(at->iterator).ok(); }));

  EXPECT_EQ(Read(at->iterator).error().code(), ErrorCode::kTrimmedDataAccess);
  const auto again = Iterator(shard, ShardIteratorType::kAtSequenceNumber, 1);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(Read(oldest->iterator)->records.size(), 1U);
  EXPECT_TRUE(Iterator(shard, ShardIteratorType::kAfterSequenceNumber, 1).ok());

  // With nothing left an open shard is still read on.
  clock_.Advance(kHourMs);
  const std::string horizon = Iterator(shard, ShardIteratorType::kTrimHorizon)->iterator;
  EXPECT_TRUE(Eventually([&] { return Read(horizon)->records.empty(); }));
  const auto empty = Read(horizon);
  ASSERT_TRUE(empty->next_iterator);
  ASSERT_TRUE(Read(*empty->next_iterator).ok());
  Put("a", 3);
  EXPECT_EQ(Read(*empty->next_iterator)->records.size(), 0U);  // the shard was 24 hours old
  EXPECT_FALSE(Read(*empty->next_iterator)->next_iterator);
  ASSERT_EQ(Shards().size(), 2U);
  EXPECT_EQ(ReadShard(Shards()[1]).size(), 1U);
}

TEST_F(StreamTest, ClosedShardsGoADayLaterAndTheirChildrenStay) {
  OpenInMemory();
  CreateTable();
  Put("a", 1);
  clock_.Advance(5 * kHourMs);
  Put("a", 2);
  const ShardName first = Shards()[0].Name();
  clock_.Advance(20 * kHourMs);
  EXPECT_EQ(Shards().size(), 2U);
  clock_.Advance(5 * kHourMs);
  EXPECT_TRUE(Eventually([&] { return Shards().size() == 1; }));
  EXPECT_EQ(Shards()[0].parent, first);
}

TEST_F(StreamTest, StaysForADayAfterItWasDisabled) {
  OpenFolder();
  CreateTable();
  Put("a", 1);
  SetStream(false);
  Put("a", 2);
  OpenFolder();
  ASSERT_TRUE(Describe().ok());
  EXPECT_EQ(Describe()->status, StreamStatus::kDisabled);
  EXPECT_EQ(ReadShard(Shards()[0]).size(), 1U);

  const StreamName first = name_;
  SetStream(true);  // in the same millisecond
  EXPECT_NE(name_.created_unix_ms, first.created_unix_ms);
  Put("a", 3);
  EXPECT_EQ(ReadShard(Shards()[0]).size(), 1U);
  EXPECT_EQ(database_->ListStreams({.table = "t"})->streams.size(), 2U);
  DropTable();
  EXPECT_EQ(ReadShard(Shards()[0]).size(), 1U);

  clock_.Advance(24 * kHourMs + kMinuteMs);
  EXPECT_TRUE(Eventually([&] { return database_->ListStreams({.table = "t"})->streams.empty(); }));
  ASSERT_FALSE(Describe().ok());
  EXPECT_EQ(Describe().error().code(), ErrorCode::kResourceNotFound);
  OpenFolder();
  EXPECT_TRUE(database_->ListStreams({})->streams.empty());
}

TEST_F(StreamTest, StatusesPassWithTheClock) {
  options_.transient_status_ms = 1000;
  OpenInMemory();
  CreateTable();
  EXPECT_EQ(Describe()->status, StreamStatus::kEnabling);
  clock_.Advance(1000);
  EXPECT_EQ(Describe()->status, StreamStatus::kEnabled);
  SetStream(false);
  EXPECT_EQ(Describe()->status, StreamStatus::kDisabling);
  clock_.Advance(1000);
  EXPECT_EQ(Describe()->status, StreamStatus::kDisabled);
}

TEST_F(StreamTest, ASubscriptionReadsInOrderAndGoesOnFromItsPosition) {
  options_.shards = {.records_per_second_max = 1};  // the shards do not show
  OpenFolder();
  CreateTable();
  for (std::int64_t version = 1; version <= 50; ++version)
    Put(fmt::format("key{}", version % 7), version);

  std::int64_t next_version = 1;
  StreamPosition position;
  const auto read_some = [&](const SubscribeRequest& request, int calls) {
    auto subscription = database_->Subscribe(request);
    ASSERT_TRUE(subscription.ok()) << subscription.error().message();
    for (int i = 0; i < calls; ++i) {
      const auto records = (*subscription)->Next(8, 0ms);
      ASSERT_TRUE(records.ok());
      EXPECT_LE(records->size(), 8U);
      for (const SequencedRecord& entry : *records)
        EXPECT_EQ(VersionOf(entry.record), next_version++);
    }
    position = (*subscription)->position();
  };
  read_some({.table = "t"}, 2);
  EXPECT_EQ(next_version, 17);
  OpenFolder();
  read_some({.table = "t", .position = position}, 1);
  EXPECT_EQ(next_version, 25);
  read_some({.table = "t", .position = position}, 10);
  EXPECT_EQ(next_version, 51);
}

TEST_F(StreamTest, ASubscriptionIsWokenByACommit) {
  OpenInMemory();
  CreateTable();
  Put("a", 1);
  const auto subscription = *database_->Subscribe({.table = "t", .starts_at_latest = true});
  EXPECT_TRUE(subscription->Next(10, 0ms)->empty());
  std::jthread writer([&] {
    std::this_thread::sleep_for(20ms);
    Put("a", 2);
  });
  const auto start = std::chrono::steady_clock::now();
  const auto records = subscription->Next(10, 60s);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
  ASSERT_EQ(records->size(), 1U);
  EXPECT_EQ(VersionOf(records->front().record), 2);
}

TEST_F(StreamTest, ASubscriptionThatWaitsCanBeStopped) {
  OpenInMemory();
  CreateTable();
  const auto subscription = *database_->Subscribe({.table = "t"});
  std::jthread stopper([&] {
    std::this_thread::sleep_for(20ms);
    subscription->Stop();
  });
  EXPECT_TRUE(subscription->Next(10, 60s)->empty());
  EXPECT_FALSE(subscription->IsOver());
  Put("a", 1);
  EXPECT_TRUE(subscription->Next(10, 0ms)->empty());
}

TEST_F(StreamTest, ASubscriptionEndsWithItsStream) {
  OpenInMemory();
  CreateTable();
  const auto subscription = *database_->Subscribe({.table = "t"});
  Put("a", 1);
  std::jthread dropper([&] {
    std::this_thread::sleep_for(20ms);
    DropTable();
  });
  EXPECT_EQ(subscription->Next(10, 60s)->size(), 1U);
  EXPECT_FALSE(subscription->IsOver());
  EXPECT_TRUE(subscription->Next(10, 60s)->empty());
  EXPECT_TRUE(subscription->IsOver());
  EXPECT_FALSE(database_->Subscribe({.table = "t"}).ok());
  // Its records can still be read from a position.
  const auto again = database_->Subscribe(
      {.table = "t", .position = StreamPosition{subscription->position().stream, 1}});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ((*again)->Next(10, 0ms)->size(), 1U);
}

TEST_F(StreamTest, ASubscriptionThatIsTooSlowIsTold) {
  OpenInMemory();
  CreateTable();
  Put("a", 1);
  Put("a", 2);
  const auto subscription = *database_->Subscribe({.table = "t"});
  EXPECT_EQ(subscription->Next(1, 0ms)->size(), 1U);
  const StreamPosition position = subscription->position();
  clock_.Advance(25 * kHourMs);
  EXPECT_TRUE(Eventually([&] { return !subscription->Next(0, 0ms).ok(); }));
  EXPECT_EQ(subscription->Next(1, 0ms).error().code(), ErrorCode::kTrimmedDataAccess);
  EXPECT_EQ(subscription->position(), position);
}

}  // namespace
}  // namespace trestle::engine
