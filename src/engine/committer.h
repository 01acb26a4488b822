#pragma once

#include <atomic>
#include <cstddef>
#include <deque>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/group.h"
#include "engine/item_writer.h"
#include "engine/maintenance.h"
#include "engine/statement_writer.h"
#include "engine/table_writer.h"
#include "engine/ttl.h"
#include "storage/store.h"

namespace trestle::engine {

// The only writer. Its thread takes all writes that wait, decides them in order, commits them with
// one sync, and only then answers them. Between groups it does a slice of maintenance.
class Committer {
 public:
  Committer(storage::Store& store, Catalog& catalog, const DatabaseOptions& options);
  // Finishes what was accepted.
  ~Committer();

  // Safe from any thread.
  void Submit(std::unique_ptr<Submission> submission) EXCLUDES(mutex_);
  [[nodiscard]] std::size_t pending() const EXCLUDES(mutex_);
  [[nodiscard]] bool IsWritable() const { return is_writable_; }

 private:
  using Submissions = std::vector<std::unique_ptr<Submission>>;

  // Puts the submission with those that wait, unless there are too many.
  [[nodiscard]] bool Accept(std::unique_ptr<Submission>& submission) EXCLUDES(mutex_);
  void Run() EXCLUDES(mutex_);
  // What waits, or nothing after a while; nothing and is_stopping when there is no more to come.
  [[nodiscard]] Submissions Take(bool has_maintenance, bool& is_stopping) EXCLUDES(mutex_);
  void CommitGroup(const Submissions& submissions);
  [[nodiscard]] Result<Reply> Decide(const Request& request, std::int64_t now_unix_ms);
  // Commits what was decided, and forgets it.
  void FinishGroup();
  [[nodiscard]] bool RunMaintenance();

  const DatabaseOptions options_;
  storage::Store& store_;
  Catalog& catalog_;

  // Of the committer's thread.
  Group group_;
  std::vector<PendingWrite*> decided_;  // with the group, not committed yet
  bool is_maintenance_due_ = false;
  ItemWriter item_writer_;
  StatementWriter statement_writer_;
  TableWriter table_writer_;
  Maintenance maintenance_;
  Sweep sweep_;

  std::atomic<bool> is_writable_ = true;

  mutable Mutex mutex_;
  Condition wake_;
  std::deque<std::unique_ptr<Submission>> waiting_ GUARDED_BY(mutex_);
  std::size_t waiting_writes_ GUARDED_BY(mutex_) = 0;
  bool is_stopping_ GUARDED_BY(mutex_) = false;

  std::jthread thread_;  // last: it uses everything above
};

}  // namespace trestle::engine
