// Long work on every back end: progress, failures, restarts, and who may see it.

#include "platform/jobs.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

#include "base/log.h"
#include "design/design_fixture.h"
#include "design/maintainer.h"
#include "platform/items.h"
#include "platform/parts.h"
#include "platform/platform_fixture.h"
#include "platform/values.h"

namespace trestle::platform {
namespace {

using design::testing::RecordOf;

// Counts up to {to} by one, and notes each number that it came to.
class Counting {
 public:
  [[nodiscard]] JobFunction function() {
    return [this](JobState& job) -> Result<JobStep> {
      const std::int64_t number = IntegerOf(job.progress, "number").value_or(0) + 1;
      {
        std::unique_lock lock(mutex_);
        seen_.push_back(number);
        changed_.notify_all();
        changed_.wait(lock, [&] { return number < gate_; });
      }
      SetInteger(job.progress, "number", number);
      job.done = number;
      job.total = IntegerOf(job.input, "to");
      if (number < *job.total) return JobStep::kMore;
      job.result.SetText("counted", "all");
      return JobStep::kEnd;
    };
  }

  // Holds the step of `number` until OpenGate.
  void SetGate(std::int64_t number) {
    const std::lock_guard lock(mutex_);
    gate_ = number;
  }
  void OpenGate() {
    SetGate(INT64_MAX);
    changed_.notify_all();
  }
  void WaitFor(std::int64_t number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !seen_.empty() && seen_.back() >= number; });
  }
  [[nodiscard]] std::vector<std::int64_t> seen() {
    const std::lock_guard lock(mutex_);
    return seen_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::int64_t gate_ = INT64_MAX;
  std::vector<std::int64_t> seen_;
};

constexpr std::chrono::seconds kLong{20};

class JobsTest : public testing::PlatformFixture {
 protected:
  void OpenJobs(JobFunction function) {
    jobs_ = std::make_unique<Jobs>(Jobs::Options{.runtime = &runtime(), .clock = &clock()});
    jobs_->Register("notes", "count", std::move(function));
    ASSERT_TRUE(jobs_->Open().ok());
  }

  std::string Start(std::string_view input) {
    const auto started =
        jobs_->Start({.app = "notes", .kind = "count", .sub = "ann", .input = RecordOf(input)});
    EXPECT_TRUE(started.ok()) << started.error().message();
    return started.ok() ? *started : "";
  }

  std::string JobAt(const std::string& job_id, std::string_view path) {
    return At("Job", "{jobId: \"" + job_id + "\"}", path);
  }

