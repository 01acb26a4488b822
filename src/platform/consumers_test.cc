#include "platform/consumers.h"

#include <map>

#include <gtest/gtest.h>

#include "base/log.h"
#include "base/mutex.h"
#include "design/backend_engine.h"
#include "engine/testing_internal.h"
#include "platform/testing_internal.h"

namespace trestle::platform {
namespace {

using namespace std::chrono_literals;
using testing::Texts;

constexpr std::string_view kDesign = R"(design Letters version 1

table "letters" {
  key pk
  discriminate by attribute kind
  stream new_and_old
}

entity Letter {
  type "LETTER"
  key pk "LETTER#{letterId}"

  letterId : id
  text     : string(0..390000)
}

access getLetter(letterId) -> Letter = get
)";

// Counts what it was given, and fails as often as it is told.
class Clerk {
 public:
  Status Handle(const ItemChange& change) {
    const MutexLock lock(mutex_);
    ++calls_;
    if (failures_left_ > 0) {
      --failures_left_;
      return code_ == ErrorCode::kValidation ? ValidationError("no stamp\non it")
                                             : Error(code_, "closed");
    }
    const auto text = [](const std::optional<design::TypedItem>& item) {
      return item ? std::string(item->record.FindText("text").value_or("?")) : std::string("-");
    };
    log_.push_back(text(change.old_item) + ">" + text(change.new_item));
    seen_[change.change.sequence] = text(change.new_item);
    return Ok();
  }
  void FailTimes(int times, ErrorCode code = ErrorCode::kValidation) {
    const MutexLock lock(mutex_);
    failures_left_ = times;
    code_ = code;
  }
  std::vector<std::string> log() {
    const MutexLock lock(mutex_);
    return log_;
  }
  int calls() {
    const MutexLock lock(mutex_);
    return calls_;
  }
  std::map<std::string, std::string> seen() {
    const MutexLock lock(mutex_);
    return seen_;
  }

 private:
  Mutex mutex_;
  int failures_left_ GUARDED_BY(mutex_) = 0;
  ErrorCode code_ GUARDED_BY(mutex_) = ErrorCode::kValidation;
  int calls_ GUARDED_BY(mutex_) = 0;
  std::vector<std::string> log_ GUARDED_BY(mutex_);
  std::map<std::string, std::string> seen_ GUARDED_BY(mutex_);
};

class ConsumersTest : public engine::testing::DatabaseFixture {
 protected:
  ConsumersTest() : DatabaseFixture(1'767'323'045'678) {}

  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    OpenInMemory();
    backend_ = design::NewEngineBackend(*database_);
    letters_.emplace(kDesign, *backend_, clock_, random_);
    platform_.emplace(testing::PlatformDesign(), *backend_, clock_, random_);
    Begin();
  }
  void TearDown() override {
    consumers_.reset();
    log::SetLevel(log::Level::kInfo);
  }

  void Begin() {
    consumers_.reset();
    consumers_ = std::make_unique<Consumers>(ConsumersOptions{
        .app = "letters",
        .runtime = letters_->runtime.get(),
        .platform = platform_->runtime.get(),
        .consumers = {{.name = "clerk",
                       .handle = [this](const ItemChange& it) { return clerk_.Handle(it); }},
                      {.name = "other",
                       .handle = [this](const ItemChange& it) { return other_.Handle(it); }}},
        .tries_max = 3,
        .passing_tries_max = 60});
    ASSERT_TRUE(consumers_->Start().ok());
  }

  void Create(std::string_view id, std::string_view text) {
    const auto created = letters_->runtime->Create(letters_->Entity("Letter"),
                                                   Texts({{"letterId", id}, {"text", text}}));
    ASSERT_TRUE(created.ok()) << created.error().message();
  }
  void Update(std::string_view id, std::string_view text) {
    ASSERT_TRUE(letters_->runtime
                    ->Update(letters_->Entity("Letter"), Texts({{"letterId", id}}),
                             testing::SetText("text", text))
                    .ok());
  }
  void Delete(std::string_view id) {
    ASSERT_TRUE(
        letters_->runtime->Delete(letters_->Entity("Letter"), Texts({{"letterId", id}})).ok());
  }
  [[nodiscard]] bool Drained() { return consumers_->Drained(20s); }

  std::vector<design::TypedItem> DeadLetters() {
    const auto page = platform_->runtime->Run(*platform_->design.model->FindAccess("deadLetters"),
                                              Texts({{"app", "letters"}, {"consumer", "clerk"}}));
    EXPECT_TRUE(page.ok());
    return page.ok() ? page->items : std::vector<design::TypedItem>();
  }

  Clerk clerk_;
  Clerk other_;
  std::unique_ptr<design::Backend> backend_;
  std::optional<testing::DesignAtWork> letters_;
  std::optional<testing::DesignAtWork> platform_;
  std::unique_ptr<Consumers> consumers_;
};

using Log = std::vector<std::string>;

TEST_F(ConsumersTest, BothImagesComeInTheirOrder) {
  Create("l1", "a");
  Update("l1", "b");
  Delete("l1");
  ASSERT_TRUE(Drained());
  EXPECT_EQ(clerk_.log(), (Log{"->a", "a>b", "b>-"}));
  EXPECT_EQ(other_.log(), clerk_.log());
  EXPECT_EQ(clerk_.calls(), 3);  // positions and other notes do not come
}

