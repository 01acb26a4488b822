// The contract of Backend, function by function, on every back end.

#include "design/backend.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/unit_counter.h"
#include "design/backend_fixture.h"
#include "design/testing_internal.h"
#include "value/number.h"
#include "value/testing_internal.h"

namespace trestle::design {
namespace {

using testing::KeyConditionOf;
using value::testing::ItemOf;
using value::testing::N;
using value::testing::S;

value::Item Key(std::string_view pk, std::string_view sk) {
  return ItemOf({{"pk", S(pk)}, {"sk", S(sk)}});
}

class BackendTest : public testing::BackendFixture {
 protected:
  [[nodiscard]] TableSettings Settings() const {
    TableSettings settings;
    settings.name = table_;
    settings.partition_key = "pk";
    settings.sort_key = "sk";
    settings.indexes = {{.name = "by_group",
                         .partition_key = "group",
                         .sort_key = "rank",
                         .projection = IndexSettings::Projection::kKeys}};
    settings.key_types = {{"pk", KeyType::kString},
                          {"sk", KeyType::kString},
                          {"group", KeyType::kString},
                          {"rank", KeyType::kNumber}};
    settings.stream = StreamImages::kNewAndOld;
    return settings;
  }

  void CreateTable() {
    const Status created = backend().CreateTable(Settings());
    ASSERT_TRUE(created.ok()) << created.error().message();
  }

  [[nodiscard]] WriteItem Put(value::Item item) const {
    return {.kind = ActionKind::kPut, .table = table_, .item = std::move(item)};
  }
  [[nodiscard]] WriteItem PutOnce(value::Item item) const {
    WriteItem write = Put(std::move(item));
    write.condition = "attribute_not_exists(#pk)";
    write.expressions.names = {{"#pk", "pk"}};
    write.return_item_on_failure = true;
    return write;
  }
  [[nodiscard]] WriteItem AddOne(value::Item key) const {
    WriteItem write{.kind = ActionKind::kUpdate, .table = table_, .item = std::move(key)};
    write.update = "SET #n = if_not_exists(#n, :zero) + :one";
    write.expressions.names = {{"#n", "tally"}};
    write.expressions.values = {{":zero", N(0)}, {":one", N(1)}};
    return write;
  }
  [[nodiscard]] WriteItem Delete(value::Item key) const {
    return {.kind = ActionKind::kDelete, .table = table_, .item = std::move(key)};
  }

  void MustWrite(const WriteItem& write) {
    const Status status = backend().Write(write);
    ASSERT_TRUE(status.ok()) << status.error().message();
  }

  [[nodiscard]] std::optional<value::Item> Get(const value::Item& key) {
    auto item = backend().Get({.table = table_, .key = key, .is_consistent = true});
    EXPECT_TRUE(item.ok()) << item.error().message();
    return item.ok() ? *item : std::nullopt;
  }

  [[nodiscard]] std::vector<Change> NextChanges(ChangeReader& reader, std::size_t count) {
    std::vector<Change> changes;
    for (int i = 0; i < 100 && changes.size() < count; ++i) {
      auto next = reader.Next(1000, std::chrono::milliseconds(200));
      EXPECT_TRUE(next.ok()) << next.error().message();
      if (!next.ok()) break;
      for (Change& change : *std::move(next))
        changes.push_back(std::move(change));
    }
    EXPECT_EQ(changes.size(), count);
    return changes;
  }

