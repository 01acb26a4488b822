#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "remote/client.h"
#include "value/item.h"

// The operations on streams, as typed calls.

namespace trestle::remote {

struct ShardDescription {
  std::string id;
  std::string parent;  // empty: none; it may be gone already
  bool is_open = true;
};

struct StreamDescription {
  std::string status;  // "ENABLED", "DISABLED", ...
  std::vector<ShardDescription> shards;
};

// With all its shards, page after page.
[[nodiscard]] Result<StreamDescription> DescribeStream(Client& client,
                                                       const std::string& stream_arn);

enum class IteratorType : std::uint8_t { kTrimHorizon, kLatest, kAfterSequenceNumber };

struct ShardIteratorInput {
  std::string stream_arn;
  std::string shard_id;
  IteratorType type = IteratorType::kTrimHorizon;
  std::string sequence_number;  // of kAfterSequenceNumber
};
[[nodiscard]] Result<std::string> GetShardIterator(Client& client, const ShardIteratorInput& input);

struct StreamRecord {
  std::string sequence_number;
  value::Item keys;
  std::optional<value::Item> old_image;
  std::optional<value::Item> new_image;
  bool is_expiry = false;  // removed by the service, because its time to live was over
  std::int64_t time_unix_ms = 0;
};

struct RecordsOutput {
  std::vector<StreamRecord> records;
  std::string next_iterator;  // empty: the shard is closed and read to its end
};
[[nodiscard]] Result<RecordsOutput> GetRecords(Client& client, const std::string& iterator,
                                               std::uint32_t limit);

}  // namespace trestle::remote
