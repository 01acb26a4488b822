// Expiry over time: clocks that jump, restarts, tables that had items before, many of them.

#include "engine/ttl.h"

#include <filesystem>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "engine/database.h"
#include "engine/rows.h"
#include "engine/testing_internal.h"
#include "value/key_codec.h"
#include "value/testing_internal.h"

namespace trestle::engine {
namespace {

using value::testing::ItemOf;
using value::testing::N;
using value::testing::S;

constexpr std::int64_t kStartUnixMs = 1'700'000'000'000;
constexpr std::int64_t kSecondMs = 1000;
constexpr std::int64_t kMinuteMs = 60 * kSecondMs;
constexpr std::int64_t kHourMs = 60 * kMinuteMs;

value::Item KeyItem(std::string_view key) { return ItemOf({{"pk", S(key)}}); }

value::Item ExpiringItem(std::string_view key, std::int64_t second) {
  return ItemOf({{"pk", S(key)}, {"ends", N(second)}});
}

WriteAction Put(value::Item item) {
  return {.kind = WriteKind::kPut, .table = "t", .item = std::move(item)};
}

TEST(ExpiryTime, GoesWithTheClock) {
  FixedClock clock(kStartUnixMs);
  ExpiryTime time(clock);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs);
  clock.Advance(5 * kHourMs);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs + 5 * kHourMs);
}

TEST(ExpiryTime, BelievesAClockThatIsSetBackAtOnce) {
  FixedClock clock(kStartUnixMs);
  ExpiryTime time(clock);
  clock.Set(kStartUnixMs - kHourMs);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs - kHourMs);
  clock.Advance(kMinuteMs);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs - kHourMs + kMinuteMs);
}

TEST(ExpiryTime, BelievesAClockThatIsSetForwardAfterAnHour) {
  FixedClock clock(kStartUnixMs);
  ExpiryTime time(clock);
  clock.Set(kStartUnixMs + 1000 * kHourMs);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs);
  clock.Advance(kHourMs - 1);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs + kHourMs - 1);
  clock.Advance(1);
  EXPECT_EQ(time.NowUnixMs(), kStartUnixMs + 1001 * kHourMs);
}

TEST(ExpiryTime, TheHourBeginsAgainWithEachJump) {
  FixedClock clock(kStartUnixMs);
  ExpiryTime time(clock);
  std::int64_t true_unix_ms = kStartUnixMs;
  for (int i = 1; i < 10; ++i) {
    clock.Set(true_unix_ms + i * kHourMs);
    EXPECT_EQ(time.NowUnixMs(), true_unix_ms);
    clock.Advance(50 * kMinuteMs);
    true_unix_ms += 50 * kMinuteMs;
    EXPECT_EQ(time.NowUnixMs(), true_unix_ms);
  }
}

class TtlTest : public testing::DatabaseFixture {
 protected:
  TtlTest() : DatabaseFixture(kStartUnixMs) {}

  void CreateTable() {
    CreateTableRequest request{.table = "t",
                               .attribute_definitions = {{"pk", value::Type::kS}},
                               .key_schema = {{"pk", true}},
                               .billing_mode = BillingMode::kPayPerRequest};
    request.stream =
        StreamSpecification{.is_enabled = true, .view_type = StreamViewType::kOldImage};
    const auto created = database_->Execute(std::move(request));
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  Result<Reply> UpdateTimeToLive(bool is_enabled) {
    return database_->Execute(
        UpdateTimeToLiveRequest{.table = "t", .attribute = "ends", .is_enabled = is_enabled});
  }

  void PutItem(std::string_view key, std::int64_t second) {
    const auto put = database_->Execute(WriteRequest{.action = Put(ExpiringItem(key, second))});
    ASSERT_TRUE(put.ok()) << put.error().message();
  }

  void PutItems(int count, std::int64_t second) {
    for (int i = 0; i < count; i += 25) {
      BatchWriteRequest batch;
      for (int j = i; j < i + 25; ++j)
        batch.actions.push_back(Put(ExpiringItem(std::to_string(j), second)));
      ASSERT_TRUE(database_->Execute(std::move(batch)).ok());
    }
  }

  TableDescription Describe() {
    return std::get<TableReply>(*database_->Execute(DescribeTableRequest{.table = "t"}))
        .description;
  }
  std::uint64_t ItemCount() { return Describe().table.item_count; }

  bool Has(std::string_view key) {
    const auto reply = database_->Get({.table = "t", .key = KeyItem(key)});
    return reply.ok() && reply->item.has_value();
  }

  std::vector<std::string> RowsOf(RowKind kind) {
    const std::string prefix(1, static_cast<char>(kind));
    const auto cursor = store_->NewCursor(prefix, value::PrefixEnd(prefix));
    std::vector<std::string> values;
    for (cursor->Seek(prefix); cursor->Valid(); cursor->Next())
      values.emplace_back(cursor->value());
    return values;
  }

  // Lets the committer see the clock as it is now: a write passes through it, and the sweep after.
  void LetItSweep() {
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(database_
                      ->Execute(WriteRequest{.action = {.kind = WriteKind::kDelete,
                                                        .table = "t",
                                                        .item = KeyItem("no such item")}})
                      .ok());
    }
  }

