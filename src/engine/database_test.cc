// What the engine promises beyond a single request: time, restarts, failure, many threads. What a
// client sees of single requests is in tests/conformance.

#include "engine/database.h"

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/rows.h"
#include "engine/testing_internal.h"
#include "storage/memory_store.h"
#include "storage/rocks_store.h"
#include "value/key_codec.h"
#include "value/testing_internal.h"

namespace trestle::engine {
namespace {

using value::testing::ItemOf;
using value::testing::N;
using value::testing::S;

constexpr std::int64_t kMinuteMs = 60'000;

value::Item KeyItem(std::string_view key) { return ItemOf({{"pk", S(key)}}); }

value::Item IndexedItem(std::string_view key, std::string_view group) {
  return ItemOf({{"pk", S(key)}, {"g", S(group)}});
}

WriteAction Put(value::Item item) {
  return {.kind = WriteKind::kPut, .table = "t", .item = std::move(item)};
}

WriteAction AddOne(std::string_view key) {
  expr::Placeholders placeholders({}, {{":one", N(1)}});
  auto update = expr::Update::Parse("ADD tally :one", placeholders);
  return {.kind = WriteKind::kUpdate, .table = "t", .item = KeyItem(key), .update = *update};
}

// The store, with commits that fail when the test says so.
class FailingStore final : public storage::Store {
 public:
  FailingStore(std::unique_ptr<storage::Store> store, const std::atomic<bool>& fails)
      : store_(std::move(store)), fails_(fails) {}

  [[nodiscard]] Result<bool> Read(std::string_view key, std::string& value,
                                  const storage::Snapshot* snapshot) const override {
    return store_->Read(key, value, snapshot);
  }
  [[nodiscard]] std::unique_ptr<storage::Snapshot> TakeSnapshot() const override {
    return store_->TakeSnapshot();
  }
  [[nodiscard]] std::unique_ptr<storage::Cursor> NewCursor(
      std::string first, std::string end, const storage::Snapshot* snapshot) const override {
    return store_->NewCursor(std::move(first), std::move(end), snapshot);
  }
  [[nodiscard]] Status Commit(const storage::Batch& batch,
                              storage::Durability durability) override {
    if (fails_) return Error(ErrorCode::kUnavailable, "the disk is gone");
    return store_->Commit(batch, durability);
  }

 private:
  std::unique_ptr<storage::Store> store_;
  const std::atomic<bool>& fails_;
};

class DatabaseTest : public testing::DatabaseFixture {
 protected:
  DatabaseTest() : DatabaseFixture(1'700'000'000'000) {}

  void CreateTable() {
    ASSERT_TRUE(database_
                    ->Execute(CreateTableRequest{.table = "t",
                                                 .attribute_definitions = {{"pk", value::Type::kS}},
                                                 .key_schema = {{"pk", true}},
                                                 .billing_mode = BillingMode::kPayPerRequest})
                    .ok());
  }

  void CreateIndex() {
    UpdateTableRequest request{.table = "t"};
    request.attribute_definitions = {{"pk", value::Type::kS}, {"g", value::Type::kS}};
    request.global_index_updates = {{GlobalIndexUpdate{
        .create = IndexDefinition{
            .name = "by_g", .key_schema = {{"g", true}}, .projection = ProjectionType::kAll}}}};
    const auto updated = database_->Execute(std::move(request));
    ASSERT_TRUE(updated.ok()) << updated.error().message();
  }

  TableDescription Describe() {
    return std::get<TableReply>(*database_->Execute(DescribeTableRequest{.table = "t"}))
        .description;
  }

  std::int64_t Tally(std::string_view key) {
    const auto reply = database_->Get({.table = "t", .key = KeyItem(key)});
    if (!reply.ok() || !reply->item) return 0;
    return std::stoll(value::NumberText(reply->item->Find("tally")->number()));
  }

  std::size_t CountRows(RowKind kind) {
    const std::string prefix(1, static_cast<char>(kind));
    const auto cursor = store_->NewCursor(prefix, value::PrefixEnd(prefix));
    std::size_t count = 0;
    for (cursor->Seek(prefix); cursor->Valid(); cursor->Next())
      ++count;
    return count;
  }
};

TEST_F(DatabaseTest, ATokenHasOneEffectForTenMinutesAlsoAcrossARestart) {
  OpenFolder();
  CreateTable();
  const TransactWriteRequest request{.actions = {AddOne("a")}, .client_request_token = "token"};
  ASSERT_TRUE(database_->Execute(request).ok());
  clock_.Advance(10 * kMinuteMs - 1);
  OpenFolder();
  ASSERT_TRUE(database_->Execute(request).ok());
  EXPECT_EQ(Tally("a"), 1);

  const TransactWriteRequest other{.actions = {AddOne("b")}, .client_request_token = "token"};
  const auto refused = database_->Execute(other);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kIdempotentParameterMismatch);