  std::string table_ = TableName("things");
};

TRESTLE_ON_EVERY_BACKEND(BackendTest);

TEST_P(BackendTest, GetsWhatWasPut) {
  CreateTable();
  EXPECT_EQ(Get(Key("a", "1")), std::nullopt);
  const value::Item item = ItemOf({{"pk", S("a")}, {"sk", S("1")}, {"n", N("1.5")}});
  MustWrite(Put(item));
  EXPECT_EQ(Get(Key("a", "1")), item);
  MustWrite(Delete(Key("a", "1")));
  EXPECT_EQ(Get(Key("a", "1")), std::nullopt);
}

TEST_P(BackendTest, SaysWhenThereIsNoTable) {
  const auto read = backend().Get({.table = table_, .key = Key("a", "1")});
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code(), ErrorCode::kResourceNotFound);
  const auto described = backend().DescribeTable(table_);
  ASSERT_FALSE(described.ok());
  EXPECT_EQ(described.error().code(), ErrorCode::kResourceNotFound);
  const Status deleted = backend().DeleteTable(table_);
  ASSERT_FALSE(deleted.ok());
  EXPECT_EQ(deleted.error().code(), ErrorCode::kResourceNotFound);
}

// More than one request of the service takes.
TEST_P(BackendTest, BatchesAreAsLargeAsTheCallerLikes) {
  CreateTable();
  std::vector<WriteItem> writes;
  std::vector<value::Item> keys;
  for (int i = 0; i < 130; ++i) {
    keys.push_back(Key("a", fmt::format("{:03}", i)));
    writes.push_back(Put(keys.back()));
  }
  keys.push_back(Key("a", "absent"));
  const Status written = backend().BatchWrite(writes);
  ASSERT_TRUE(written.ok()) << written.error().message();

  auto items = backend().BatchGet(table_, keys, true);
  ASSERT_TRUE(items.ok()) << items.error().message();
  std::set<std::string> found;
  for (const value::Item& item : *items)
    found.insert(item.bytes());
  EXPECT_EQ(items->size(), 130u);
  EXPECT_EQ(found.size(), 130u);
}

TEST_P(BackendTest, BatchesDeleteToo) {
  CreateTable();
  MustWrite(Put(Key("a", "1")));
  const std::vector<WriteItem> writes = {Delete(Key("a", "1")), Put(Key("a", "2"))};
  ASSERT_TRUE(backend().BatchWrite(writes).ok());
  EXPECT_EQ(Get(Key("a", "1")), std::nullopt);
  EXPECT_NE(Get(Key("a", "2")), std::nullopt);
}

TEST_P(BackendTest, QueriesPageByPageInBothDirections) {
  CreateTable();
  for (const std::string_view sk : {"1", "2", "3"})
    MustWrite(Put(Key("a", sk)));
  ReadPage read{.table = table_, .key_condition = KeyConditionOf("pk = :p", {{":p", S("a")}})};
  read.limit = 2;
  read.is_consistent = true;
  const auto first = backend().Read(read);
  ASSERT_TRUE(first.ok()) << first.error().message();
  ASSERT_EQ(first->items.size(), 2u);
  EXPECT_EQ(first->items[1], Key("a", "2"));

  read.exclusive_start_key = first->last_evaluated_key;
  const auto second = backend().Read(read);
  ASSERT_TRUE(second.ok());
  ASSERT_EQ(second->items.size(), 1u);
  EXPECT_EQ(second->items[0], Key("a", "3"));
  EXPECT_EQ(second->last_evaluated_key, std::nullopt);

  read.exclusive_start_key = std::nullopt;
  read.is_forward = false;
  const auto backward = backend().Read(read);
  ASSERT_TRUE(backward.ok());
  EXPECT_EQ(backward->items[0], Key("a", "3"));
}

TEST_P(BackendTest, CountsWhatItsCallsConsume) {
  CreateTable();
  const auto consumed = [&](auto call) {
    const UnitCounter counter;
    const auto done = call();
    EXPECT_TRUE(done.ok()) << done.error().message();
    return std::pair(counter.units().read, counter.units().write);
  };
  using Consumed = std::pair<double, double>;
  const std::vector<WriteItem> two{Put(Key("a", "1")), Put(Key("a", "2"))};
  const std::vector<value::Item> keys{Key("a", "1"), Key("a", "2"), Key("a", "none")};
  const UnitCounter all;
  EXPECT_EQ(consumed([&] { return backend().Write(two[0]); }), Consumed(0, 1));
  EXPECT_EQ(consumed([&] { return backend().BatchWrite(two); }), Consumed(0, 2));
  EXPECT_EQ(consumed([&] { return backend().Transact(two, {}); }), Consumed(0, 4));
  EXPECT_EQ(consumed([&] { return backend().Get({.table = table_, .key = Key("a", "1")}); }),
            Consumed(0.5, 0));
  EXPECT_EQ(consumed([&] { return backend().BatchGet(table_, keys, true); }), Consumed(3, 0));
  EXPECT_EQ(consumed([&] { return backend().Read({.table = table_, .is_consistent = true}); }),
            Consumed(1, 0));
  EXPECT_EQ(all.units().read, 4.5);
  EXPECT_EQ(all.units().write, 7);
}

TEST_P(BackendTest, QueriesAnIndexWithAFilter) {
  CreateTable();
  for (int i = 0; i < 4; ++i) {
    MustWrite(Put(ItemOf({{"pk", S(fmt::format("p{}", i))},
                          {"sk", S("x")},
                          {"group", S("g")},
                          {"rank", N(i)},
                          {"even", N(i % 2)}})));
  }
  ReadPage read{.table = table_, .index = "by_group"};
  read.key_condition = {{{"group", expr::KeyOperator::kEqual, S("g"), {}},
                         {"rank", expr::KeyOperator::kGreaterOrEqual, N(1), {}}}};
  read.filter = "#sk = :x";
  read.expressions.names = {{"#sk", "sk"}};
  read.expressions.values = {{":x", S("x")}};
  ASSERT_TRUE(Eventually([&] {
    const auto page = backend().Read(read);
    return page.ok() && page->items.size() == 3;
  }));
  const auto page = backend().Read(read);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->items[0].Find("rank")->bytes(), N(1));
  EXPECT_EQ(page->items[0].Find("even"), std::nullopt);  // the index has keys only
}

