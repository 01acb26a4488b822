#include "platform/timers.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/log.h"
#include "design/backend_engine.h"
#include "engine/testing_internal.h"
#include "platform/testing_internal.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kDesign = R"(design Clocks version 1

table "clocks" {
  key pk
  discriminate by attribute kind
}

entity Clock {
  type "CLOCK"
  key pk "CLOCK#{clockId}"

  clockId : id
}
)";

constexpr std::int64_t kStart = 1'767'323'045'678;
constexpr std::int64_t kMinuteMs = 60 * 1000;
constexpr std::int64_t kDayMs = 24 * 60 * kMinuteMs;

// What the timer was asked to do, in milliseconds after the start. A timer is a plain function.
std::vector<std::pair<std::int64_t, std::int64_t>>& Spans() {
  static std::vector<std::pair<std::int64_t, std::int64_t>> spans;
  return spans;
}
bool& Fails() {
  static bool fails = false;
  return fails;
}
Status Ring(const Mount& /*mount*/, const TimerTurn& turn) {
  Spans().emplace_back(turn.after_unix_ms - kStart, turn.until_unix_ms - kStart);
  if (Fails()) return Error(ErrorCode::kUnavailable, "closed");
  return Ok();
}

class TimersTest : public engine::testing::DatabaseFixture {
 protected:
  TimersTest() : DatabaseFixture(kStart) {}

  void SetUp() override {
    log::SetLevel(log::Level::kOff);
    Spans().clear();
    Fails() = false;
    OpenInMemory();
    backend_ = design::NewEngineBackend(*database_);
    clocks_.emplace(kDesign, *backend_, clock_, random_);
    mount_ = {.app = &app_, .runtime = clocks_->runtime.get()};
    Begin();
  }
  void TearDown() override {
    timers_.reset();
    log::SetLevel(log::Level::kInfo);
  }

  // As after a start of the server.
  void Begin() {
    timers_ = std::make_unique<Timers>(clock_);
    timers_->Add(mount_, timer_);
  }
  void RunAfter(std::int64_t ms) {
    clock_.Advance(ms);
    timers_->RunDue();
  }

  const AppTimer timer_{.app = "clocks", .name = "ring", .every_ms = kMinuteMs, .run = Ring};
  const App app_{.name = "clocks", .title = "Clocks", .routes = {}};
  std::unique_ptr<design::Backend> backend_;
  std::optional<testing::DesignAtWork> clocks_;
  Mount mount_;
  std::unique_ptr<Timers> timers_;
};

using Expected = std::vector<std::pair<std::int64_t, std::int64_t>>;

TEST_F(TimersTest, EachTurnGoesOnWhereTheLastOneEnded) {
  timers_->RunDue();
  timers_->RunDue();  // too early
  RunAfter(kMinuteMs);
  RunAfter(90 * kMinuteMs);
  EXPECT_EQ(Spans(), (Expected{{-kDayMs, 0}, {0, kMinuteMs}, {kMinuteMs, 91 * kMinuteMs}}));
}

TEST_F(TimersTest, WhatFailedComesAgain) {
  timers_->RunDue();
  Fails() = true;
  RunAfter(kMinuteMs);
  Fails() = false;
  RunAfter(kMinuteMs);
  EXPECT_EQ(Spans().back(), (std::pair{std::int64_t{0}, 2 * kMinuteMs}));
}

TEST_F(TimersTest, AStartGoesOnWhereTheServerWas) {
  timers_->RunDue();
  RunAfter(kMinuteMs);
  timers_->Start();
  timers_->Stop();
  Begin();
  RunAfter(3 * kMinuteMs);
  EXPECT_EQ(Spans().back(), (std::pair{kMinuteMs, 4 * kMinuteMs}));
  // After a crash some of it comes again, and nothing is left out.
  RunAfter(kMinuteMs);
  Begin();
  RunAfter(kMinuteMs);
  EXPECT_LE(Spans().back().first, 5 * kMinuteMs);
  EXPECT_EQ(Spans().back().second, 6 * kMinuteMs);
}

TEST_F(TimersTest, AClockThatIsSetBackRepeatsNothing) {
  timers_->RunDue();
  RunAfter(kMinuteMs);
  clock_.Set(kStart - kDayMs);
  RunAfter(kMinuteMs);
  EXPECT_EQ(Spans().size(), 2U);
}

TEST_F(TimersTest, ALongAbsenceIsMadeUpForInPart) {
  timers_->RunDue();
  Begin();
  RunAfter(100 * kDayMs);
  EXPECT_EQ(Spans().back(), (std::pair{69 * kDayMs, 100 * kDayMs}));
}

}  // namespace
}  // namespace trestle::platform