  clock_.Advance(1);
  ASSERT_TRUE(database_->Execute(request).ok());
  EXPECT_EQ(Tally("a"), 2);
}

// The window is counted from the time in the record, so a clock that is set back does not end it.
TEST_F(DatabaseTest, ATokenOutlivesAClockThatIsSetBack) {
  OpenInMemory();
  CreateTable();
  const TransactWriteRequest request{.actions = {AddOne("a")}, .client_request_token = "token"};
  ASSERT_TRUE(database_->Execute(request).ok());
  clock_.Advance(-24 * 60 * kMinuteMs);
  ASSERT_TRUE(database_->Execute(request).ok());
  EXPECT_EQ(Tally("a"), 1);
}

TEST_F(DatabaseTest, OldTokensAreForgotten) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(
      database_
          ->Execute(TransactWriteRequest{.actions = {AddOne("a")}, .client_request_token = "token"})
          .ok());
  EXPECT_EQ(CountRows(RowKind::kToken), 1u);
  clock_.Advance(12 * kMinuteMs);
  EXPECT_TRUE(Eventually(
      [&] { return CountRows(RowKind::kToken) == 0 && CountRows(RowKind::kTokenExpiry) == 0; }));
}

TEST_F(DatabaseTest, StreamRecordsAreTrimmedAfterADay) {
  OpenInMemory();
  CreateTable();
  UpdateTableRequest request{.table = "t"};
  request.stream = StreamSpecification{.is_enabled = true, .view_type = StreamViewType::kKeysOnly};
  ASSERT_TRUE(database_->Execute(std::move(request)).ok());
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem("old"))}).ok());
  clock_.Advance(23 * 60 * kMinuteMs);
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem("young"))}).ok());
  EXPECT_EQ(CountRows(RowKind::kStream), 2u);
  clock_.Advance(61 * kMinuteMs);
  EXPECT_TRUE(Eventually([&] { return CountRows(RowKind::kStream) == 1; }));
}

TEST_F(DatabaseTest, TransientStatusesPassWithTheClock) {
  options_.transient_status_ms = 500;
  OpenInMemory();
  CreateTable();
  EXPECT_EQ(Describe().schema->status, TableStatus::kCreating);
  const auto early = database_->Execute(WriteRequest{.action = Put(KeyItem("a"))});
  ASSERT_FALSE(early.ok());
  EXPECT_EQ(early.error().code(), ErrorCode::kResourceNotFound);
  EXPECT_EQ(database_->Execute(DeleteTableRequest{.table = "t"}).error().code(),
            ErrorCode::kResourceInUse);

  clock_.Advance(500);
  EXPECT_EQ(Describe().schema->status, TableStatus::kActive);
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem("a"))}).ok());
  ASSERT_TRUE(database_->Execute(DeleteTableRequest{.table = "t"}).ok());
  EXPECT_EQ(Describe().schema->status, TableStatus::kDeleting);
  clock_.Advance(500);
  EXPECT_TRUE(
      Eventually([&] { return !database_->Execute(DescribeTableRequest{.table = "t"}).ok(); }));
}

// The table is ACTIVE before its new index is, and cannot go before.
TEST_F(DatabaseTest, ATableWithABusyIndexStays) {
  options_.transient_status_ms = 500;
  OpenInMemory();
  CreateTable();
  clock_.Advance(500);
  CreateIndex();
  EXPECT_EQ(Describe().schema->status, TableStatus::kUpdating);
  clock_.Advance(500);
  EXPECT_EQ(Describe().schema->status, TableStatus::kActive);
  EXPECT_EQ(Describe().schema->indexes[0].status, IndexStatus::kCreating);
  EXPECT_EQ(database_->Execute(DeleteTableRequest{.table = "t"}).error().code(),
            ErrorCode::kResourceInUse);
  clock_.Advance(500);
  ASSERT_TRUE(
      Eventually([&] { return Describe().schema->indexes[0].status == IndexStatus::kActive; }));
  EXPECT_TRUE(database_->Execute(DeleteTableRequest{.table = "t"}).ok());
}

TEST_F(DatabaseTest, GlobalIndexesCanFollowTheirTablesLater) {
  options_.index_lag_ms = 1000;
  OpenInMemory();
  CreateTable();
  CreateIndex();
  const auto in_index = [&] {
    const auto page = database_->ReadPage({.table = "t", .index = "by_g"});
    EXPECT_TRUE(page.ok());
    return page->count;
  };
  const auto put = [&](std::string_view key) {
    WriteAction action = Put(IndexedItem(key, "g"));
    ASSERT_TRUE(database_->Execute(WriteRequest{.action = std::move(action)}).ok());
  };
  const auto is_active = [&] { return database_->ReadPage({.table = "t", .index = "by_g"}).ok(); };
  ASSERT_TRUE(Eventually(is_active));
  clock_.Advance(1000);
  put("first");
  EXPECT_EQ(database_->ReadPage({.table = "t"})->count, 1u);
  EXPECT_EQ(in_index(), 0u);
  clock_.Advance(600);
  put("second");
  EXPECT_EQ(in_index(), 0u);
  clock_.Advance(400);
  EXPECT_EQ(in_index(), 1u);
  clock_.Advance(600);
  EXPECT_EQ(in_index(), 2u);
}