TEST_P(BackendTest, ScansInSegments) {
  CreateTable();
  for (int i = 0; i < 40; ++i)
    MustWrite(Put(Key(fmt::format("p{}", i), "x")));
  std::set<std::string> found;
  for (std::uint32_t segment = 0; segment < 3; ++segment) {
    ReadPage read{.table = table_, .is_consistent = true, .segment = segment, .total_segments = 3};
    const auto page = backend().Read(read);
    ASSERT_TRUE(page.ok()) << page.error().message();
    for (const value::Item& item : page->items)
      EXPECT_TRUE(found.insert(item.bytes()).second);
  }
  EXPECT_EQ(found.size(), 40u);
}

TEST_P(BackendTest, AFailedConditionShowsTheItemAsItIs) {
  CreateTable();
  const value::Item first = ItemOf({{"pk", S("a")}, {"sk", S("1")}, {"n", N(1)}});
  MustWrite(PutOnce(first));
  const Status refused = backend().Write(PutOnce(Key("a", "1")));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kConditionalCheckFailed);
  ASSERT_NE(refused.error().details(), nullptr);
  EXPECT_EQ(refused.error().details()->item, first.bytes());
  EXPECT_EQ(Get(Key("a", "1")), first);
}

TEST_P(BackendTest, WhatIsWrongWithAnExpressionIsValidation) {
  CreateTable();
  WriteItem unused = Put(Key("a", "1"));
  unused.condition = "attribute_not_exists(pk)";
  unused.expressions.names = {{"#unused", "n"}};
  WriteItem misspelt = AddOne(Key("a", "1"));
  misspelt.update = "SETT #n = :one";
  for (const WriteItem& write : {unused, misspelt}) {
    const Status refused = backend().Write(write);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  }
  EXPECT_EQ(Get(Key("a", "1")), std::nullopt);
}

TEST_P(BackendTest, ATransactionDoesAllOrNothingAndSaysWhy) {
  if (!backend().features().has_transactions) GTEST_SKIP() << "it has no transactions";
  CreateTable();
  const value::Item taken = ItemOf({{"pk", S("b")}, {"sk", S("1")}, {"n", N(1)}});
  MustWrite(Put(taken));
  WriteItem check{.kind = ActionKind::kCheck, .table = table_, .item = Key("b", "1")};
  check.condition = "attribute_exists(pk)";
  const std::vector<WriteItem> writes = {AddOne(Key("a", "1")), check, PutOnce(Key("c", "1")),
                                         Delete(Key("d", "1"))};
  const Status done = backend().Transact(writes, "");
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_NE(Get(Key("c", "1")), std::nullopt);

  const std::vector<WriteItem> doomed = {AddOne(Key("a", "1")), PutOnce(Key("b", "1"))};
  const Status refused = backend().Transact(doomed, "");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kTransactionCanceled);
  ASSERT_NE(refused.error().details(), nullptr);
  const auto& reasons = refused.error().details()->reasons;
  ASSERT_EQ(reasons.size(), 2u);
  EXPECT_FALSE(reasons[0].has_value());
  ASSERT_TRUE(reasons[1].has_value());
  EXPECT_EQ(reasons[1]->code(), ErrorCode::kConditionalCheckFailed);
  ASSERT_NE(reasons[1]->details(), nullptr);
  EXPECT_EQ(reasons[1]->details()->item, taken.bytes());
  EXPECT_EQ(Get(Key("a", "1"))->Find("tally")->bytes(), N(1));
}

