#include "platform/search/feed.h"

#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/log.h"
#include "base/mutex.h"
#include "design/follower.h"
#include "design/recognise.h"

namespace trestle::platform::search {
namespace {

using std::chrono::milliseconds;

constexpr std::string_view kConsumer = "search-index";
constexpr std::size_t kPendingMax = 1000;
constexpr std::uint32_t kScanItems = 500;  // of one page, which is one batch
constexpr milliseconds kSaveEvery{100};
constexpr milliseconds kRetryEvery{1000};
constexpr milliseconds kLookEvery{200};

// Made from the item's key alone, so that the item can be gone.
std::string DocumentId(const design::Model& model, value::ItemView item) {
  design::Record key;
  for (const std::string& name : {model.table.partition_key, model.table.sort_key}) {
    const auto value = name.empty() ? std::nullopt : item.Find(name);
    if (value) key.Set(name, std::string(value->bytes()));
  }
  return std::move(key.ToItem()).bytes();
}

}  // namespace

// A thread that rebuilds when it must, and else looks after the follower. The position is kept in
// the index, in the transaction of what the changes before it have become.
class SearchFeed::Work final : public design::PositionStore {
 public:
  explicit Work(FeedOptions options)
      : options_(std::move(options)),
        follower_(*options_.runtime, *this,
                  {.consumer = std::string(kConsumer),
                   .follow = [this](const design::Change& change) { return Follow(change); },
                   .give_up = [](const design::Change& /*change*/, const Error& error,
                                 int /*tries*/) -> Status { return error; },
                   .unsaved_max = kPendingMax,
                   .save_every = kSaveEvery}) {}

  // Of the follower.
  Result<std::string> Read() override {
    pending_.clear();
    return options_.index->Position();
  }
  Status Write(const std::string& position) override {
    TRY(options_.index->Write(pending_, position));
    pending_.clear();
    return Ok();
  }

  void Start() {
    CHECK(!thread_.joinable(), "a feed is started once at a time");
    is_stopped_ = false;
    thread_ = std::thread([this] { Run(); });
  }
  void Stop() EXCLUDES(mutex_) {
    if (!thread_.joinable()) return;
    is_stopped_ = true;
    changed_.WakeAll();
    thread_.join();
  }
  void Rebuild() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    must_rebuild_ = true;
    changed_.WakeAll();
  }
  bool Drained(milliseconds wait) EXCLUDES(mutex_);
  ConsumerState state() EXCLUDES(mutex_);
  [[nodiscard]] std::uint64_t rebuilds() const { return rebuilds_; }

 private:
  Entry EntryOf(value::ItemView keys, const std::optional<design::TypedItem>& item) const {
    Entry entry{.id = DocumentId(options_.runtime->model(), keys)};
    if (item) entry.document = options_.describe(*item);
    return entry;
  }
  Status Follow(const design::Change& change);
  void Run();
  // One turn of the thread: a rebuild, or following until something else is to be done.
  Status RunOnce() EXCLUDES(mutex_);
  Status RebuildNow() EXCLUDES(mutex_);
  Status ScanSegment(std::uint32_t segment);
  void SetFollowing(bool is_following) EXCLUDES(mutex_);
  void WaitFor(milliseconds time) EXCLUDES(mutex_);
  bool MustRebuild() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return must_rebuild_ || options_.index->is_damaged();
  }

  const FeedOptions options_;
  std::vector<Entry> pending_;  // of the follower's thread
  std::thread thread_;
  std::atomic<bool> is_stopped_ = true;
  std::atomic<std::uint64_t> rebuilds_ = 0;

  Mutex mutex_;
  ::trestle::Condition changed_;
  bool must_rebuild_ GUARDED_BY(mutex_) = false;
  bool is_following_ GUARDED_BY(mutex_) = false;
  std::int64_t behind_since_unix_ms_ GUARDED_BY(mutex_) = 0;  // while it is not following
  design::Follower follower_;                                 // last: its thread uses the rest
};

Status SearchFeed::Work::Follow(const design::Change& change) {
  const design::Runtime& runtime = *options_.runtime;
  if (design::IsInternal(runtime.model(), change.keys.view())) return Ok();
  // The position may stay behind what is written: doing it again changes nothing.
  if (pending_.size() >= kPendingMax) {
    TRY(options_.index->Write(pending_, std::nullopt));
    pending_.clear();
  }
  pending_.push_back(EntryOf(change.keys.view(), change.new_image
                                                     ? runtime.Recognise(change.new_image->view())
                                                     : std::nullopt));
  return Ok();
}