  static constexpr std::int64_t kStart = kStartUnixMs / 1000;
};

TEST_F(TtlTest, AnItemGoesInTheSecondAfterItsTime) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  PutItem("a", kStart + 10);
  PutItem("b", kStart + 11);
  clock_.Advance(10 * kSecondMs + 999);
  LetItSweep();
  EXPECT_TRUE(Has("a"));
  clock_.Advance(1);
  clock_.Advance(kSecondMs - 1);
  EXPECT_TRUE(Eventually([&] { return !Has("a"); }));
  EXPECT_TRUE(Has("b"));
}

TEST_F(TtlTest, ItsStreamRecordSaysWhyItWent) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  PutItem("a", kStart - 1);
  clock_.Advance(2 * kSecondMs);
  ASSERT_TRUE(Eventually([&] { return ItemCount() == 0; }));
  const std::vector<std::string> records = RowsOf(RowKind::kStream);
  ASSERT_EQ(records.size(), 2u);
  const auto record = DecodeStreamRecord(records[1]);
  ASSERT_TRUE(record.ok());
  EXPECT_EQ(record->event, StreamEvent::kExpire);
  EXPECT_EQ(record->old_image, ExpiringItem("a", kStart - 1).bytes());
  EXPECT_TRUE(RowsOf(RowKind::kExpiry).empty());
}

TEST_F(TtlTest, ExpiryRowsFollowTheItem) {
  options_.ttl_sweep_ms = 0;
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  PutItem("a", kStart + 10);
  EXPECT_EQ(RowsOf(RowKind::kExpiry).size(), 1u);
  PutItem("a", kStart + 20);
  EXPECT_EQ(RowsOf(RowKind::kExpiry).size(), 1u);
  ASSERT_TRUE(database_->Execute(WriteRequest{.action = Put(KeyItem("a"))}).ok());
  EXPECT_TRUE(RowsOf(RowKind::kExpiry).empty());
  PutItem("a", kStart - 10);
  clock_.Advance(kHourMs);
  LetItSweep();
  EXPECT_TRUE(Has("a"));  // with a sweep that is off, it stays
  ASSERT_TRUE(UpdateTimeToLive(false).ok());
  EXPECT_TRUE(Eventually([&] { return RowsOf(RowKind::kExpiry).empty(); }));
  EXPECT_TRUE(Has("a"));
}

TEST_F(TtlTest, WhatLiesFiveYearsBackStays) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  constexpr std::int64_t kFiveYears = 5LL * 365 * 24 * 60 * 60;
  PutItem("old", kStart - kFiveYears - 1);
  PutItem("not quite", kStart - kFiveYears + 10);
  clock_.Advance(2 * kSecondMs);
  ASSERT_TRUE(Eventually([&] { return !Has("not quite"); }));
  EXPECT_TRUE(Has("old"));
}

// Rows before the place where the sweep stands are found too.
TEST_F(TtlTest, AnItemThatIsWrittenExpiredGoes) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  for (int i = 0; i < 20; ++i) {
    PutItem("a", kStart - 100 - i);
    clock_.Advance(2 * kSecondMs);
    ASSERT_TRUE(Eventually([&] { return !Has("a"); })) << i;
  }
}

