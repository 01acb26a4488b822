#include "storage/row_cache.h"

#include <cstring>
#include <new>
#include <utility>

#include "base/hash.h"

namespace trestle::storage {

struct RowCache::Entry {
  Entry* next;
  std::uint64_t hash;
  std::uint32_t key_size;
  std::uint32_t value_size;
  bool is_referenced;  // read since the hand came by

  [[nodiscard]] static Entry* New(std::uint64_t hash, std::string_view key,
                                  std::string_view value) {
    auto* entry = new (::operator new(sizeof(Entry) + key.size() + value.size()))
        Entry{.next = nullptr,
              .hash = hash,
              .key_size = static_cast<std::uint32_t>(key.size()),
              .value_size = static_cast<std::uint32_t>(value.size()),
              .is_referenced = false};
    std::memcpy(entry->bytes(), key.data(), key.size());
    std::memcpy(entry->bytes() + key.size(), value.data(), value.size());
    return entry;
  }
  static void Delete(Entry* entry) { ::operator delete(entry); }

  [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view key() { return {bytes(), key_size}; }
  [[nodiscard]] std::string_view value() { return {bytes() + key_size, value_size}; }
  // With what the allocator adds, and the bucket.
  [[nodiscard]] std::size_t charge() const {
    return sizeof(Entry) + key_size + value_size + 3 * sizeof(void*);
  }
};

namespace {

constexpr std::size_t kInitialBuckets = 16;
// A row that takes more of its shard than this would drive too many others out.
constexpr std::size_t kShardPartMax = 8;

}  // namespace

RowCache::RowCache(std::size_t capacity_bytes) : shard_bytes_(capacity_bytes / kShardCount) {
  for (Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    shard.buckets.resize(kInitialBuckets);
  }
}

RowCache::~RowCache() {
  for (Shard& shard : shards_) {
    const MutexLock lock(shard.mutex);
    shard.Evict(0);
  }
}

bool RowCache::Find(std::string_view key, std::string& value, Ticket& ticket) {
  const std::uint64_t hash = StableHash(key);
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  const Stripe& stripe = shard.StripeOf(hash);
  ticket = {.hash = hash, .version = stripe.version, .is_valid = stripe.pending == 0};
  if (!ticket.is_valid) return false;
  Entry* const entry = *shard.Locate(hash, key);
  if (entry == nullptr) return false;
  entry->is_referenced = true;
  value.assign(entry->value());
  return true;
}

void RowCache::Insert(std::string_view key, std::string_view value, const Ticket& ticket) {
  if (!ticket.is_valid || key.size() + value.size() > shard_bytes_ / kShardPartMax) return;
  Entry* const entry = Entry::New(ticket.hash, key, value);
  Shard& shard = ShardOf(ticket.hash);
  const MutexLock lock(shard.mutex);
  const bool is_current = shard.StripeOf(ticket.hash).version == ticket.version;
  if (!is_current || *shard.Locate(ticket.hash, key) != nullptr) return Entry::Delete(entry);
  shard.Add(entry);
  shard.Evict(shard_bytes_);
}

void RowCache::BeginCommit(const Batch& batch) {
  const auto begin = [&](std::string_view key) {
    const std::uint64_t hash = StableHash(key);
    Shard& shard = ShardOf(hash);
    const MutexLock lock(shard.mutex);
    Stripe& stripe = shard.StripeOf(hash);
    ++stripe.version;
    ++stripe.pending;
  };
  batch.ForEach([&](std::string_view key, std::string_view) { begin(key); }, begin);
}

void RowCache::EndCommit(const Batch& batch, bool is_committed) {
  batch.ForEach([&](std::string_view key,
                    std::string_view value) { EndRow(key, is_committed ? &value : nullptr); },
                [&](std::string_view key) { EndRow(key, nullptr); });
}

// Gives a cached row its new value, or removes it. Rows that nobody read stay out.
void RowCache::EndRow(std::string_view key, const std::string_view* value) {
  const std::uint64_t hash = StableHash(key);
  Shard& shard = ShardOf(hash);
  const MutexLock lock(shard.mutex);
  --shard.StripeOf(hash).pending;
  Entry** const link = shard.Locate(hash, key);
  Entry* const old = *link;
  if (old == nullptr) return;
  if (value != nullptr && old->value_size == value->size()) {
    std::memcpy(old->bytes() + old->key_size, value->data(), value->size());
    return;
  }
  shard.Remove(link);
  if (value == nullptr) return;
  shard.Add(Entry::New(hash, key, *value));
  shard.Evict(shard_bytes_);
}

RowCache::Shard& RowCache::ShardOf(std::uint64_t hash) { return shards_[hash >> 58]; }

RowCache::Stripe& RowCache::Shard::StripeOf(std::uint64_t hash) {
  return stripes[(hash >> 50) % kStripeCount];
}

RowCache::Entry** RowCache::Shard::Locate(std::uint64_t hash, std::string_view key) {
  Entry** link = &buckets[hash & (buckets.size() - 1)];
  while (*link != nullptr && ((*link)->hash != hash || (*link)->key() != key))
    link = &(*link)->next;
  return link;
}

void RowCache::Shard::Add(Entry* entry) {
  if (entry_count == buckets.size()) Grow();
  Entry*& bucket = buckets[entry->hash & (buckets.size() - 1)];
  entry->next = std::exchange(bucket, entry);
  ++entry_count;
  used_bytes += entry->charge();
}

void RowCache::Shard::Remove(Entry** link) {
  Entry* const entry = std::exchange(*link, (*link)->next);
  --entry_count;
  used_bytes -= entry->charge();
  Entry::Delete(entry);
}

void RowCache::Shard::Grow() {
  std::vector<Entry*> old(buckets.size() * 2);
  old.swap(buckets);
  for (Entry* entry : old) {
    while (entry != nullptr) {
      Entry*& bucket = buckets[entry->hash & (buckets.size() - 1)];
      Entry* const next = std::exchange(entry->next, bucket);
      bucket = entry;
      entry = next;
    }
  }
}

void RowCache::Shard::Evict(std::size_t capacity_bytes) {
  while (used_bytes > capacity_bytes) {
    hand = (hand + 1) & (buckets.size() - 1);
    Entry** link = &buckets[hand];
    while (*link != nullptr) {
      if (std::exchange((*link)->is_referenced, false)) {
        link = &(*link)->next;
      } else {
        Remove(link);
      }
    }
  }
}

}  // namespace trestle::storage