  std::unique_ptr<Jobs> jobs_;
};
TRESTLE_ON_EVERY_BACKEND(JobsTest);

TEST_P(JobsTest, RunToTheirEnd) {
  Counting counting;
  OpenJobs(counting.function());
  const std::string job_id = Start("{to: 3}");
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "DONE");
  EXPECT_EQ(JobAt(job_id, "done"), "3");
  EXPECT_EQ(JobAt(job_id, "total"), "3");
  EXPECT_EQ(JobAt(job_id, "result.counted"), "all");
  EXPECT_EQ(JobAt(job_id, "errors"), "list of 0");
  if (has_fixed_clock()) {
    EXPECT_EQ(JobAt(job_id, "expiresAt"), "1769915045");
  }
  EXPECT_EQ(counting.seen(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_P(JobsTest, GoOnAfterARestart) {
  Counting counting;
  counting.SetGate(4);
  OpenJobs(counting.function());
  const std::string job_id = Start("{to: 6}");
  counting.WaitFor(4);
  EXPECT_FALSE(jobs_->Wait(job_id, std::chrono::milliseconds(1)));
  EXPECT_EQ(JobAt(job_id, "state"), "RUNNING");
  std::thread stop([this] { jobs_->Stop(); });
  EXPECT_FALSE(jobs_->Wait(job_id, kLong));  // which ends early, because they stop
  counting.OpenGate();
  stop.join();
  EXPECT_EQ(JobAt(job_id, "state"), "RUNNING");
  EXPECT_EQ(JobAt(job_id, "done"), "4");

  OpenJobs(counting.function());
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "DONE");
  EXPECT_EQ(counting.seen(), (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6}));
  jobs_->Stop();
  OpenJobs(counting.function());  // which has ended, and does not go on
  EXPECT_EQ(counting.seen().size(), 6U);
}

// A file is larger than an item.
TEST_P(JobsTest, HaveTheirFileUntilTheyEnd) {
  std::string file(800'000, 'a');
  file.back() = 'z';
  Counting counting;
  counting.SetGate(2);
  std::atomic<int> whole = 0;
  const auto function = [&, count = counting.function()](JobState& job) {
    whole += *job.file == file ? 1 : 0;
    return count(job);
  };
  const auto count_parts = [&](const std::string& job_id) {
    const auto parts = RunWhole(runtime(), "partsOfJob", RecordOf("{jobId: \"" + job_id + "\"}"));
    return parts.ok() ? parts->size() : 999;
  };
  OpenJobs(function);
  const auto started = jobs_->Start(
      {.app = "notes", .kind = "count", .sub = "ann", .input = RecordOf("{to: 3}"), .file = file});
  ASSERT_TRUE(started.ok()) << started.error().message();
  counting.WaitFor(2);
  EXPECT_EQ(count_parts(*started), 3U);
  std::thread stop([this] { jobs_->Stop(); });
  EXPECT_FALSE(jobs_->Wait(*started, kLong));
  counting.OpenGate();
  stop.join();
  EXPECT_EQ(count_parts(*started), 3U);

  OpenJobs(function);
  ASSERT_TRUE(jobs_->Wait(*started, kLong));
  EXPECT_EQ(JobAt(*started, "state"), "DONE");
  EXPECT_EQ(whole, 3);
  EXPECT_EQ(count_parts(*started), 0U);
}

// It is read in the first of their turns; by the second, nobody would find it in the table.
TEST_P(JobsTest, ReadTheirFileOnce) {
  if (!has_fixed_clock()) GTEST_SKIP();
  std::atomic<int> whole = 0;
  OpenJobs([&](JobState& job) -> Result<JobStep> {
    whole += *job.file == "a file" ? 1 : 0;
    const auto parts = RunWhole(runtime(), "partsOfJob", TextRecord({{"jobId", job.job_id}}));
    EXPECT_TRUE(parts.ok());
    for (const design::TypedItem& part : *parts)
      EXPECT_TRUE(DeleteIfThere(runtime(), part).ok());
    Advance(1001);
    return ++job.done < 3 ? JobStep::kMore : JobStep::kEnd;
  });
  const auto started =
      jobs_->Start({.app = "notes", .kind = "count", .sub = "ann", .file = "a file"});
  ASSERT_TRUE(started.ok());
  ASSERT_TRUE(jobs_->Wait(*started, kLong));
  EXPECT_EQ(JobAt(*started, "done"), "3");
  EXPECT_EQ(whole, 3);
}

// A server that ends between the two leaves it to this.
TEST_P(JobsTest, LeaveNoFileWhenTheyExpire) {
  if (!has_fixed_clock()) GTEST_SKIP();
  design::WriteOptions with_file;
  ASSERT_TRUE(PlanParts(runtime(), "JobPart", TextRecord({{"jobId", "j1"}}), "a file",
                        with_file.together_with)
                  .ok());
  ASSERT_TRUE(runtime()
                  .Create(entity("Job"),
                          RecordOf(R"({jobId: "j1", sub: "ann", app: "notes", kind: "count",
                                       state: "DONE", expiresAt: "2026-01-03T00:00:00.000Z"})"),
                          with_file)
                  .ok());
  const auto is_of_job = [](const std::string& key) { return key.starts_with("JOB#j1|"); };
  ASSERT_EQ(std::ranges::count_if(Keys(), is_of_job), 2);
  design::Maintainer maintainer(runtime(), {});
  ASSERT_TRUE(maintainer.Start().ok());
  Advance(24LL * 60 * 60 * 1000);
  EXPECT_TRUE(Eventually([&] { return std::ranges::count_if(Keys(), is_of_job) == 0; }));
}

// Of a server that was killed: the last save is what there is.
TEST_P(JobsTest, GoOnWhereTheyWereSaved) {
  const std::string job_id =
      TextOf(Create("Job", R"({sub: "ann", app: "notes", kind: "count", state: "RUNNING", done: 4,
                        input: {to: 6}, progress: {number: 4}})")
                 .record,
             "jobId");
  Counting counting;
  OpenJobs(counting.function());
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "DONE");
  EXPECT_EQ(counting.seen(), (std::vector<std::int64_t>{5, 6}));
}

