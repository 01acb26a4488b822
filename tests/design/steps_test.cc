// Transactions in steps, when somebody else or a failure comes in between.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "design/backend_fixture.h"
#include "design/passing_backend.h"
#include "design/recognise.h"
#include "design/step_writer.h"
#include "expr/testing_internal.h"
#include "value/testing_internal.h"

namespace trestle::design {
namespace {

using expr::testing::ItemOf;
using value::testing::N;

// Something happens before, or instead of, a write.
class DisturbedBackend final : public PassingBackend {
 public:
  using PassingBackend::PassingBackend;

  // A write of the item "k" comes; its answer, or none to go on.
  std::function<std::optional<Error>(const std::string& key, const WriteItem& write)> before;
  std::vector<std::string> order;  // of the keys that were written

  Status Write(const WriteItem& write) override {
    const std::string key(write.item.Find("k")->text());
    if (!key.starts_with(kInternalPrefix)) order.push_back(key);
    if (before) {
      const auto error = before(key, write);
      if (error) return *error;
    }
    return inner().Write(write);
  }
};

class StepsTest : public testing::BackendFixture {
 protected:
  StepsTest() : disturbed_(backend()), steps_(disturbed_, clock(), random()) {
    TableSettings settings;
    settings.name = table_;
    settings.partition_key = "k";
    settings.key_types = {{"k", KeyType::kString}};
    const Status created = backend().CreateTable(settings);
    EXPECT_TRUE(created.ok()) << created.error().message();
  }

  [[nodiscard]] WriteItem Put(std::string_view item) const {
    return {.kind = ActionKind::kPut, .table = table_, .item = ItemOf(item)};
  }
  [[nodiscard]] WriteItem Create(std::string_view item) const {
    WriteItem write = Put(item);
    write.condition = "attribute_not_exists(k)";
    write.return_item_on_failure = true;
    return write;
  }
  [[nodiscard]] WriteItem Count(std::string_view key) const {
    WriteItem write{.kind = ActionKind::kUpdate, .table = table_, .item = ItemOf(key)};
    write.update = "SET n = n + :one, #map.n = #map.n + :one, words = :new REMOVE extra";
    write.expressions.names = {{"#map", "map"}};
    write.expressions.values = {{":one", N(1)}, {":new", value::testing::S("new")}};
    return write;
  }
  [[nodiscard]] WriteItem Delete(std::string_view key) const {
    return {.kind = ActionKind::kDelete, .table = table_, .item = ItemOf(key)};
  }

  void Must(const WriteItem& write) {
    const Status status = backend().Write(write);
    ASSERT_TRUE(status.ok()) << status.error().message();
  }
  [[nodiscard]] std::optional<value::Item> Get(std::string_view key) {
    auto item = backend().Get({.table = table_, .key = ItemOf(key), .is_consistent = true});
    EXPECT_TRUE(item.ok()) << item.error().message();
    return item.ok() ? *item : std::nullopt;
  }
  // Which writes were refused: ".x." for the second of three; else the error's sentence, or "ok".
  std::string Write(const std::vector<WriteItem>& writes) {
    const Status status = steps_.Write(writes);
    if (status.ok()) return "ok";
    if (status.error().code() != ErrorCode::kTransactionCanceled) return status.error().message();
    std::string refused;
    for (const auto& reason : status.error().details()->reasons)
      refused += reason ? 'x' : '.';
    return refused;
  }

  static constexpr std::string_view kCounter =
      R"({k: "counter", n: 5, map: {n: 7, other: "x"}, words: "old", extra: true})";