TEST_F(DatabaseTest, ADroppedTableLeavesNoRowsAndItsNameIsFreeAtOnce) {
  OpenFolder();
  CreateTable();
  for (int i = 0; i < 700; ++i) {
    ASSERT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem(std::to_string(i)))}).ok());
  }
  ASSERT_TRUE(database_->Execute(DeleteTableRequest{.table = "t"}).ok());
  CreateTable();
  EXPECT_EQ(database_->ReadPage({.table = "t"})->count, 0u);
  EXPECT_TRUE(Eventually(
      [&] { return CountRows(RowKind::kItem) == 0 && CountRows(RowKind::kGarbage) == 0; }));
}

// The database is closed while the backfill runs, again and again.
TEST_F(DatabaseTest, ABackfillGoesOnAfterARestart) {
  OpenFolder();
  CreateTable();
  constexpr int kItems = 3000;
  for (int i = 0; i < kItems; i += 25) {
    BatchWriteRequest batch;
    for (int j = i; j < i + 25; ++j) {
      batch.actions.push_back(Put(IndexedItem(std::to_string(j), "g" + std::to_string(j % 7))));
    }
    ASSERT_TRUE(database_->Execute(std::move(batch)).ok());
  }
  CreateIndex();
  const auto is_filled = [&] {
    return Describe().schema->FindIndex("by_g")->status == IndexStatus::kActive;
  };
  int restarts = 0;
  for (; restarts < 3 && !is_filled(); ++restarts)
    OpenFolder();
  EXPECT_GT(restarts, 0);
  ASSERT_TRUE(Eventually(is_filled));
  EXPECT_EQ(Describe().indexes[0].item_count, static_cast<std::uint64_t>(kItems));
  std::uint64_t count = 0;
  PageRequest request{.table = "t", .index = "by_g"};
  do {
    const auto page = database_->ReadPage(request);
    ASSERT_TRUE(page.ok()) << page.error().message();
    count += page->count;
    request.exclusive_start_key = page->last_evaluated_key;
  } while (request.exclusive_start_key);
  EXPECT_EQ(count, static_cast<std::uint64_t>(kItems));
}

TEST_F(DatabaseTest, AFailedCommitIsNotAcknowledgedAndReadsGoOn) {
  std::atomic<bool> fails = false;
  Open(std::make_unique<FailingStore>(storage::NewMemoryStore(), fails));
  CreateTable();
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = AddOne("a")}).ok());
  fails = true;
  const auto refused = database_->Execute(WriteRequest{.action = AddOne("a")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kUnavailable);
  EXPECT_FALSE(database_->IsWritable());
  EXPECT_EQ(Tally("a"), 1);
  EXPECT_EQ(Describe().table.item_count, 1u);

  fails = false;
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = AddOne("a")}).ok());
  EXPECT_TRUE(database_->IsWritable());
  EXPECT_EQ(Tally("a"), 2);
}

TEST_F(DatabaseTest, RefusesWritesThatFindNoRoomInTheQueue) {
  OpenInMemory();
  CreateTable();
  database_.reset();
  options_.pending_writes_max = 0;
  OpenInMemory();
  const auto refused = database_->Execute(WriteRequest{.action = AddOne("a")});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kThrottled);
}

// Run under the thread sanitizer, on the fake store that it can see into.
TEST_F(DatabaseTest, ManyThreadsReadWriteAndChangeTablesAtOnce) {
  OpenInMemory();
  CreateTable();
  constexpr int kThreads = 4;
  constexpr int kWrites = 200;
  std::atomic<bool> is_done = false;
  {
    std::jthread changer([&] {
      for (int i = 0; !is_done; ++i) {
        const std::string name = "other" + std::to_string(i % 3);
        CreateTableRequest request{.table = name,
                                   .attribute_definitions = {{"pk", value::Type::kS}},
                                   .key_schema = {{"pk", true}},
                                   .billing_mode = BillingMode::kPayPerRequest};
        EXPECT_TRUE(database_->Execute(std::move(request)).ok());
        EXPECT_TRUE(database_->Execute(DeleteTableRequest{.table = name}).ok());
      }
    });
    std::jthread reader([&] {
      std::int64_t last = 0;
      while (!is_done) {
        const std::int64_t now = Tally("hot");
        EXPECT_GE(now, last);
        last = now;
        EXPECT_TRUE(database_->ReadPage({.table = "t"}).ok());
      }
    });
    {
      std::vector<std::jthread> writers;
      for (int thread = 0; thread < kThreads; ++thread) {
        writers.emplace_back([&, thread] {
          for (int i = 0; i < kWrites; ++i) {
            EXPECT_TRUE(database_->Execute(WriteRequest{.action = AddOne("hot")}).ok());
            const std::string key = std::to_string(thread) + "/" + std::to_string(i);
            EXPECT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem(key))}).ok());
          }
        });
      }
    }
    is_done = true;
  }
  EXPECT_EQ(Tally("hot"), kThreads * kWrites);
  EXPECT_EQ(Describe().table.item_count, static_cast<std::uint64_t>(kThreads * kWrites + 1));
}

}  // namespace
}  // namespace trestle::engine