TEST_P(JobsTest, SaveEverySecondAndTakeTurns) {
  if (!has_fixed_clock()) GTEST_SKIP();
  std::atomic<std::int64_t> first_done = 0;
  std::string first;
  jobs_ = std::make_unique<Jobs>(
      Jobs::Options{.runtime = &runtime(), .clock = &clock(), .thread_count = 1});
  jobs_->Register("notes", "count", [&](JobState& job) -> Result<JobStep> {
    Advance(400);
    ++job.done;
    if (IntegerOf(job.input, "to") == 1) {
      first_done = IntegerOf((*jobs_->Find(first))->record, "done").value_or(-1);
      return JobStep::kEnd;
    }
    return job.done < 30 ? JobStep::kMore : JobStep::kEnd;
  });
  first =
      TextOf(Create("Job", R"({sub: "ann", app: "notes", kind: "count", input: {to: 30}})").record,
             "jobId");
  const std::string second =
      TextOf(Create("Job", R"({sub: "ben", app: "notes", kind: "count", input: {to: 1}})").record,
             "jobId");
  ASSERT_TRUE(jobs_->Open().ok());
  ASSERT_TRUE(jobs_->Wait(second, kLong));
  EXPECT_EQ(first_done, 3);  // one second's
  ASSERT_TRUE(jobs_->Wait(first, kLong));
  EXPECT_EQ(JobAt(first, "done"), "30");
}

TEST_P(JobsTest, FailWithTheirError) {
  log::SetLevel(log::Level::kOff);
  OpenJobs([](JobState& job) -> Result<JobStep> {
    job.errors.emplace_back("lost");  // by a step that failed
    return ValidationError("line 7 cannot be read");
  });
  const std::string job_id = Start("{to: 1}");
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "FAILED");
  EXPECT_EQ(TextsOf(Get("Job", "{jobId: \"" + job_id + "\"}")->record, "errors"),
            std::vector<std::string>{"line 7 cannot be read"});
  EXPECT_NE(JobAt(job_id, "expiresAt"), "absent");
}

TEST_P(JobsTest, TryAgainWhatPasses) {
  std::atomic<int> tries = 0;
  OpenJobs([&](JobState& job) -> Result<JobStep> {
    ++job.done;
    ++tries;
    if (tries % 3 == 0) return Error(ErrorCode::kTransactionConflict, "somebody was faster");
    if (tries < 11) return Error(ErrorCode::kThrottled, "slow down");
    return JobStep::kEnd;
  });
  const std::string job_id = Start("{to: 1}");
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "DONE");
  EXPECT_EQ(JobAt(job_id, "done"), "1");
  EXPECT_EQ(tries, 11);
}

TEST_P(JobsTest, LetOthersGoOnWhileTheyWait) {
  jobs_ = std::make_unique<Jobs>(
      Jobs::Options{.runtime = &runtime(), .clock = &clock(), .thread_count = 1});
  std::atomic<bool> is_away = true;
  std::atomic<int> tries = 0;
  jobs_->Register("notes", "count", [&](JobState& job) -> Result<JobStep> {
    if (IntegerOf(job.input, "to") != 1) return JobStep::kEnd;
    ++tries;
    if (is_away) return Error(ErrorCode::kUnavailable, "away");
    return JobStep::kEnd;
  });
  ASSERT_TRUE(jobs_->Open().ok());
  const std::string waiting = Start("{to: 1}");
  while (tries < 5)
    std::this_thread::yield();
  const std::string other = Start("{to: 2}");
  ASSERT_TRUE(jobs_->Wait(other, kLong));
  EXPECT_EQ(JobAt(other, "state"), "DONE");
  EXPECT_EQ(JobAt(waiting, "state"), "RUNNING");
  is_away = false;
  ASSERT_TRUE(jobs_->Wait(waiting, kLong));
  EXPECT_EQ(JobAt(waiting, "state"), "DONE");
}