TEST_P(BackendTest, ATokenHasOneEffect) {
  if (!backend().features().has_transactions) GTEST_SKIP() << "it has no transactions";
  CreateTable();
  const std::string token = random().Uuid();
  const std::vector<WriteItem> writes = {AddOne(Key("a", "1"))};
  ASSERT_TRUE(backend().Transact(writes, token).ok());
  ASSERT_TRUE(backend().Transact(writes, token).ok());
  EXPECT_EQ(Get(Key("a", "1"))->Find("tally")->bytes(), N(1));

  const std::vector<WriteItem> others = {AddOne(Key("b", "1"))};
  const Status refused = backend().Transact(others, token);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kIdempotentParameterMismatch);
}

TEST_P(BackendTest, DescribesWhatWasCreated) {
  TableSettings settings = Settings();
  settings.time_to_live = "expires";
  settings.indexes.push_back({.name = "local",
                              .is_local = true,
                              .partition_key = "pk",
                              .sort_key = "rank",
                              .projection = IndexSettings::Projection::kInclude,
                              .include = {"title"}});
  const Status created = backend().CreateTable(settings);
  ASSERT_TRUE(created.ok()) << created.error().message();
  auto described = backend().DescribeTable(table_);
  ASSERT_TRUE(described.ok()) << described.error().message();
  TableSettings found = *std::move(described);
  EXPECT_EQ(found.partition_key, "pk");
  EXPECT_EQ(found.sort_key, "sk");
  EXPECT_EQ(found.key_types, settings.key_types);
  EXPECT_EQ(found.provisioned, std::nullopt);
  EXPECT_EQ(found.stream, StreamImages::kNewAndOld);
  EXPECT_EQ(found.time_to_live, "expires");
  EXPECT_TRUE(found.is_active);
  std::ranges::sort(found.indexes, {}, &IndexSettings::name);
  std::ranges::sort(settings.indexes, {}, &IndexSettings::name);
  EXPECT_EQ(found.indexes, settings.indexes);

  const Status again = backend().CreateTable(settings);
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kResourceInUse);
}

TEST_P(BackendTest, UpdatesEverythingThatATableCanChange) {
  CreateTable();
  for (int i = 0; i < 30; ++i) {
    MustWrite(
        Put(ItemOf({{"pk", S(fmt::format("p{}", i))}, {"sk", S("x")}, {"colour", S("red")}})));
  }
  TableSettings wanted = Settings();
  wanted.indexes = {{.name = "by_colour",
                     .partition_key = "colour",
                     .projection = IndexSettings::Projection::kInclude,
                     .include = {"title"}},
                    {.name = "by_size", .partition_key = "size"}};
  wanted.key_types = {{"pk", KeyType::kString},
                      {"sk", KeyType::kString},
                      {"colour", KeyType::kString},
                      {"size", KeyType::kNumber}};
  wanted.provisioned = {{5, 6}};
  wanted.stream = StreamImages::kKeys;
  wanted.time_to_live = "expires";
  const Status updated = backend().UpdateTable(wanted);
  ASSERT_TRUE(updated.ok()) << updated.error().message();

  auto described = backend().DescribeTable(table_);
  ASSERT_TRUE(described.ok());
  TableSettings found = *std::move(described);
  std::ranges::sort(found.indexes, {}, &IndexSettings::name);
  EXPECT_EQ(found.indexes, wanted.indexes);
  EXPECT_EQ(found.key_types, wanted.key_types);
  EXPECT_EQ(found.provisioned, wanted.provisioned);
  EXPECT_EQ(found.stream, StreamImages::kKeys);
  EXPECT_EQ(found.time_to_live, "expires");

  ReadPage read{.table = table_,
                .index = "by_colour",
                .key_condition = KeyConditionOf("colour = :c", {{":c", S("red")}})};
  const auto page = backend().Read(read);
  ASSERT_TRUE(page.ok()) << page.error().message();
  EXPECT_EQ(page->items.size(), 30u);
}

