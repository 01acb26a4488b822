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

// How long nobody may have written for before a sweep goes on alone.
constexpr auto kQuiet = std::chrono::milliseconds(2);

// How long an idle committer sleeps, and how many groups a busy one commits, before it looks for
// statuses that end and rows to trim.
constexpr auto kIdle = std::chrono::milliseconds(200);
constexpr std::size_t kGroupsPerMaintenance = 64;

void Answer(std::unique_ptr<Submission> submission) {
  Submission& it = *submission;
  it.Done(std::move(submission));
}

}  // namespace

Committer::Committer(storage::Store& store, Catalog& catalog, const DatabaseOptions& options)
    : options_(options),
      store_(store),
      catalog_(catalog),
      group_(store, catalog, options.shards),
      item_writer_(catalog, group_),
      statement_writer_(catalog, item_writer_),
      table_writer_(
          store, catalog, *options.random,
          {.transient_status_ms = options.transient_status_ms, .durability = options.durability}),
      maintenance_(store, catalog, options),
      sweep_(store, catalog, *options.clock, options.ttl_sweep_ms),
      thread_([this] { Run(); }) {}

Committer::~Committer() {
  {
    const MutexLock lock(mutex_);
    is_stopping_ = true;
  }
  wake_.Wake();
  thread_.join();
}

bool Committer::Accept(std::unique_ptr<Submission>& submission) {
  const MutexLock lock(mutex_);
  const std::size_t count = submission->writes.size();
  if (waiting_writes_ + count > options_.pending_writes_max) return false;
  waiting_writes_ += count;
  waiting_.push_back(std::move(submission));
  return true;
}

void Committer::Submit(std::unique_ptr<Submission> submission) {
  if (Accept(submission)) return wake_.Wake();
  for (PendingWrite& write : submission->writes)
    write.reply = Error(ErrorCode::kThrottled, "Too many writes are waiting");
  Answer(std::move(submission));
}

std::size_t Committer::pending() const {
  const MutexLock lock(mutex_);
  return waiting_writes_;
}

void Committer::Run() {
  bool has_maintenance = true;
  bool is_stopping = false;
  for (std::size_t groups = 0;; ++groups) {
    Submissions submissions = Take(has_maintenance, is_stopping);
    if (submissions.empty() && is_stopping) return;
    is_maintenance_due_ |= submissions.empty() || groups % kGroupsPerMaintenance == 0;
    CommitGroup(submissions);
    for (auto& submission : submissions)
      Answer(std::move(submission));
    const bool is_due = std::exchange(is_maintenance_due_, false);
    if (is_due || has_maintenance) has_maintenance = RunMaintenance();
  }
}

Committer::Submissions Committer::Take(bool has_maintenance, bool& is_stopping) {
  const MutexLock lock(mutex_);
  if (waiting_.empty() && !is_stopping_ && !has_maintenance) {
    wake_.WaitFor(mutex_, sweep_.has_more() ? kQuiet : kIdle);
  }
  is_stopping = is_stopping_;
  Submissions taken;
  std::size_t taken_writes = 0;
  while (!waiting_.empty() && taken_writes < kGroupWritesMax) {
    taken_writes += waiting_.front()->writes.size();
    taken.push_back(std::move(waiting_.front()));
    waiting_.pop_front();
  }
  waiting_writes_ -= taken_writes;
  return taken;
}

// A change of a table is a commit of its own: what was decided before it is finished first. Items
// that have expired go with the last writes; they need no sync of their own.
void Committer::CommitGroup(const Submissions& submissions) {
  for (const auto& submission : submissions) {
    for (PendingWrite& write : submission->writes) {
      const bool is_table_change = IsTableChange(write.request);
      is_maintenance_due_ |= is_table_change;
      if (is_table_change || group_.batch().size_bytes() >= kGroupBytesMax) FinishGroup();
      write.reply = Decide(write.request, options_.clock->NowUnixMs());
      decided_.push_back(&write);
    }
  }
  if (is_writable_) {
    const Status swept =
        sweep_.Step(submissions.empty() ? Sweep::Pace::kAlone : Sweep::Pace::kShared, group_);
    if (!swept.ok()) log::Error("the sweep failed", {{"error", swept.error().message()}});
  }
  FinishGroup();
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
  if (const auto* statement = std::get_if<StatementRequest>(&request)) {
    return ToReply(statement_writer_.Write(*statement, now_unix_ms));
  }
  if (const auto* statements = std::get_if<BatchStatementRequest>(&request)) {
    return ToReply(statement_writer_.WriteBatch(*statements, now_unix_ms));
  }
  if (const auto* statements = std::get_if<TransactStatementRequest>(&request)) {
    return ToReply(statement_writer_.Transact(*statements, now_unix_ms));
  }
  if (const auto* create = std::get_if<CreateTableRequest>(&request)) {
    return ToReply(table_writer_.Create(*create, now_unix_ms));
  }
  if (const auto* update = std::get_if<UpdateTableRequest>(&request)) {
    return ToReply(table_writer_.Update(*update, now_unix_ms));
  }
  if (const auto* time_to_live = std::get_if<UpdateTimeToLiveRequest>(&request)) {
    return ToReply(table_writer_.UpdateTimeToLive(*time_to_live, now_unix_ms));
  }
  if (const auto* tags = std::get_if<ChangeTagsRequest>(&request)) {
    return ToReply(table_writer_.ChangeTags(*tags, now_unix_ms));
  }
  if (const auto* drop = std::get_if<DeleteTableRequest>(&request)) {
    return ToReply(table_writer_.Drop(*drop, now_unix_ms));
  }
  UNREACHABLE("a read was handed to the committer");
}

// A refusal waits for the commit too: it may rest on what an earlier write of the group did.
void Committer::FinishGroup() {
  if (!group_.batch().empty()) {
    group_.Finish();
    const Status committed = store_.Commit(group_.batch(), options_.durability);
    if (committed.ok()) {
      group_.Publish(catalog_);
      sweep_.Committed(group_);
    } else {
      sweep_.Failed();
    }
    is_writable_ = committed.ok();
    for (PendingWrite* write : decided_) {
      if (!committed.ok()) write->reply = committed.error();
    }
  }
  group_.Clear();
  decided_.clear();
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
