#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/request.h"
#include "engine/stream_iterator.h"
#include "storage/store.h"

// Reading streams: which there are, their shards, and the records.

namespace trestle::engine {

// The records of a stream from one on, in the order of their commit.
struct RecordRange {
  std::uint64_t first_sequence = 1;
  // Set: the first record must be there if its number is not behind this one, the last of the
  // stream. kTrimmedDataAccess otherwise. Not set: what was trimmed is passed over.
  std::optional<std::uint64_t> known_sequence = std::nullopt;
  std::uint64_t last_sequence = std::numeric_limits<std::uint64_t>::max();
  std::optional<ShardId> shard = std::nullopt;  // none: of all shards
  std::size_t records_max = 1000;
};

struct RecordRun {
  std::vector<SequencedRecord> records;
  std::uint64_t next_sequence = 0;  // where the next run starts
  bool has_more = false;            // rows that were there, in the range
};

// Some records of the range, within 1 MB and bounded work; it may be none though there are more.
[[nodiscard]] Result<RecordRun> ReadRecords(const storage::Store& store, StreamId stream,
                                            const RecordRange& range);

// The number of the last record that was ever written to the stream.
[[nodiscard]] std::uint64_t LastSequence(const Catalog& catalog, const Stream& stream);

// The operations on streams. A view of the database's parts, made for a call.
class StreamReader {
 public:
  StreamReader(const storage::Store& store, const Catalog& catalog, const IteratorSealer& sealer,
               std::int64_t now_unix_ms)
      : store_(store), catalog_(catalog), sealer_(sealer), now_unix_ms_(now_unix_ms) {}

  [[nodiscard]] ListStreamsReply List(const ListStreamsRequest& request) const;
  // `transient_status_ms`: how long a stream is ENABLING and DISABLING.
  [[nodiscard]] Result<DescribeStreamReply> Describe(const DescribeStreamRequest& request,
                                                     std::int64_t transient_status_ms) const;
  [[nodiscard]] Result<ShardIteratorReply> MakeIterator(const ShardIteratorRequest& request) const;
  [[nodiscard]] Result<RecordsReply> Read(const RecordsRequest& request) const;

 private:
  const storage::Store& store_;
  const Catalog& catalog_;
  const IteratorSealer& sealer_;
  const std::int64_t now_unix_ms_;
};

}  // namespace trestle::engine
