#include "engine/stream.h"

#include "base/bytes.h"
#include "engine/keys.h"
#include "engine/rows.h"

namespace trestle::engine {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kShardPlace = 2;
constexpr std::size_t kTimePlace = 6;
constexpr std::size_t kHeadBytes = 14;

void AppendSized(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

bool TakeSized(std::string_view& bytes, std::string& out) {
  std::uint64_t size = 0;
  if (!TakeVarint(bytes, size) || size > bytes.size()) return false;
  out = bytes.substr(0, size);
  bytes.remove_prefix(size);
  return true;
}

Error Damaged() { return CorruptionError("a stream record is damaged"); }

}  // namespace

Result<ShardId> ShardOf(std::string_view record) {
  if (record.size() < kHeadBytes || record[0] != kFormat) return Damaged();
  return static_cast<ShardId>(ReadU32Be(record.substr(kShardPlace)));
}

std::string EncodeStreamRecord(const StreamRecord& record) {
  std::string bytes(1, kFormat);
  bytes.push_back(static_cast<char>(record.event));
  AppendU32Be(bytes, static_cast<std::uint32_t>(record.shard));
  AppendU64Be(bytes, static_cast<std::uint64_t>(record.time_unix_ms));
  AppendSized(bytes, record.keys);
  AppendSized(bytes, record.old_image);
  AppendSized(bytes, record.new_image);
  return bytes;
}

Result<StreamRecord> DecodeStreamRecord(std::string_view bytes) {
  StreamRecord record;
  record.shard = TRY(ShardOf(bytes));
  record.event = static_cast<StreamEvent>(bytes[1]);
  record.time_unix_ms = static_cast<std::int64_t>(ReadU64Be(bytes.substr(kTimePlace)));
  bytes.remove_prefix(kHeadBytes);
  const bool is_whole = TakeSized(bytes, record.keys) && TakeSized(bytes, record.old_image) &&
                        TakeSized(bytes, record.new_image) && bytes.empty();
  if (!is_whole) return Damaged();
  return record;
}

std::optional<StreamRecord> MakeStreamRecord(const TableSchema& table, std::int64_t now_unix_ms,
                                             const std::optional<value::ItemView>& old_item,
                                             const std::optional<value::ItemView>& new_item) {
  if (!old_item && !new_item) return std::nullopt;
  if (old_item && new_item && old_item->bytes() == new_item->bytes()) return std::nullopt;

  StreamRecord record;
  record.event = !old_item   ? StreamEvent::kInsert
                 : !new_item ? StreamEvent::kRemove
                             : StreamEvent::kModify;
  record.time_unix_ms = now_unix_ms;
  record.keys = KeyOf(table, new_item ? *new_item : *old_item).bytes();
  const StreamViewType view = table.stream->view_type;
  const bool has_both = view == StreamViewType::kNewAndOldImages;
  if (old_item && (has_both || view == StreamViewType::kOldImage)) {
    record.old_image = old_item->bytes();
  }
  if (new_item && (has_both || view == StreamViewType::kNewImage)) {
    record.new_image = new_item->bytes();
  }
  return record;
}

std::string StreamRow(StreamId stream, std::uint64_t sequence) {
  std::string row = RowPrefix(RowKind::kStream, static_cast<std::uint32_t>(stream));
  AppendU64Be(row, sequence);
  return row;
}

std::uint64_t SequenceOf(std::string_view row) { return ReadU64Be(row.substr(row.size() - 8)); }

}  // namespace trestle::engine