TEST_F(ConsumersTest, AFailureIsTriedAgain) {
  clerk_.FailTimes(2);
  Create("l1", "a");
  Update("l1", "b");
  ASSERT_TRUE(Drained());
  EXPECT_EQ(clerk_.log(), (Log{"->a", "a>b"}));
  EXPECT_TRUE(DeadLetters().empty());
  EXPECT_EQ(consumers_->states()[0].counters.retries, 2U);
}

TEST_F(ConsumersTest, WhatPassesByItselfHasMoreTries) {
  clerk_.FailTimes(5, ErrorCode::kUnavailable);
  Create("l1", "a");
  ASSERT_TRUE(Drained());
  EXPECT_EQ(clerk_.log(), (Log{"->a"}));
  EXPECT_TRUE(DeadLetters().empty());
}

TEST_F(ConsumersTest, WhatKeepsFailingBecomesADeadLetterAndHoldsUpNothing) {
  clerk_.FailTimes(3);
  Create("l1", "a");
  Create("l2", "b");
  ASSERT_TRUE(Drained());
  EXPECT_EQ(clerk_.log(), (Log{"->b"}));
  EXPECT_EQ(other_.log(), (Log{"->a", "->b"}));

  const auto letters = DeadLetters();
  ASSERT_EQ(letters.size(), 1U);
  EXPECT_EQ(letters[0].record.FindText("error"), "no stamp on it");
  EXPECT_EQ(consumers_->states()[0].counters.given_up, 1U);
  EXPECT_EQ(consumers_->states()[1].counters.given_up, 0U);
  std::string metrics;
  AppendConsumerMetrics(consumers_->states(), metrics);
  EXPECT_NE(metrics.find(R"(trestle_consumer_failures_total{app="letters",consumer="clerk"} 1)"
                         "\n"),
            std::string::npos)
      << metrics;
}

TEST_F(ConsumersTest, ADeadLetterIsReplayed) {
  Create("l1", "a");
  ASSERT_TRUE(Drained());
  clerk_.FailTimes(6);
  Update("l1", "b");
  Delete("l1");
  ASSERT_TRUE(Drained());
  ASSERT_EQ(DeadLetters().size(), 2U);

  clerk_.FailTimes(1);
  auto replayed = consumers_->Replay("clerk");
  ASSERT_TRUE(replayed.ok()) << replayed.error().message();
  EXPECT_EQ(replayed->failed, 1U);
  EXPECT_EQ(replayed->done, 1U);
  replayed = consumers_->Replay("clerk");
  ASSERT_TRUE(replayed.ok());
  EXPECT_EQ(replayed->failed, 0U);
  EXPECT_EQ(replayed->done, 1U);
  EXPECT_EQ(clerk_.log(), (Log{"->a", "b>-", "a>b"}));
  EXPECT_TRUE(DeadLetters().empty());
  EXPECT_FALSE(consumers_->Replay("nobody").ok());
}

TEST_F(ConsumersTest, AChangeTooLargeForALetterIsReplayedFromWhatIsStored) {
  Create("l1", std::string(300'000, 'a'));
  ASSERT_TRUE(Drained());
  clerk_.FailTimes(3);
  Update("l1", std::string(300'000, 'b'));
  ASSERT_TRUE(Drained());
  ASSERT_EQ(DeadLetters().size(), 1U);
  const auto replayed = consumers_->Replay("clerk");
  ASSERT_TRUE(replayed.ok()) << replayed.error().message();
  EXPECT_EQ(replayed->done, 1U);
  EXPECT_EQ(clerk_.log().back(), "->" + std::string(300'000, 'b'));
}

TEST_F(ConsumersTest, GoesOnWhereItWas) {
  Create("l1", "a");
  ASSERT_TRUE(Drained());
  consumers_->Stop();
  Create("l2", "b");
  Begin();
  ASSERT_TRUE(Drained());
  EXPECT_EQ(clerk_.log(), (Log{"->a", "->b"}));
}

// At least once: what was handled after the position comes again, and nothing is left out.
TEST_F(ConsumersTest, ReplayingEverythingChangesNothing) {
  for (int i = 0; i < 50; ++i)
    Create("l" + std::to_string(i), std::to_string(i));
  ASSERT_TRUE(Drained());
  const auto seen = clerk_.seen();
  ASSERT_EQ(seen.size(), 50U);
  for (int round = 0; round < 2; ++round) {
    consumers_->Stop();
    ASSERT_TRUE(design::NewTablePosition(*letters_->runtime, "clerk")->Write("").ok());
    Begin();
    ASSERT_TRUE(Drained());
  }
  EXPECT_EQ(clerk_.calls(), 150);
  EXPECT_EQ(clerk_.seen(), seen);
  EXPECT_EQ(other_.calls(), 50);
}

TEST_F(ConsumersTest, LagIsTheAgeOfTheChangeItIsAt) {
  ASSERT_TRUE(Drained());
  EXPECT_EQ(consumers_->states()[0].counters.lag_ms, 0);
  clerk_.FailTimes(1'000'000, ErrorCode::kUnavailable);
  Create("l1", "a");
  ASSERT_TRUE(Eventually([&] { return clerk_.calls() > 0; }));
  clock_.Advance(5000);
  EXPECT_GE(consumers_->states()[0].counters.lag_ms, 5000);
  EXPECT_TRUE(consumers_->states()[0].counters.is_running);
  clerk_.FailTimes(0);
  ASSERT_TRUE(Drained());
  EXPECT_EQ(consumers_->states()[0].counters.lag_ms, 0);
}

}  // namespace
}  // namespace trestle::platform