TEST_P(BackendTest, ItemsCanExpireByAnotherAttribute) {
  if (!has_fixed_clock()) GTEST_SKIP() << "it would take an hour";
  TableSettings settings = Settings();
  for (const std::string attribute : {"expires", "endsAt", ""}) {
    settings.time_to_live = attribute;
    const Status done =
        attribute == "expires" ? backend().CreateTable(settings) : backend().UpdateTable(settings);
    ASSERT_TRUE(done.ok()) << done.error().message();
    EXPECT_EQ(backend().DescribeTable(table_)->time_to_live, attribute);
  }
}

TEST_P(BackendTest, RefusesToChangeKeysAndLocalIndexes) {
  CreateTable();
  TableSettings other_key = Settings();
  other_key.sort_key = "other";
  TableSettings local = Settings();
  local.indexes.push_back(
      {.name = "local", .is_local = true, .partition_key = "pk", .sort_key = "rank"});
  for (const TableSettings& wanted : {other_key, local}) {
    const Status refused = backend().UpdateTable(wanted);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  }
}

TEST_P(BackendTest, ADeletedTableCanBeMadeAgain) {
  CreateTable();
  ASSERT_TRUE(backend().DeleteTable(table_).ok());
  EXPECT_FALSE(backend().DescribeTable(table_).ok());
  CreateTable();
}

TEST_P(BackendTest, FollowsChangesFromTheOldest) {
  CreateTable();
  MustWrite(AddOne(Key("a", "1")));
  MustWrite(AddOne(Key("a", "1")));
  MustWrite(Delete(Key("a", "1")));
  const auto reader = backend().Follow(table_, "");
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  const std::vector<Change> changes = NextChanges(**reader, 3);
  ASSERT_EQ(changes.size(), 3u);
  EXPECT_EQ(changes[0].keys, Key("a", "1"));
  EXPECT_FALSE(changes[0].old_image.has_value());
  EXPECT_EQ(changes[0].new_image->Find("tally")->bytes(), N(1));
  EXPECT_EQ(changes[1].old_image->Find("tally")->bytes(), N(1));
  EXPECT_EQ(changes[1].new_image->Find("tally")->bytes(), N(2));
  EXPECT_FALSE(changes[2].new_image.has_value());
  EXPECT_FALSE(changes[2].is_expiry);
  EXPECT_LT(changes[0].sequence, changes[1].sequence);
  EXPECT_LT(changes[1].sequence, changes[2].sequence);
}

TEST_P(BackendTest, GoesOnFromAPositionWithoutAGap) {
  CreateTable();
  const auto here = backend().CurrentPosition(table_);
  ASSERT_TRUE(here.ok()) << here.error().message();
  for (int i = 0; i < 10; ++i)
    MustWrite(AddOne(Key(fmt::format("p{}", i), "1")));
  const auto first = backend().Follow(table_, *here);
  ASSERT_TRUE(first.ok()) << first.error().message();
  std::set<std::string> seen;
  const auto some = (*first)->Next(3, std::chrono::milliseconds(2000));
  ASSERT_TRUE(some.ok()) << some.error().message();
  ASSERT_FALSE(some->empty());
  EXPECT_LE(some->size(), 3u);
  for (const Change& change : *some)
    EXPECT_TRUE(seen.insert(change.keys.bytes()).second);

  const auto second = backend().Follow(table_, (*first)->position());
  ASSERT_TRUE(second.ok()) << second.error().message();
  for (const Change& change : NextChanges(**second, 10 - some->size()))
    EXPECT_TRUE(seen.insert(change.keys.bytes()).second);
  EXPECT_EQ(seen.size(), 10u);
}

