#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "base/result.h"
#include "engine/request.h"
#include "engine/stream_shards.h"
#include "storage/store.h"

namespace trestle::engine {

struct DatabaseOptions {
  const Clock* clock = nullptr;  // both must outlive the database
  Random* random = nullptr;
  storage::Durability durability = storage::Durability::kSync;
  // Statuses such as CREATING pass at once, or after this time.
  std::int64_t transient_status_ms = 0;
  // Global indexes are read as they were so long ago; 0: as they are.
  std::int64_t index_lag_ms = 0;
  // How often items that have expired are looked for; 0: never.
  std::int64_t ttl_sweep_ms = 1000;
  ShardPolicy shards = {};  // of streams
  // Writes that wait for the committer; one more is refused.
  std::size_t pending_writes_max = 16 * 1024;
};

// A write on its way through the committer.
struct PendingWrite {
  Request request;
  std::optional<Result<Reply>> reply;
};

// Writes that are handed over together, and answered together. Derive from it to keep what is
// needed until the replies are there.
class Submission {
 public:
  Submission() = default;
  virtual ~Submission() = default;
  Submission(const Submission&) = delete;
  Submission& operator=(const Submission&) = delete;

  // Called once, on the committer's thread, when every reply is set and what it says is on disk.
  // `self` owns this object. Must not block.
  virtual void Done(std::unique_ptr<Submission> self) = 0;

  std::vector<PendingWrite> writes;
};

class Catalog;
class Committer;
class IndexLag;
class IteratorSealer;
class PageReader;
class StreamReader;
class Subscription;
struct SubscribeRequest;

// The one way in. Safe from many threads.
//
// Reads run on the caller's thread, on a snapshot, without waiting for writes. Writes, changes of
// tables included, pass through one committer in the order of their arrival.
class Database {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Database>> Open(std::unique_ptr<storage::Store> store,
                                                              const DatabaseOptions& options);
  // Finishes the writes it has accepted.
  ~Database();

  // Any request; a write waits until it is on disk.
  [[nodiscard]] Result<Reply> Execute(Request request);

  // Hands writes to the committer, to be decided in order; each succeeds or fails for itself. When
  // too many are waiting all are refused (kThrottled), and Done is called here, on the caller's
  // thread.
  void Submit(std::unique_ptr<Submission> submission);

  // A read that is done in slices, so that a loop can serve others in between.
  [[nodiscard]] Result<std::unique_ptr<PageReader>> StartPage(const PageRequest& request) const;
  // The same for a SELECT; ToStatementReply (statement.h) makes its reply of the page.
  [[nodiscard]] Result<std::unique_ptr<PageReader>> StartPage(
      const StatementRequest& request) const;

  [[nodiscard]] Result<GetReply> Get(const GetRequest& request) const;
  [[nodiscard]] Result<BatchGetReply> BatchGet(const BatchGetRequest& request) const;
  [[nodiscard]] Result<TransactGetReply> TransactGet(const TransactGetRequest& request) const;
  [[nodiscard]] Result<PageReply> ReadPage(const PageRequest& request) const;
  [[nodiscard]] Result<StatementReply> Select(const StatementRequest& request) const;
  [[nodiscard]] Result<BatchStatementReply> SelectBatch(const BatchStatementRequest& request) const;
  [[nodiscard]] Result<TransactStatementReply> TransactSelect(
      const TransactStatementRequest& request) const;
  [[nodiscard]] Result<TableReply> DescribeTable(const DescribeTableRequest& request) const;
  [[nodiscard]] Result<ListTablesReply> ListTables(const ListTablesRequest& request) const;
  [[nodiscard]] Result<ListStreamsReply> ListStreams(const ListStreamsRequest& request) const;
  [[nodiscard]] Result<DescribeStreamReply> DescribeStream(
      const DescribeStreamRequest& request) const;
  [[nodiscard]] Result<ShardIteratorReply> MakeShardIterator(
      const ShardIteratorRequest& request) const;
  [[nodiscard]] Result<RecordsReply> ReadRecords(const RecordsRequest& request) const;

  // Follows a stream in this process. The database must outlive the subscription.
  [[nodiscard]] Result<std::unique_ptr<Subscription>> Subscribe(
      const SubscribeRequest& request) const;

  // Numbers for metrics.
  [[nodiscard]] std::size_t pending_writes() const;
  // False after a failed sync: nothing is acknowledged any more until the store is reopened.
  [[nodiscard]] bool IsWritable() const;

 private:
  Database(std::unique_ptr<storage::Store> store, const DatabaseOptions& options);
  [[nodiscard]] StreamReader Streams() const;

  const DatabaseOptions options_;
  std::unique_ptr<storage::Store> store_;
  std::unique_ptr<Catalog> catalog_;
  const std::unique_ptr<IndexLag> index_lag_;  // null: none
  std::unique_ptr<IteratorSealer> sealer_;
  std::unique_ptr<Committer> committer_;  // last: its thread uses the others
};

// One page of a Query or Scan under way. One thread at a time.
class PageReader {
 public:
  virtual ~PageReader() = default;
  // Reads on for at most about `rows_max` rows. True when the page is complete.
  [[nodiscard]] virtual Result<bool> Step(std::size_t rows_max) = 0;
  [[nodiscard]] virtual PageReply Finish() = 0;
};

}  // namespace trestle::engine
