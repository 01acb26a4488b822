#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "engine/counters.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "engine/stream_shards.h"
#include "engine/stream_signal.h"
#include "storage/store.h"

namespace trestle::engine {

// The tables and streams as they are now. Safe from many threads; only the committer changes it,
// after the change is on disk.
class Catalog {
 public:
  // Reads all tables and streams of the store.
  [[nodiscard]] Status Load(const storage::Store& store) EXCLUDES(mutex_);

  // The schema as it is now. It stays valid, and never changes, for as long as the caller holds
  // it; a later change publishes a new one.
  [[nodiscard]] std::shared_ptr<const TableSchema> Find(std::string_view table) const
      EXCLUDES(mutex_);
  [[nodiscard]] std::optional<TableDescription> Describe(std::string_view table) const
      EXCLUDES(mutex_);
  [[nodiscard]] ListTablesReply List(const ListTablesRequest& request) const EXCLUDES(mutex_);
  [[nodiscard]] std::vector<std::shared_ptr<const TableSchema>> All() const EXCLUDES(mutex_);
  [[nodiscard]] TableCounters Counters(std::string_view table) const EXCLUDES(mutex_);

  void Publish(std::shared_ptr<const TableSchema> schema) EXCLUDES(mutex_);
  void PublishCounters(std::string_view table, const TableCounters& counters) EXCLUDES(mutex_);
  void Erase(std::string_view table) EXCLUDES(mutex_);

  // A stream may outlive its table, and one table may have had many.
  [[nodiscard]] std::shared_ptr<const Stream> FindStream(StreamId stream) const EXCLUDES(mutex_);
  [[nodiscard]] std::shared_ptr<const Stream> FindStream(std::string_view table,
                                                         std::int64_t created_unix_ms) const
      EXCLUDES(mutex_);
  // In the order of their ids, which is the order in which they were enabled.
  [[nodiscard]] std::vector<std::shared_ptr<const Stream>> AllStreams() const EXCLUDES(mutex_);
  void PublishStream(std::shared_ptr<const Stream> stream) EXCLUDES(mutex_);
  void EraseStream(StreamId stream) EXCLUDES(mutex_);

  // Notified when the stream has new records, or is another one than before.
  [[nodiscard]] StreamSignal& stream_signal(StreamId stream) const {
    return stream_signals_[static_cast<std::uint32_t>(stream) % kStreamSignals];
  }

 private:
  [[nodiscard]] Status LoadStreams(const storage::Store& store) EXCLUDES(mutex_);

  struct Entry {
    std::shared_ptr<const TableSchema> schema;
    TableCounters counters;
  };

  mutable Mutex mutex_;
  std::map<std::string, Entry, std::less<>> tables_ GUARDED_BY(mutex_);
  std::map<StreamId, std::shared_ptr<const Stream>> streams_ GUARDED_BY(mutex_);
  // A commit shall not wake those who wait for other streams; a few may share one.
  static constexpr std::size_t kStreamSignals = 64;
  mutable std::array<StreamSignal, kStreamSignals> stream_signals_;
};

// The status at `now_unix_ms`: a transient one ends by itself.
[[nodiscard]] TableStatus StatusAt(const TableSchema& schema, std::int64_t now_unix_ms);

}  // namespace trestle::engine