TEST_P(BackendTest, ThePositionOfNowIsBehindEverything) {
  CreateTable();
  MustWrite(AddOne(Key("before", "1")));
  const auto here = backend().CurrentPosition(table_);
  ASSERT_TRUE(here.ok()) << here.error().message();
  MustWrite(AddOne(Key("after", "1")));
  const auto reader = backend().Follow(table_, *here);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  const std::vector<Change> changes = NextChanges(**reader, 1);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].keys, Key("after", "1"));
}

TEST_P(BackendTest, ExpiryIsAChangeOfItsOwn) {
  if (!has_fixed_clock()) GTEST_SKIP() << "an endpoint expires when it likes";
  TableSettings settings = Settings();
  settings.time_to_live = "expires";
  ASSERT_TRUE(backend().CreateTable(settings).ok());
  const std::int64_t now_s = clock().NowUnixMs() / 1000;
  MustWrite(Put(ItemOf({{"pk", S("a")}, {"sk", S("1")}, {"expires", N(now_s + 10)}})));
  Advance(20'000);
  const auto reader = backend().Follow(table_, "");
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  const std::vector<Change> changes = NextChanges(**reader, 2);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_FALSE(changes[0].is_expiry);
  EXPECT_TRUE(changes[1].is_expiry);
  EXPECT_EQ(changes[1].time_unix_ms / 1000, now_s + 20);
}

TEST_P(BackendTest, AStoppedReaderReturns) {
  CreateTable();
  auto reader = backend().Follow(table_, "");
  ASSERT_TRUE(reader.ok());
  std::jthread waiting([&] {
    const auto changes = (*reader)->Next(1, std::chrono::minutes(10));
    EXPECT_TRUE(changes.ok());
  });
  (*reader)->Stop();
  waiting.join();
  const auto later = (*reader)->Next(1, std::chrono::minutes(10));
  ASSERT_TRUE(later.ok());
  EXPECT_TRUE(later->empty());
}

// Off and on again: the reader goes over into the new stream; off for good: it says so.
TEST_P(BackendTest, AReaderOutlivesItsStream) {
  CreateTable();
  MustWrite(Put(Key("a", "1")));
  const auto reader = backend().Follow(table_, "");
  ASSERT_TRUE(reader.ok());
  TableSettings settings = Settings();
  settings.stream = StreamImages::kNew;
  if (has_fixed_clock()) Advance(1000);  // a stream's name is the second it was made in
  ASSERT_TRUE(backend().UpdateTable(settings).ok());
  MustWrite(Put(Key("a", "2")));
  const std::vector<Change> changes = NextChanges(**reader, 2);
  ASSERT_EQ(changes.size(), 2u);
  EXPECT_EQ(changes[1].keys, Key("a", "2"));

  settings.stream = StreamImages::kNone;
  ASSERT_TRUE(backend().UpdateTable(settings).ok());
  const auto none = (*reader)->Next(1, std::chrono::milliseconds(50));
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code(), ErrorCode::kResourceNotFound);
}

// Shards are replaced every few hours, each by one or two others; changes of one item stay in line.
TEST_P(BackendTest, AnItemsChangesStayInOrderOverShards) {
  if (!has_fixed_clock()) GTEST_SKIP() << "an endpoint replaces its shards when it likes";
  CreateTable();
  constexpr int kItems = 7;
  constexpr int kRounds = 5;
  for (int round = 0; round < kRounds; ++round) {
    for (int i = 0; i < kItems; ++i)
      MustWrite(AddOne(Key(fmt::format("p{}", i), "1")));
    Advance(4 * 60 * 60 * 1000);
  }
  std::map<std::string, std::int64_t> tallies;
  std::string position;
  std::size_t count = 0;
  // Another reader after every few changes, as after as many crashes.
  for (int i = 0; i < 100 && count < kItems * kRounds; ++i) {
    const auto reader = backend().Follow(table_, position);
    ASSERT_TRUE(reader.ok()) << reader.error().message();
    const auto changes = (*reader)->Next(3, std::chrono::milliseconds(2000));
    ASSERT_TRUE(changes.ok()) << changes.error().message();
    for (const Change& change : *changes) {
      const std::int64_t tally = ++tallies[change.keys.bytes()];
      EXPECT_EQ(change.new_image->Find("tally")->bytes(), N(tally));
    }
    count += changes->size();
    position = (*reader)->position();
  }
  EXPECT_EQ(count, kItems * kRounds);
}

