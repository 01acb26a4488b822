#include "design/follower.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/log.h"
#include "design/job.h"
#include "design/recognise.h"
#include "design/runtime_internal.h"

namespace trestle::design {
namespace {

constexpr std::size_t kChangesMax = 100;
constexpr std::chrono::milliseconds kIdleWait{1000};
constexpr std::int64_t kPauseMsMax = 1000;
constexpr std::string_view kPositionAttribute = "~position";
constexpr std::string_view kPositionNames = "position#";
constexpr std::string_view kWakeNames = "wake#";

// Worth another try for as long as it takes: nothing is wrong with the change itself.
bool IsPassing(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kThrottled:
    case ErrorCode::kUnavailable:
    case ErrorCode::kInternal:
    case ErrorCode::kTransactionConflict:
      return true;
    default:
      return false;
  }
}

class TablePosition final : public PositionStore {
 public:
  TablePosition(Runtime& runtime, const std::string& consumer)
      : runtime_(runtime),
        key_(InternalKey(runtime.model(), fmt::format("{}{}", kPositionNames, consumer))) {}

  Result<std::string> Read() override {
    const auto item = TRY(
        runtime_.backend().Get({.table = runtime_.table(), .key = key_, .is_consistent = true}));
    if (!item) return std::string();
    return std::string(Record(item->view()).FindText(kPositionAttribute).value_or(""));
  }

  Status Write(const std::string& position) override {
    Record item(key_.view());
    item.SetText(kPositionAttribute, position);
    return runtime_.backend().Write(
        {.kind = ActionKind::kPut, .table = runtime_.table(), .item = item.ToItem()});
  }

 private:
  Runtime& runtime_;
  const value::Item key_;
};

}  // namespace

bool IsOfFollower(const Model& model, value::ItemView item) {
  return IsNamed(model, item, kPositionNames) || IsNamed(model, item, kWakeNames);
}

std::unique_ptr<PositionStore> NewTablePosition(Runtime& runtime, const std::string& consumer) {
  return std::make_unique<TablePosition>(runtime, consumer);
}

// What the thread works with.
struct Follower::Reading {
  std::unique_ptr<ChangeReader> reader;
  std::size_t unsaved = 0;  // changes behind the stored position
  std::int64_t saved_ns = 0;
  int pauses = 0;
};

Follower::Follower(Runtime& runtime, PositionStore& positions, FollowerOptions options)
    : runtime_(runtime), positions_(positions), options_(std::move(options)) {}

Follower::~Follower() { Stop(); }

Status Follower::SkipToNow() {
  return positions_.Write(TRY(runtime_.backend().CurrentPosition(runtime_.table())));
}

Status Follower::Start() {
  CHECK(!thread_.joinable(), "a follower is started once at a time");
  const std::string position = TRY(positions_.Read());
  auto reader = TRY(runtime_.backend().Follow(runtime_.table(), position));
  reading_ = std::make_unique<Reading>(Reading{.reader = std::move(reader)});
  is_stopped_ = false;
  is_idle_ = false;
  done_until_unix_ms_ = runtime_.state().clock.NowUnixMs();
  {
    const MutexLock lock(mutex_);
    is_over_ = false;
  }
  thread_ = std::thread([this] { Work(); });
  return Ok();
}

void Follower::Stop() {
  if (!thread_.joinable()) return;
  {
    const MutexLock lock(mutex_);
    is_stopped_ = true;
  }
  reading_->reader->Stop();
  changed_.WakeAll();
  thread_.join();
  reading_.reset();
}

void Follower::Pause() {
  const std::int64_t longest = std::min(kPauseMsMax, std::int64_t{1} << reading_->pauses);
  reading_->pauses = std::min(reading_->pauses + 1, 10);
  const MutexLock lock(mutex_);
  if (!is_stopped_) changed_.WaitFor(mutex_, std::chrono::milliseconds(longest));
}

bool Follower::IsSpent(const Error& error, int tries) const {
  if (!IsPassing(error)) return tries >= options_.tries_max;
  return options_.passing_tries_max && tries >= *options_.passing_tries_max;
}