Status SearchFeed::Work::ScanSegment(std::uint32_t segment) {
  const design::Runtime& runtime = *options_.runtime;
  design::ReadPage read{.table = runtime.table(),
                        .limit = kScanItems,
                        .is_consistent = true,
                        .segment = segment,
                        .total_segments = options_.segments};
  do {
    if (is_stopped_) return Error(ErrorCode::kUnavailable, "the rebuild was stopped");
    design::Page page = TRY(runtime.backend().Read(read));
    std::vector<Entry> entries;
    entries.reserve(page.items.size());
    for (const value::Item& item : page.items) {
      Entry entry = EntryOf(item.view(), runtime.Recognise(item.view()));
      if (entry.document) entries.push_back(std::move(entry));
    }
    TRY(options_.index->Write(entries, std::nullopt));
    read.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (read.exclusive_start_key);
  return Ok();
}

// Changes that the scan has seen already are followed again afterwards.
Status SearchFeed::Work::RebuildNow() {
  {
    const MutexLock lock(mutex_);
    must_rebuild_ = false;
  }
  design::Runtime& runtime = *options_.runtime;
  const std::string position = TRY(runtime.backend().CurrentPosition(runtime.table()));
  if (options_.index->is_damaged()) TRY(options_.index->Recreate());
  TRY(options_.index->BeginRebuild());
  std::vector<Status> scanned(options_.segments, Ok());
  std::vector<std::thread> threads;
  threads.reserve(options_.segments);
  for (std::uint32_t segment = 0; segment < options_.segments; ++segment) {
    threads.emplace_back(
        [this, segment, &status = scanned[segment]] { status = ScanSegment(segment); });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const Status& status : scanned)
    TRY(Status(status));
  TRY(options_.index->EndRebuild(position));
  ++rebuilds_;
  log::Info("a search index was built", {{"app", options_.app}});
  return Ok();
}

Status SearchFeed::Work::RunOnce() {
  const auto position = options_.index->Position();
  if (MustRebuild() || !position.ok() || position->empty()) return RebuildNow();
  Status started = follower_.Start();
  if (!started.ok()) {
    // Of what was lost meanwhile, or of a stream that is another table's by now.
    if (started.error().code() != ErrorCode::kUnavailable) Rebuild();
    return started;
  }
  SetFollowing(true);
  while (!is_stopped_ && !MustRebuild() && follower_.counters().is_running)
    WaitFor(kLookEvery);
  SetFollowing(false);
  follower_.Stop();
  return Ok();
}

void SearchFeed::Work::Run() {
  SetFollowing(false);
  while (!is_stopped_) {
    const Status done = RunOnce();
    if (done.ok() || is_stopped_) continue;
    log::Warn("a search index cannot be kept up to date yet",
              {{"app", options_.app}, {"why", done.error().message()}});
    WaitFor(kRetryEvery);
  }
}

void SearchFeed::Work::SetFollowing(bool is_following) {
  const MutexLock lock(mutex_);
  if (!is_following) behind_since_unix_ms_ = options_.clock->NowUnixMs();
  is_following_ = is_following;
  changed_.WakeAll();
}

void SearchFeed::Work::WaitFor(milliseconds time) {
  const MutexLock lock(mutex_);
  if (!is_stopped_ && !must_rebuild_) changed_.WaitFor(mutex_, time);
}

bool SearchFeed::Work::Drained(milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<milliseconds>(until - std::chrono::steady_clock::now());
    if (left.count() <= 0 || is_stopped_) return false;
    {
      const MutexLock lock(mutex_);
      if (!is_following_ || must_rebuild_) {
        changed_.WaitFor(mutex_, std::min(left, kLookEvery));
        continue;
      }
    }
    // It ends early when a rebuild has to come first.
    if (follower_.Drained(left)) return true;
  }
}

ConsumerState SearchFeed::Work::state() {
  ConsumerState state{
      .app = options_.app, .consumer = std::string(kConsumer), .counters = follower_.counters()};
  const MutexLock lock(mutex_);
  if (!is_following_) {
    state.counters.lag_ms =
        std::max<std::int64_t>(0, options_.clock->NowUnixMs() - behind_since_unix_ms_);
  }
  return state;
}

SearchFeed::SearchFeed(FeedOptions options) : work_(std::make_unique<Work>(std::move(options))) {}
SearchFeed::~SearchFeed() { Stop(); }
void SearchFeed::Start() { work_->Start(); }
void SearchFeed::Stop() { work_->Stop(); }
void SearchFeed::Rebuild() { work_->Rebuild(); }
bool SearchFeed::Drained(milliseconds wait) { return work_->Drained(wait); }
ConsumerState SearchFeed::state() { return work_->state(); }
std::uint64_t SearchFeed::rebuilds() const { return work_->rebuilds(); }

}  // namespace trestle::platform::search