TEST_P(BackendTest, APositionThatIsTooOldIsSaid) {
  if (!has_fixed_clock()) GTEST_SKIP() << "an endpoint keeps records for a day";
  CreateTable();
  MustWrite(AddOne(Key("a", "1")));
  const auto first = backend().Follow(table_, "");
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(NextChanges(**first, 1).size(), 1u);
  const std::string position = (*first)->position();
  MustWrite(AddOne(Key("a", "1")));
  for (int i = 0; i < 8; ++i) {
    Advance(4 * 60 * 60 * 1000);
    MustWrite(AddOne(Key("b", "1")));
  }
  // Trimming is done in the background.
  EXPECT_TRUE(Eventually([&] {
    const auto reader = backend().Follow(table_, position);
    const auto changes = reader.ok() ? (*reader)->Next(1, std::chrono::milliseconds(10))
                                     : Result<std::vector<Change>>(reader.error());
    return !changes.ok() && changes.error().code() == ErrorCode::kTrimmedDataAccess;
  }));
}

// A scan may take longer than anything the service keeps for a reader that has read nothing.
TEST_P(BackendTest, ThePositionOfNowCanBeKept) {
  if (!has_fixed_clock()) GTEST_SKIP() << "it would take an hour";
  CreateTable();
  constexpr std::int64_t kLongMs = 20 * 60 * 1000;
  MustWrite(AddOne(Key("before", "1")));
  Advance(kLongMs);
  const auto here = backend().CurrentPosition(table_);
  ASSERT_TRUE(here.ok()) << here.error().message();
  MustWrite(AddOne(Key("after", "1")));
  Advance(kLongMs);
  const auto reader = backend().Follow(table_, *here);
  ASSERT_TRUE(reader.ok()) << reader.error().message();
  const std::vector<Change> changes = NextChanges(**reader, 1);
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].keys, Key("after", "1"));
}

TEST_P(BackendTest, ARefusedSettingChangesNothing) {
  CreateTable();
  TableSettings wanted = Settings();
  wanted.indexes.push_back({.name = "by_colour",
                            .partition_key = "colour",
                            .projection = IndexSettings::Projection::kInclude,
                            .include = {}});
  const Status refused = backend().UpdateTable(wanted);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_EQ(backend().DescribeTable(table_)->indexes.size(), 1u);
}

TEST_P(BackendTest, SaysWhatItCannotDo) {
  if (!has_fixed_clock()) GTEST_SKIP() << "an endpoint may do more";
  TableSettings settings = Settings();
  settings.point_in_time_recovery = true;
  settings.encryption = TableSettings::Encryption::kAwsManaged;
  ASSERT_TRUE(backend().CreateTable(settings).ok());
  EXPECT_TRUE(backend().features().has_transactions);
  EXPECT_FALSE(backend().features().has_point_in_time_recovery);
  EXPECT_FALSE(backend().features().has_encryption_at_rest);
  const auto described = backend().DescribeTable(table_);
  ASSERT_TRUE(described.ok());
  EXPECT_FALSE(described->point_in_time_recovery);
  EXPECT_EQ(described->encryption, TableSettings::Encryption::kAwsOwned);
}

TEST_P(BackendTest, RefusesAPositionThatIsNone) {
  CreateTable();
  for (const std::string position : {"1", "x.y", "{}x"}) {
    const auto reader = backend().Follow(table_, position);
    ASSERT_FALSE(reader.ok()) << position;
    EXPECT_EQ(reader.error().code(), ErrorCode::kValidation);
  }
}

TEST_P(BackendTest, WithoutAStreamNobodyCanFollow) {
  TableSettings settings = Settings();
  settings.stream = StreamImages::kNone;
  ASSERT_TRUE(backend().CreateTable(settings).ok());
  const auto reader = backend().Follow(table_, "");
  ASSERT_FALSE(reader.ok());
  EXPECT_EQ(reader.error().code(), ErrorCode::kResourceNotFound);
  const auto here = backend().CurrentPosition(table_);
  ASSERT_FALSE(here.ok());
  EXPECT_EQ(here.error().code(), ErrorCode::kResourceNotFound);
}

}  // namespace
}  // namespace trestle::design
