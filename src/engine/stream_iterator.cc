#include "engine/stream_iterator.h"

#include "base/bytes.h"
#include "engine/rows.h"

namespace trestle::engine {
namespace {

constexpr char kFormat = 1;
constexpr std::size_t kIteratorBytes = 25;
constexpr std::size_t kMacBytes = 16;
constexpr std::size_t kKeyBytes = 32;

std::string KeyRow() { return std::string(1, static_cast<char>(RowKind::kMeta)) + "iterator_key"; }

}  // namespace

Result<IteratorSealer> IteratorSealer::Load(storage::Store& store, storage::Durability durability) {
  std::string key;
  const bool is_there = TRY(store.Read(KeyRow(), key, nullptr));
  if (is_there && key.size() != kKeyBytes) return CorruptionError("the iterator key is damaged");
  if (!is_there) {
    key = SecureRandomBytes(kKeyBytes);
    storage::Batch batch;
    batch.Put(KeyRow(), key);
    TRY(store.Commit(batch, durability));
  }
  return IteratorSealer(key);
}

std::string IteratorSealer::MacOf(std::string_view iterator, std::string_view arn) const {
  const Sha256Digest digest = mac_.Sign(std::string(iterator) + std::string(arn));
  return std::string(AsBytes(digest).substr(0, kMacBytes));
}

std::string IteratorSealer::Seal(const ShardIterator& iterator, std::string_view arn) const {
  std::string bytes(1, kFormat);
  AppendU32Be(bytes, static_cast<std::uint32_t>(iterator.stream));
  AppendU32Be(bytes, static_cast<std::uint32_t>(iterator.shard));
  AppendU64Be(bytes, iterator.next_sequence);
  AppendU64Be(bytes, static_cast<std::uint64_t>(iterator.issued_unix_ms));
  return bytes + MacOf(bytes, arn);
}

std::optional<ShardIterator> IteratorSealer::Open(std::string_view sealed,
                                                  std::string_view arn) const {
  if (sealed.size() != kIteratorBytes + kMacBytes || sealed[0] != kFormat) return std::nullopt;
  const std::string_view bytes = sealed.substr(0, kIteratorBytes);
  if (!ConstantTimeEqual(MacOf(bytes, arn), sealed.substr(kIteratorBytes))) return std::nullopt;
  return ShardIterator{.stream = static_cast<StreamId>(ReadU32Be(bytes.substr(1))),
                       .shard = static_cast<ShardId>(ReadU32Be(bytes.substr(5))),
                       .next_sequence = ReadU64Be(bytes.substr(9)),
                       .issued_unix_ms = static_cast<std::int64_t>(ReadU64Be(bytes.substr(17)))};
}

}  // namespace trestle::engine
