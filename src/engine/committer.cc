#include "engine/committer.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/check.h"
#include "base/log.h"

namespace trestle::engine {
namespace {

// Writes of one group. More wait for the next one, so that the first are answered soon.
constexpr std::size_t kGroupWritesMax = 2048;
constexpr std::size_t kGroupBytesMax = 16 * 1024 * 1024;

// How long an idle committer sleeps, and how many groups a busy one commits, before it looks for
// statuses that end and rows to trim.
constexpr auto kIdle = std::chrono::milliseconds(200);
constexpr std::size_t kGroupsPerMaintenance = 64;

bool IsTableChange(const Request& request) {
  return std::holds_alternative<CreateTableRequest>(request) ||
         std::holds_alternative<UpdateTableRequest>(request) ||
         std::holds_alternative<DeleteTableRequest>(request);
}

void Answer(std::unique_ptr<PendingWrite> write) {
  PendingWrite& it = *write;
  it.Done(std::move(write));
}

}  // namespace

Committer::Committer(storage::Store& store, Catalog& catalog, const DatabaseOptions& options)
    : options_(options),
      store_(store),
      catalog_(catalog),
      group_(store, catalog),
      item_writer_(catalog, group_),
      table_writer_(
          store, catalog, *options.random,
          {.transient_status_ms = options.transient_status_ms, .durability = options.durability}),
      maintenance_(store, catalog, options.durability),
      thread_([this] { Run(); }) {}

Committer::~Committer() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  wake_.Wake();
  thread_.join();
}

void Committer::Submit(Writes writes) {
  Writes refused;
  {
    const MutexLock lock(mutex_);
    const std::size_t room =
        options_.pending_writes_max - std::min(options_.pending_writes_max, waiting_.size());
    const std::size_t accepted = std::min(room, writes.size());
    std::move(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(accepted),
              std::back_inserter(waiting_));
    std::move(writes.begin() + static_cast<std::ptrdiff_t>(accepted), writes.end(),
              std::back_inserter(refused));
  }
  wake_.Wake();
  for (auto& write : refused) {
    write->reply = Error(ErrorCode::kThrottled, "Too many writes are waiting");
    Answer(std::move(write));
  }
}

std::size_t Committer::pending() const {
  const MutexLock lock(mutex_);
  return waiting_.size();
}

void Committer::Run() {
  bool has_maintenance = true;
  bool is_stopping = false;
  for (std::size_t groups = 0;; ++groups) {
    Writes writes = Take(has_maintenance, is_stopping);
    if (writes.empty() && is_stopping) return;
    const bool is_due = writes.empty() || groups % kGroupsPerMaintenance == 0 ||
                        std::ranges::any_of(writes, [](const auto& write) {
                          return IsTableChange(write->request);
                        });
    if (!writes.empty()) CommitGroup(std::move(writes));
    if (is_due || has_maintenance) has_maintenance = RunMaintenance();
  }
}

Committer::Writes Committer::Take(bool has_maintenance, bool& is_stopping) {
  const MutexLock lock(mutex_);
  if (waiting_.empty() && !is_stopping_ && !has_maintenance) wake_.WaitFor(mutex_, kIdle);
  is_stopping = is_stopping_;
  if (waiting_.size() <= kGroupWritesMax) return std::exchange(waiting_, {});
  const auto end = waiting_.begin() + kGroupWritesMax;
  Writes taken(std::make_move_iterator(waiting_.begin()), std::make_move_iterator(end));
  waiting_.erase(waiting_.begin(), end);
  return taken;
}

// A change of a table is a commit of its own: what was decided before it is finished first.
void Committer::CommitGroup(Writes writes) {
  Writes decided;
  for (auto& write : writes) {
    const std::int64_t now_unix_ms = options_.clock->NowUnixMs();
    if (IsTableChange(write->request) || group_.batch().size_bytes() >= kGroupBytesMax) {
      FinishGroup(std::exchange(decided, {}));
    }
    write->reply = Decide(write->request, now_unix_ms);
    decided.push_back(std::move(write));
  }
  FinishGroup(std::move(decided));
}

Result<Reply> Committer::Decide(const Request& request, std::int64_t now_unix_ms) {
  if (const auto* write = std::get_if<WriteRequest>(&request)) {
    return ToReply(item_writer_.Write(*write, now_unix_ms));
  }
  if (const auto* batch = std::get_if<BatchWriteRequest>(&request)) {
    return ToReply(item_writer_.WriteBatch(*batch, now_unix_ms));
  }
  if (const auto* transaction = std::get_if<TransactWriteRequest>(&request)) {
    return ToReply(item_writer_.Transact(*transaction, now_unix_ms));
  }
  if (const auto* create = std::get_if<CreateTableRequest>(&request)) {
    return ToReply(table_writer_.Create(*create, now_unix_ms));
  }
  if (const auto* update = std::get_if<UpdateTableRequest>(&request)) {
    return ToReply(table_writer_.Update(*update, now_unix_ms));
  }
  if (const auto* drop = std::get_if<DeleteTableRequest>(&request)) {
    return ToReply(table_writer_.Drop(*drop, now_unix_ms));
  }
  UNREACHABLE("a read was handed to the committer");
}

// A refusal waits for the commit too: it may rest on what an earlier write of the group did.
void Committer::FinishGroup(Writes decided) {
  Status committed = Ok();
  if (!group_.batch().empty()) {
    group_.Finish();
    committed = store_.Commit(group_.batch(), options_.durability);
    if (committed.ok()) group_.Publish(catalog_);
    is_writable_ = committed.ok();
  }
  group_.Clear();
  for (auto& write : decided) {
    if (!committed.ok()) write->reply = committed.error();
    Answer(std::move(write));
  }
}

bool Committer::RunMaintenance() {
  if (!is_writable_) return false;
  const std::int64_t now_unix_ms = options_.clock->NowUnixMs();
  const Result<bool> ended = table_writer_.EndTransientStatuses(now_unix_ms);
  const Result<bool> sliced = ended.ok() ? maintenance_.RunSlice(now_unix_ms) : ended;
  if (sliced.ok()) return *sliced || *ended;
  log::Error("maintenance failed", {{"error", sliced.error().message()}});
  return false;
}

}  // namespace trestle::engine