void Follower::FollowOne(const Change& change) {
  for (int tries = 1; !is_stopped_; ++tries) {
    const Status followed = options_.follow(change);
    if (followed.ok()) {
      reading_->pauses = 0;
      return;
    }
    if (IsSpent(followed.error(), tries) &&
        options_.give_up(change, followed.error(), tries).ok()) {
      ++given_up_;
      log::Error("a change of a design's table cannot be followed",
                 {{"table", runtime_.table()},
                  {"consumer", options_.consumer},
                  {"sequence", change.sequence},
                  {"why", followed.error().message()}});
      return;
    }
    ++retries_;
    Pause();
  }
}

// A position is a change of the table too: it is not stored for the sake of another one.
void Follower::FollowAll(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (is_stopped_) return;
    if (IsOwnNote(runtime_.model(), change)) continue;
    done_until_unix_ms_ = change.time_unix_ms;
    FollowOne(change);
    if (is_stopped_) return;
    ++changes_;
    ++reading_->unsaved;
  }
}

Status Follower::SavePosition() {
  if (reading_->unsaved == 0) return Ok();
  TRY(positions_.Write(reading_->reader->position()));
  reading_->unsaved = 0;
  reading_->saved_ns = runtime_.state().clock.SteadyNs();
  return Ok();
}

bool Follower::IsSaveDue() const {
  const std::int64_t past_ns = runtime_.state().clock.SteadyNs() - reading_->saved_ns;
  return reading_->unsaved >= options_.unsaved_max ||
         past_ns >= std::chrono::nanoseconds(options_.save_every).count();
}

bool Follower::WorkOnce() {
  std::uint64_t asked = 0;
  bool is_asked = false;
  {
    const MutexLock lock(mutex_);
    asked = asked_;
    is_asked = asked_ != answered_;
  }
  const bool must_not_wait = is_asked || reading_->unsaved > 0;
  const auto changes =
      reading_->reader->Next(kChangesMax, must_not_wait ? std::chrono::milliseconds(0) : kIdleWait);
  if (!changes.ok()) {
    // A stream that has ended, or has lost what comes next, stays so. All else may pass: a clock
    // that was set, credentials that are renewed, an endpoint that is away.
    const ErrorCode code = changes.error().code();
    if (code == ErrorCode::kResourceNotFound || code == ErrorCode::kTrimmedDataAccess) {
      log::Error("the stream of a design's table cannot be followed",
                 {{"table", runtime_.table()},
                  {"consumer", options_.consumer},
                  {"why", changes.error().message()}});
      return false;
    }
    Pause();
    return true;
  }
  if (!changes->empty()) is_idle_ = false;
  FollowAll(*changes);
  if (is_stopped_) return false;
  if (changes->empty() || IsSaveDue()) {
    const Status saved = SavePosition();
    if (!saved.ok()) {
      Pause();
      return true;
    }
  }
  if (!changes->empty()) return true;
  done_until_unix_ms_ = runtime_.state().clock.NowUnixMs();
  is_idle_ = true;
  const MutexLock lock(mutex_);
  answered_ = std::max(answered_, asked);
  changed_.WakeAll();
  return true;
}

void Follower::Work() {
  while (!is_stopped_ && WorkOnce()) {
  }
  is_idle_ = false;
  const MutexLock lock(mutex_);
  is_over_ = true;
  changed_.WakeAll();
}

bool Follower::Drained(std::chrono::milliseconds wait) {
  std::uint64_t mine = 0;
  {
    const MutexLock lock(mutex_);
    mine = ++asked_;
  }
  // A thread that sleeps until something changes is woken by a change.
  Record note(
      InternalKey(runtime_.model(), fmt::format("{}{}", kWakeNames, options_.consumer)).view());
  note.SetText("~asked", runtime_.state().random.Uuid());
  const Status woken = runtime_.backend().Write(
      {.kind = ActionKind::kPut, .table = runtime_.table(), .item = note.ToItem()});
  if (!woken.ok()) return false;

  const auto until = std::chrono::steady_clock::now() + wait;
  const MutexLock lock(mutex_);
  while (answered_ < mine && !is_over_) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        until - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    changed_.WaitFor(mutex_, left);
  }
  return answered_ >= mine;
}

Follower::Counters Follower::counters() {
  Counters counters{.changes = changes_, .retries = retries_, .given_up = given_up_};
  {
    const MutexLock lock(mutex_);
    counters.is_running = !is_over_;
  }
  if (!is_idle_) {
    const std::int64_t now_unix_ms = runtime_.state().clock.NowUnixMs();
    counters.lag_ms = std::max<std::int64_t>(0, now_unix_ms - done_until_unix_ms_);
  }
  return counters;
}

}  // namespace trestle::design