// What they wait for is in their progress, so another server waits for it as well.
TEST_P(JobsTest, GoOnWhenItIsTime) {
  if (!has_fixed_clock()) GTEST_SKIP();
  const JobFunction function = [&](JobState& job) -> Result<JobStep> {
    ++job.done;
    const auto at = IntegerOf(job.progress, "at");
    if (at) return clock().NowUnixMs() < *at ? JobStep::kLater : JobStep::kEnd;
    SetInteger(job.progress, "at", clock().NowUnixMs() + 60'000);
    return JobStep::kMore;
  };
  OpenJobs(function);
  const std::string job_id = Start("{to: 1}");
  EXPECT_FALSE(jobs_->Wait(job_id, std::chrono::milliseconds(50)));
  Advance(59'999);
  jobs_->Stop();
  OpenJobs(function);
  EXPECT_FALSE(jobs_->Wait(job_id, std::chrono::milliseconds(50)));
  EXPECT_EQ(JobAt(job_id, "state"), "RUNNING");
  EXPECT_EQ(JobAt(job_id, "done"), "1");
  Advance(1);
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "DONE");
  EXPECT_EQ(JobAt(job_id, "done"), "2");
}

TEST(PassingErrorTest, NothingIsWrongWithTheRequest) {
  EXPECT_TRUE(IsPassing(Error(ErrorCode::kThrottled, "")));
  EXPECT_TRUE(IsPassing(Error(ErrorCode::kUnavailable, "")));
  EXPECT_FALSE(IsPassing(Error(ErrorCode::kInternal, "")));
  const Error conflict(ErrorCode::kTransactionConflict, "");
  const Error refused(ErrorCode::kConditionalCheckFailed, "");
  const auto canceled = [](std::vector<std::optional<Error>> reasons) {
    return Error(ErrorCode::kTransactionCanceled, "",
                 std::make_shared<const ErrorDetails>(
                     ErrorDetails{.item = {}, .reasons = std::move(reasons)}));
  };
  EXPECT_TRUE(IsPassing(canceled({std::nullopt, conflict})));
  EXPECT_FALSE(IsPassing(canceled({refused, conflict})));
  EXPECT_FALSE(IsPassing(Error(ErrorCode::kTransactionCanceled, "")));
}

TEST_P(JobsTest, SurviveExceptionsAndManyErrors) {
  log::SetLevel(log::Level::kOff);
  OpenJobs([](JobState& job) -> Result<JobStep> {
    if (IntegerOf(job.input, "to") == 1) return ValidationError(std::string().substr(1));
    for (int i = 0; i < 150; ++i)
      job.errors.push_back(std::to_string(i));
    return JobStep::kEnd;
  });
  const std::string thrown = Start("{to: 1}");
  const std::string many = Start("{to: 2}");
  ASSERT_TRUE(jobs_->Wait(thrown, kLong));
  ASSERT_TRUE(jobs_->Wait(many, kLong));
  EXPECT_EQ(JobAt(thrown, "state"), "FAILED");
  EXPECT_EQ(TextsOf(Get("Job", "{jobId: \"" + thrown + "\"}")->record, "errors"),
            std::vector<std::string>{"the server could not do it; its log says more"});
  EXPECT_EQ(JobAt(many, "state"), "DONE");
  EXPECT_EQ(JobAt(many, "errors"), "list of 100");
}

TEST_P(JobsTest, WaitForAServerThatKnowsTheirKind) {
  log::SetLevel(log::Level::kOff);
  const std::string job_id =
      TextOf(Create("Job", R"({sub: "ann", app: "old", kind: "x"})").record, "jobId");
  OpenJobs(Counting().function());
  ASSERT_TRUE(jobs_->Wait(job_id, kLong));
  EXPECT_EQ(JobAt(job_id, "state"), "QUEUED");
}

}  // namespace
}  // namespace trestle::platform
