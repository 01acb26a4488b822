#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "remote/client.h"
#include "remote/streams.h"

namespace trestle::remote {

// All changes of a table, those of one item in their order: a shard is read when its parent has
// been read to its end. When the table gets another stream the reader goes over to it. One thread
// at a time, except for Look and Stop. The client must outlive it.
//
// A position is JSON, to be kept and to go on from:
//
//   {"stream": ARN, "shards": {ID: place, ...}}
//   place := {}                                     from the oldest record
//          | {"after": SEQUENCE NUMBER}
//          | {"iterator": TEXT, "since_unix_ms": N}  from then on; nothing has been read yet
//          | {"done": true}
class StreamReader {
 public:
  // From a position; from the oldest record of the table's stream when it is empty. kValidation
  // when the position is none, kResourceNotFound when the table has no stream.
  [[nodiscard]] static Result<std::unique_ptr<StreamReader>> Open(Client& client,
                                                                  const std::string& table,
                                                                  const std::string& position);
  // Behind everything that has been written when it is called.
  [[nodiscard]] static Result<std::string> CurrentPosition(Client& client,
                                                           const std::string& table);

  // The next records. Waits until there is one; none when the time is over or after Stop.
  // kTrimmedDataAccess when records that were not read are gone; kResourceNotFound when the stream
  // has ended and the table has no other.
  [[nodiscard]] Result<std::vector<StreamRecord>> Next(std::size_t records_max,
                                                       std::chrono::milliseconds wait);
  [[nodiscard]] std::string position() const;
  // Something has been written: a Next that waits looks at once. Safe from any thread.
  void Look() EXCLUDES(mutex_);
  // Ends a Next that waits, and all later ones. Safe from any thread.
  void Stop() EXCLUDES(mutex_);

 private:
  // Where a shard is read on. `done` rules out the others, `after` the rest.
  struct Place {
    std::string after;
    std::string iterator;            // that is kept with the position, see above
    std::int64_t since_unix_ms = 0;  // records from long before have been seen; 0: none
    bool is_done = false;
  };
  struct Shard {
    Place place;
    std::string parent;
    std::string iterator;  // the next to read with; empty: to be asked for
  };

  StreamReader(Client& client, std::string table) : client_(client), table_(std::move(table)) {}

  [[nodiscard]] Status ParsePosition(const std::string& text);
  [[nodiscard]] Status Refresh();
  [[nodiscard]] Status EnterNextStream();
  [[nodiscard]] bool IsReadable(const Shard& shard) const;
  [[nodiscard]] bool IsRead() const;  // all shards to their ends
  [[nodiscard]] Result<std::string> AskForIterator(const std::string& id, const Place& place);
  [[nodiscard]] Result<std::vector<StreamRecord>> ReadRound(std::size_t records_max);
  [[nodiscard]] Status ReadShard(const std::string& id, Shard& shard, std::size_t records_max,
                                 std::vector<StreamRecord>& records);
  void WaitFor(std::chrono::milliseconds time) EXCLUDES(mutex_);

  Client& client_;
  const std::string table_;
  std::string stream_arn_;
  std::string stream_status_;
  std::map<std::string, Shard> shards_;
  bool needs_refresh_ = true;

  Mutex mutex_;  // of the sleep alone
  Condition wake_;
  bool must_look_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> is_stopped_ = false;
};

}  // namespace trestle::remote