  std::string table_ = TableName("steps");
  DisturbedBackend disturbed_;
  StepWriter steps_;
};

INSTANTIATE_TEST_SUITE_P(Engine, StepsTest, ::testing::Values("engine"));

TEST_P(StepsTest, DoesAllOfIt) {
  Must(Put(kCounter));
  Must(Put(R"({k: "gone"})"));
  WriteItem check{.kind = ActionKind::kCheck, .table = table_, .item = ItemOf(R"({k: "none"})")};
  check.condition = "attribute_not_exists(k)";
  EXPECT_EQ(
      Write({Create(R"({k: "a"})"), Count(R"({k: "counter"})"), check, Delete(R"({k: "gone"})")}),
      "ok");
  EXPECT_EQ(Get(R"({k: "a"})"), ItemOf(R"({k: "a"})"));
  EXPECT_EQ(Get(R"({k: "counter"})"),
            ItemOf(R"({k: "counter", n: 6, map: {n: 8, other: "x"}, words: "new"})"));
  EXPECT_EQ(Get(R"({k: "gone"})"), std::nullopt);
}

TEST_P(StepsTest, WritesNothingWhenAConditionDoesNotHold) {
  Must(Put(R"({k: "b", by: "somebody"})"));
  const std::vector<WriteItem> writes = {Create(R"({k: "a"})"), Create(R"({k: "b"})"),
                                         Count(R"({k: "absent"})")};
  const Status status = steps_.Write(writes);
  ASSERT_FALSE(status.ok());
  ASSERT_EQ(status.error().code(), ErrorCode::kTransactionCanceled);
  const auto& reasons = status.error().details()->reasons;
  ASSERT_EQ(reasons.size(), 3U);
  EXPECT_FALSE(reasons[0]);
  ASSERT_TRUE(reasons[1]);
  EXPECT_EQ(reasons[1]->code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(reasons[1]->details()->item, ItemOf(R"({k: "b", by: "somebody"})").bytes());
  ASSERT_TRUE(reasons[2]);
  EXPECT_EQ(reasons[2]->code(), ErrorCode::kValidation);
  EXPECT_TRUE(disturbed_.order.empty());
}

TEST_P(StepsTest, GuardsComeFirstAndDeletesBehindWhatIsWritten) {
  Must(Put(R"({k: "old"})"));
  WriteItem guard = Create(R"({k: "guard"})");
  guard.turn = Turn::kFirst;
  WriteItem job = Put(R"({k: "job"})");
  job.turn = Turn::kLast;
  EXPECT_EQ(Write({job, Delete(R"({k: "old"})"), Create(R"({k: "new"})"), guard}), "ok");
  EXPECT_EQ(disturbed_.order, (std::vector<std::string>{"guard", "new", "old", "job"}));
}

TEST_P(StepsTest, TakesBackWhatCameBeforeARefusal) {
  Must(Put(kCounter));
  disturbed_.before = [&](const std::string& key, const WriteItem&) -> std::optional<Error> {
    if (key == "b" && !Get(R"({k: "b"})")) Must(Put(R"({k: "b", by: "somebody"})"));
    return std::nullopt;
  };
  EXPECT_EQ(Write({Create(R"({k: "a", x: 1})"), Count(R"({k: "counter"})"), Create(R"({k: "b"})")}),
            "..x");
  EXPECT_EQ(Get(R"({k: "a"})"), std::nullopt);
  EXPECT_EQ(Get(R"({k: "counter"})"), ItemOf(kCounter));
  EXPECT_EQ(Get(R"({k: "b"})"), ItemOf(R"({k: "b", by: "somebody"})"));
}

TEST_P(StepsTest, WhatOthersHaveCountedMeanwhileStays) {
  Must(Put(kCounter));
  disturbed_.before = [&](const std::string& key, const WriteItem&) -> std::optional<Error> {
    if (key != "b") return std::nullopt;
    WriteItem more{
        .kind = ActionKind::kUpdate, .table = table_, .item = ItemOf(R"({k: "counter"})")};
    more.update = "SET n = n + :ten";
    more.expressions.values = {{":ten", N(10)}};
    Must(more);
    Must(Put(R"({k: "b"})"));
    return std::nullopt;
  };
  EXPECT_EQ(Write({Count(R"({k: "counter"})"), Create(R"({k: "b"})")}), ".x");
  EXPECT_EQ(Get(R"({k: "counter"})"),
            ItemOf(R"({k: "counter", n: 15, map: {n: 7, other: "x"}, words: "old", extra: true})"));
}

TEST_P(StepsTest, WhatOthersHaveMadeOfItStays) {
  disturbed_.before = [&](const std::string& key, const WriteItem&) -> std::optional<Error> {
    if (key != "b" || Get(R"({k: "b"})")) return std::nullopt;
    Must(Put(R"({k: "a", x: "theirs"})"));
    Must(Put(R"({k: "b"})"));
    return std::nullopt;
  };
  EXPECT_EQ(Write({Create(R"({k: "a", x: "ours"})"), Create(R"({k: "b"})")}), ".x");
  EXPECT_EQ(Get(R"({k: "a"})"), ItemOf(R"({k: "a", x: "theirs"})"));
}

TEST_P(StepsTest, WhatWasDeletedComesBack) {
  Must(Put(R"({k: "old", x: 1})"));
  WriteItem last = Create(R"({k: "job"})");
  last.turn = Turn::kLast;
  disturbed_.before = [&](const std::string& key, const WriteItem&) -> std::optional<Error> {
    if (key == "job") Must(Put(R"({k: "job", by: "somebody"})"));
    return std::nullopt;
  };
  EXPECT_EQ(Write({Delete(R"({k: "old"})"), last}), ".x");
  EXPECT_EQ(Get(R"({k: "old"})"), ItemOf(R"({k: "old", x: 1})"));
}

// Somebody has taken it for one whose process has ended.
TEST_P(StepsTest, ARecordThatIsGoneTakesEverythingBack) {
  Must(Put(kCounter));
  disturbed_.before = [&](const std::string& key, const WriteItem&) -> std::optional<Error> {
    if (key != "b") return std::nullopt;
    const auto page = backend().Read({.table = table_});
    EXPECT_TRUE(page.ok());
    for (const value::Item& item : page->items) {
      if (!item.Find("k")->text().starts_with(kInternalPrefix)) continue;
      StepRecord record(backend(), table_, {.partition_key = "k"}, item.view());
      EXPECT_TRUE(record.TakeBackAll().ok());
    }
    EXPECT_EQ(Get(R"({k: "counter"})"), ItemOf(kCounter));
    return std::nullopt;
  };
  EXPECT_EQ(Write({Count(R"({k: "counter"})"), Create(R"({k: "a"})"), Create(R"({k: "b"})")}),
            "the write took so long that others took it back");
  EXPECT_EQ(Get(R"({k: "counter"})"), ItemOf(kCounter));
  EXPECT_EQ(Get(R"({k: "a"})"), std::nullopt);
  EXPECT_EQ(Get(R"({k: "b"})"), std::nullopt);
}

// Nobody knows whether a write without an answer was done.
TEST_P(StepsTest, AWriteWithoutAnAnswerIsTakenBackIfItWasDone) {
  for (const bool is_done : {false, true}) {
    Must(Put(kCounter));
    bool is_first = true;
    disturbed_.before = [&](const std::string& key,
                            const WriteItem& write) -> std::optional<Error> {
      if (key != "counter" || !std::exchange(is_first, false)) return std::nullopt;
      if (is_done) Must(write);
      return Error(ErrorCode::kUnavailable, "the connection broke");
    };
    EXPECT_EQ(Write({Create(R"({k: "a"})"), Count(R"({k: "counter"})")}), "the connection broke");
    EXPECT_EQ(Get(R"({k: "a"})"), std::nullopt);
    EXPECT_EQ(Get(R"({k: "counter"})"), ItemOf(kCounter));
  }
}

}  // namespace
}  // namespace trestle::design
