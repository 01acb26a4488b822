#include "engine/stream_shards.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/check.h"
#include "engine/rows.h"

namespace trestle::engine {
namespace {

constexpr char kFormat = 1;
constexpr std::int64_t kLoadWindowMs = 10'000;

void AppendText(std::string& out, std::string_view text) {
  AppendVarint(out, text.size());
  out.append(text);
}

bool TakeText(std::string_view& bytes, std::string& text) {
  std::uint64_t size = 0;
  if (!TakeVarint(bytes, size) || size > bytes.size()) return false;
  text = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

constexpr std::array kKeyTypes = {value::Type::kS, value::Type::kN, value::Type::kB};
constexpr std::string_view kKeyTypeLetters = "SNB";

std::string TextOf(const KeyAttribute& key) {
  const auto type = std::ranges::find(kKeyTypes, key.type);
  return kKeyTypeLetters[static_cast<std::size_t>(type - kKeyTypes.begin())] + key.name;
}

bool TakeKey(std::string_view& bytes, std::optional<KeyAttribute>& key) {
  std::string text;
  if (!TakeText(bytes, text)) return false;
  if (text.empty()) return true;
  const std::size_t type = kKeyTypeLetters.find(text[0]);
  if (type == std::string_view::npos) return false;
  key = KeyAttribute{.name = text.substr(1), .type = kKeyTypes[type]};
  return true;
}

// The numbers of a shard in their order on disk.
std::array<std::uint64_t, 9> FieldsOf(const Shard& shard) {
  const ShardName parent = shard.parent.value_or(ShardName{});
  return {static_cast<std::uint64_t>(shard.id),
          static_cast<std::uint64_t>(shard.opened_unix_ms),
          static_cast<std::uint64_t>(shard.closed_unix_ms),
          static_cast<std::uint64_t>(parent.id),
          static_cast<std::uint64_t>(parent.opened_unix_ms),
          shard.first_hash,
          shard.last_hash,
          shard.first_sequence,
          shard.last_sequence};
}

bool TakeShard(std::string_view& bytes, Shard& shard) {
  std::array<std::uint64_t, 9> fields{};
  for (std::uint64_t& field : fields) {
    if (!TakeVarint(bytes, field)) return false;
  }
  shard = {.id = static_cast<ShardId>(fields[0]),
           .opened_unix_ms = static_cast<std::int64_t>(fields[1]),
           .closed_unix_ms = static_cast<std::int64_t>(fields[2]),
           .first_hash = fields[5],
           .last_hash = fields[6],
           .first_sequence = fields[7],
           .last_sequence = fields[8]};
  if (fields[3] != 0) {
    shard.parent = ShardName{.id = static_cast<ShardId>(fields[3]),
                             .opened_unix_ms = static_cast<std::int64_t>(fields[4])};
  }
  return true;
}

void Close(Shard& shard, std::uint64_t last_sequence, std::int64_t now_unix_ms) {
  shard.closed_unix_ms = std::max<std::int64_t>(now_unix_ms, 1);
  shard.last_sequence = last_sequence;
}

}  // namespace

const Shard* Stream::FindShard(ShardId shard) const {
  const auto found = std::ranges::find(shards, shard, &Shard::id);
  return found == shards.end() ? nullptr : &*found;
}

const Shard& Stream::OpenShardOf(std::uint64_t hash) const {
  const auto found = std::ranges::find_if(shards, [hash](const Shard& shard) {
    return shard.IsOpen() && shard.first_hash <= hash && hash <= shard.last_hash;
  });
  CHECK(found != shards.end(), "the open shards of a stream share all hashes");
  return *found;
}

std::size_t Stream::OpenShardCount() const {
  return static_cast<std::size_t>(std::ranges::count_if(shards, &Shard::IsOpen));
}

std::uint64_t Stream::FirstSequence() const {
  return shards.empty() ? 0 : shards.front().first_sequence;
}

bool ShardLoad::Count(ShardId shard, std::int64_t now_unix_ms, const ShardPolicy& policy) {
  // A clock that is set back starts a new window too.
  if (now_unix_ms < window_start_unix_ms_ || now_unix_ms >= window_start_unix_ms_ + kLoadWindowMs) {
    window_start_unix_ms_ = now_unix_ms;
    records_.clear();
  }
  return ++records_[shard] > policy.records_per_second_max * (kLoadWindowMs / 1000);
}

Stream OpenStream(const TableSchema& table, std::uint64_t next_sequence) {
  Stream stream{.id = table.stream->id,
                .table = table.name,
                .partition = table.partition,
                .sort = table.sort,
                .view_type = table.stream->view_type,
                .created_unix_ms = table.stream->created_unix_ms};
  stream.shards.push_back({.id = ShardId{1},
                           .opened_unix_ms = stream.created_unix_ms,
                           .first_sequence = next_sequence});
  return stream;
}

void ReplaceShard(Stream& stream, ShardId shard, Children children, std::uint64_t next_sequence,
                  std::int64_t now_unix_ms) {
  const auto parent = std::ranges::find(stream.shards, shard, &Shard::id);
  CHECK(parent != stream.shards.end(), "a shard of this stream");
  Close(*parent, next_sequence - 1, now_unix_ms);
  const auto next_id = static_cast<std::uint32_t>(stream.shards.back().id) + 1;
  Shard child{.id = static_cast<ShardId>(next_id),
              .parent = parent->Name(),
              .opened_unix_ms = now_unix_ms,
              .first_hash = parent->first_hash,
              .last_hash = parent->last_hash,
              .first_sequence = next_sequence};
  if (children == Children::kOne) {
    stream.shards.push_back(child);
    return;
  }
  Shard sibling = child;
  sibling.id = static_cast<ShardId>(next_id + 1);
  child.last_hash = child.first_hash + (child.last_hash - child.first_hash) / 2;
  sibling.first_hash = child.last_hash + 1;
  stream.shards.push_back(child);
  stream.shards.push_back(sibling);
}

void CloseStream(Stream& stream, std::uint64_t last_sequence, std::int64_t now_unix_ms) {
  stream.disabled_unix_ms = std::max<std::int64_t>(now_unix_ms, 1);
  for (Shard& shard : stream.shards) {
    if (shard.IsOpen()) Close(shard, last_sequence, now_unix_ms);
  }
}

bool ForgetShards(Stream& stream, std::uint64_t first_kept_sequence, std::int64_t before_unix_ms) {
  return std::erase_if(stream.shards, [&](const Shard& shard) {
           return !shard.IsOpen() && shard.closed_unix_ms < before_unix_ms &&
                  shard.last_sequence < first_kept_sequence;
         }) > 0;
}

std::string StreamStateRow(StreamId stream) {
  return RowPrefix(RowKind::kStreamState, static_cast<std::uint32_t>(stream));
}

std::string EncodeStream(const Stream& stream) {
  std::string bytes(1, kFormat);
  AppendText(bytes, stream.table);
  AppendVarint(bytes, static_cast<std::uint64_t>(stream.view_type));
  AppendVarint(bytes, static_cast<std::uint64_t>(stream.created_unix_ms));
  AppendVarint(bytes, static_cast<std::uint64_t>(stream.disabled_unix_ms));
  AppendText(bytes, TextOf(stream.partition));
  AppendText(bytes, stream.sort ? TextOf(*stream.sort) : "");
  AppendVarint(bytes, stream.shards.size());
  for (const Shard& shard : stream.shards) {
    for (const std::uint64_t field : FieldsOf(shard))
      AppendVarint(bytes, field);
  }
  return bytes;
}

Result<Stream> DecodeStream(StreamId id, std::string_view bytes) {
  const Error damaged = CorruptionError("the row of a stream is damaged");
  if (bytes.empty() || bytes[0] != kFormat) return damaged;
  bytes.remove_prefix(1);
  Stream stream{.id = id};
  std::uint64_t view = 0;
  std::uint64_t created = 0;
  std::uint64_t disabled = 0;
  std::uint64_t shard_count = 0;
  std::optional<KeyAttribute> partition;
  const bool is_whole = TakeText(bytes, stream.table) && TakeVarint(bytes, view) &&
                        TakeVarint(bytes, created) && TakeVarint(bytes, disabled) &&
                        TakeKey(bytes, partition) && TakeKey(bytes, stream.sort) &&
                        TakeVarint(bytes, shard_count);
  const auto last_view = static_cast<std::uint64_t>(StreamViewType::kNewAndOldImages);
  if (!is_whole || view > last_view || !partition) return damaged;
  stream.view_type = static_cast<StreamViewType>(view);
  stream.created_unix_ms = static_cast<std::int64_t>(created);
  stream.disabled_unix_ms = static_cast<std::int64_t>(disabled);
  stream.partition = *std::move(partition);
  for (std::uint64_t i = 0; i < shard_count; ++i) {
    if (!TakeShard(bytes, stream.shards.emplace_back())) return damaged;
  }
  if (!bytes.empty() || (stream.IsEnabled() && stream.OpenShardCount() == 0)) return damaged;
  return stream;
}

}  // namespace trestle::engine
