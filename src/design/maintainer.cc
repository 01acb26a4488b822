#include "design/maintainer.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/log.h"
#include "design/follow_change_internal.h"
#include "design/job.h"
#include "design/runtime_internal.h"

namespace trestle::design {
namespace {

constexpr std::size_t kChangesMax = 100;
constexpr std::size_t kUnsavedMax = 1000;
constexpr std::int64_t kSaveEveryNs = 1'000'000'000;
constexpr std::chrono::milliseconds kIdleWait{1000};
constexpr std::int64_t kPauseMsMax = 1000;
constexpr std::string_view kPositionAttribute = "~position";

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

}  // namespace

// What the thread works with.
struct Maintainer::Following {
  std::unique_ptr<ChangeReader> reader;
  ChangeFollower follower;
  std::size_t unsaved = 0;  // changes behind the stored position
  std::int64_t saved_ns = 0;
  int pauses = 0;
};

Maintainer::Maintainer(Runtime& runtime, const MaintainerOptions& options)
    : runtime_(runtime), options_(options) {}

Maintainer::~Maintainer() { Stop(); }

value::Item Maintainer::PositionKey() const {
  return InternalKey(runtime_.model(), fmt::format("position#{}", options_.consumer));
}

Result<std::string> Maintainer::ReadPosition() {
  const auto item = TRY(runtime_.backend().Get(
      {.table = runtime_.table(), .key = PositionKey(), .is_consistent = true}));
  if (!item) return std::string();
  return std::string(Record(item->view()).FindText(kPositionAttribute).value_or(""));
}

Status Maintainer::WritePosition(const std::string& position) {
  Record item(PositionKey().view());
  item.SetText(kPositionAttribute, position);
  return runtime_.backend().Write(
      {.kind = ActionKind::kPut, .table = runtime_.table(), .item = item.ToItem()});
}

Status Maintainer::SkipToNow() {
  return WritePosition(TRY(runtime_.backend().CurrentPosition(runtime_.table())));
}

Status Maintainer::Start() {
  CHECK(!thread_.joinable(), "a maintainer is started once at a time");
  const std::string position = TRY(ReadPosition());
  auto reader = TRY(runtime_.backend().Follow(runtime_.table(), position));
  following_ = std::make_unique<Following>(
      Following{.reader = std::move(reader), .follower = ChangeFollower(runtime_.state())});
  is_stopped_ = false;
  {
    const MutexLock lock(mutex_);
    is_over_ = false;
  }
  thread_ = std::thread([this] { Work(); });
  return Ok();
}

void Maintainer::Stop() {
  if (!thread_.joinable()) return;
  is_stopped_ = true;
  following_->reader->Stop();
  changed_.WakeAll();
  thread_.join();
  following_.reset();
}

void Maintainer::Pause() {
  const std::int64_t longest = std::min(kPauseMsMax, std::int64_t{1} << following_->pauses);
  following_->pauses = std::min(following_->pauses + 1, 10);
  const MutexLock lock(mutex_);
  if (!is_stopped_) changed_.WaitFor(mutex_, std::chrono::milliseconds(longest));
}

void Maintainer::FollowOne(const Change& change) {
  for (int tries = 1; !is_stopped_;) {
    const Status followed = following_->follower.Follow(change);
    if (followed.ok()) {
      following_->pauses = 0;
      return;
    }
    if (!IsPassing(followed.error()) && ++tries > options_.tries_max) {
      ++failed_changes_;
      log::Error("a change of a design's table cannot be followed",
                 {{"table", runtime_.table()},
                  {"sequence", change.sequence},
                  {"why", followed.error().message()}});
      return;
    }
    Pause();
  }
}

// A position is a change of the table too: it is not stored for the sake of another one.
void Maintainer::FollowAll(const std::vector<Change>& changes) {
  for (const Change& change : changes) {
    if (is_stopped_) return;
    if (IsOwnNote(runtime_.model(), change)) continue;
    FollowOne(change);
    ++following_->unsaved;
  }
}

Status Maintainer::SavePosition() {
  if (following_->unsaved == 0) return Ok();
  TRY(WritePosition(following_->reader->position()));
  following_->unsaved = 0;
  following_->saved_ns = runtime_.state().clock.SteadyNs();
  return following_->follower.ForgetExpiries();
}

bool Maintainer::IsSaveDue() const {
  const std::int64_t now_ns = runtime_.state().clock.SteadyNs();
  return following_->unsaved >= kUnsavedMax || now_ns - following_->saved_ns >= kSaveEveryNs;
}

void Maintainer::Work() {
  while (!is_stopped_) {
    std::uint64_t asked = 0;
    bool is_asked = false;
    {
      const MutexLock lock(mutex_);
      asked = asked_;
      is_asked = asked_ != answered_;
    }
    const bool must_not_wait = is_asked || following_->unsaved > 0;
    const auto changes = following_->reader->Next(
        kChangesMax, must_not_wait ? std::chrono::milliseconds(0) : kIdleWait);
    if (!changes.ok()) {
      if (!IsPassing(changes.error())) {
        log::Error("the stream of a design's table cannot be followed",
                   {{"table", runtime_.table()}, {"why", changes.error().message()}});
        break;
      }
      Pause();
      continue;
    }
    FollowAll(*changes);
    if (is_stopped_) break;
    if (changes->empty() || IsSaveDue()) {
      const Status saved = SavePosition();
      if (!saved.ok()) Pause();
    }
    if (changes->empty()) {
      const MutexLock lock(mutex_);
      answered_ = std::max(answered_, asked);
      changed_.WakeAll();
    }
  }
  const MutexLock lock(mutex_);
  is_over_ = true;
  changed_.WakeAll();
}

bool Maintainer::Drained(std::chrono::milliseconds wait) {
  std::uint64_t mine = 0;
  {
    const MutexLock lock(mutex_);
    mine = ++asked_;
  }
  // A thread that sleeps until something changes is woken by a change.
  Record note(InternalKey(runtime_.model(), fmt::format("wake#{}", options_.consumer)).view());
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

}  // namespace trestle::design