TEST_F(TtlTest, StatusesPassWithTheClock) {
  options_.transient_status_ms = 500;
  OpenInMemory();
  CreateTable();
  EXPECT_EQ(UpdateTimeToLive(true).error().code(), ErrorCode::kResourceInUse);
  clock_.Advance(500);
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  EXPECT_NE(Describe().schema->time_to_live->status_until_unix_ms, 0);
  EXPECT_EQ(UpdateTimeToLive(true).error().message(), "TimeToLive is already enabled");
  EXPECT_EQ(UpdateTimeToLive(false).error().message(),
            "Time to live has been modified multiple times within a fixed interval");
  clock_.Advance(500);
  EXPECT_EQ(Describe().schema->time_to_live->status_until_unix_ms, 0);
  ASSERT_TRUE(UpdateTimeToLive(false).ok());
  EXPECT_FALSE(Describe().schema->time_to_live->is_enabled);
  EXPECT_EQ(UpdateTimeToLive(false).error().message(), "TimeToLive is already disabled");
  clock_.Advance(500);
  EXPECT_FALSE(Describe().schema->time_to_live.has_value());
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
}

// The database is closed while rows are filled in and while items are swept, again and again.
TEST_F(TtlTest, BackfillAndSweepGoOnAfterARestart) {
  OpenFolder();
  CreateTable();
  constexpr int kItems = 5000;
  PutItems(kItems, kStart - 1);
  PutItem("keep", kStart + 1'000'000);
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 50 && ItemCount() > 1; ++i) {
    seen.insert(ItemCount());
    clock_.Advance(kSecondMs);
    OpenFolder();
    std::this_thread::sleep_for(std::chrono::milliseconds(i));
  }
  EXPECT_GT(seen.size(), 1u);
  ASSERT_TRUE(Eventually([&] { return ItemCount() == 1; })) << ItemCount();
  EXPECT_TRUE(Has("keep"));
  EXPECT_EQ(RowsOf(RowKind::kExpiry).size(), 1u);
  EXPECT_EQ(database_->ReadPage({.table = "t"})->count, 1u);
  std::size_t expired = 0;
  for (const std::string& row : RowsOf(RowKind::kStream)) {
    const auto record = DecodeStreamRecord(row);
    ASSERT_TRUE(record.ok());
    if (record->event == StreamEvent::kExpire) ++expired;
  }
  EXPECT_EQ(expired, static_cast<std::size_t>(kItems));  // each once
}

// The clock on the wall jumps about by up to 1,000 hours; none of its wrong courses lasts an hour.
// Nothing may go before its true time, and before the time on the wall.
TEST_F(TtlTest, NothingGoesEarlyUnderAThousandClockJumps) {
  OpenInMemory();
  CreateTable();
  ASSERT_TRUE(UpdateTimeToLive(true).ok());
  std::mt19937_64 random(20260101);
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  std::set<std::pair<std::int64_t, std::string>> items;  // by time
  std::int64_t true_unix_ms = kStartUnixMs;
  int early = 0;
  int gone = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string key = std::to_string(i);
    const std::int64_t second = true_unix_ms / 1000 + below(3000);
    PutItem(key, second);
    items.emplace(second, key);

    const bool is_right = below(20) == 0;
    const std::int64_t jump_ms = below(1000 * kHourMs) * (below(2) == 0 ? 1 : -1);
    clock_.Set(is_right ? true_unix_ms : true_unix_ms + jump_ms);
    LetItSweep();
    const std::int64_t pass_ms = is_right ? 70 * kMinuteMs : below(10 * kMinuteMs);
    clock_.Advance(pass_ms);
    true_unix_ms += pass_ms;
    LetItSweep();
    const std::int64_t latest = std::min(true_unix_ms, clock_.NowUnixMs());
    for (auto at = items.lower_bound({latest / 1000, ""}); at != items.end(); ++at) {
      if (!Has(at->second)) ++early;
    }
    for (auto at = items.begin(); at != items.end() && at->first < true_unix_ms / 1000;) {
      const bool is_gone = !Has(at->second);
      gone += is_gone;
      at = is_gone ? items.erase(at) : std::next(at);
    }
  }
  EXPECT_EQ(early, 0);
  clock_.Set(true_unix_ms);
  LetItSweep();
  clock_.Advance(2 * kHourMs);
  EXPECT_TRUE(Eventually([&] { return ItemCount() == 0; }));
  EXPECT_GT(gone, 100);
}

}  // namespace
}  // namespace trestle::engine
