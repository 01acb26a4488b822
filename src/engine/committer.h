#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "engine/catalog.h"
#include "engine/database.h"
#include "engine/group.h"
#include "engine/item_writer.h"
#include "engine/maintenance.h"
#include "engine/table_writer.h"
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
  void Submit(std::vector<std::unique_ptr<PendingWrite>> writes) EXCLUDES(mutex_);
  [[nodiscard]] std::size_t pending() const EXCLUDES(mutex_);
  [[nodiscard]] bool IsWritable() const { return is_writable_; }

 private:
  using Writes = std::vector<std::unique_ptr<PendingWrite>>;

  void Run() EXCLUDES(mutex_);
  // What waits, or nothing after a while; nothing and is_stopping when there is no more to come.
  [[nodiscard]] Writes Take(bool has_maintenance, bool& is_stopping) EXCLUDES(mutex_);
  void CommitGroup(Writes writes);
  [[nodiscard]] Result<Reply> Decide(const Request& request, std::int64_t now_unix_ms);
  void FinishGroup(Writes decided);
  [[nodiscard]] bool RunMaintenance();

  const DatabaseOptions options_;
  storage::Store& store_;
  Catalog& catalog_;

  // Of the committer's thread.
  Group group_;
  ItemWriter item_writer_;
  TableWriter table_writer_;
  Maintenance maintenance_;

  std::atomic<bool> is_writable_ = true;

  mutable Mutex mutex_;
  Condition wake_;
  Writes waiting_ GUARDED_BY(mutex_);
  bool is_stopping_ GUARDED_BY(mutex_) = false;

  std::jthread thread_;  // last: it uses everything above
};

}  // namespace trestle::engine
