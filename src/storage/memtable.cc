#include "storage/memtable.h"

#include <cstddef>
#include <new>
#include <string_view>
#include <utility>

#include "storage/key_list.h"

namespace trestle::storage {
namespace {

using rocksdb::MemTableRep;

// RocksDB's keys end with the number of their write, which later writes of a row sort before.
constexpr std::size_t kNumberBytes = 8;

KeyList::Key KeyOf(const rocksdb::Slice& internal_key) {
  const std::string_view bytes(internal_key.data(), internal_key.size());
  return {.head = KeyList::HeadOf(bytes.substr(0, bytes.size() - kNumberBytes)), .bytes = bytes};
}

class MemtableIterator : public MemTableRep::Iterator {
 public:
  MemtableIterator(const KeyList& keys, const MemTableRep::KeyComparator& compare)
      : keys_(keys), compare_(compare) {}

  [[nodiscard]] bool Valid() const override { return node_ != nullptr; }
  [[nodiscard]] const char* key() const override { return KeyList::EntryOf(*node_); }
  void Next() override { node_ = KeyList::After(*node_); }
  void Prev() override {
    const rocksdb::Slice key = compare_.decode_key(KeyList::EntryOf(*node_));
    node_ = keys_.Before(KeyOf(key));
  }
  void Seek(const rocksdb::Slice& internal_key, const char* /*memtable_key*/) override {
    node_ = keys_.AtOrAfter(KeyOf(internal_key));
  }
  void SeekForPrev(const rocksdb::Slice& internal_key, const char* /*memtable_key*/) override {
    const KeyList::Key key = KeyOf(internal_key);
    node_ = keys_.AtOrAfter(key);
    const bool is_found = node_ != nullptr && compare_(KeyList::EntryOf(*node_), internal_key) == 0;
    if (!is_found) node_ = keys_.Before(key);
  }
  void SeekToFirst() override { node_ = keys_.First(); }
  void SeekToLast() override { node_ = keys_.Last(); }

 private:
  const KeyList& keys_;
  const MemTableRep::KeyComparator& compare_;
  const KeyList::Node* node_ = nullptr;
};

// Memory of the iterator below that the thread destroyed last; it is freed with the next one, or at
// the end of the thread. The pointer has no destructor: an iterator may be destroyed even later.
thread_local void* memory_of_last = nullptr;
struct LastIterator {
  LastIterator() = default;
  ~LastIterator() { Replace(nullptr); }
  LastIterator(const LastIterator&) = delete;
  LastIterator& operator=(const LastIterator&) = delete;
  void Replace(void* memory) const { ::operator delete(std::exchange(memory_of_last, memory)); }
};
thread_local LastIterator last_iterator;

// RocksDB destroys this one without freeing it: it is meant to be in an arena, of a class that is
// not in RocksDB's headers. Its memory must outlive its destructor.
class IteratorInNoArena final : public MemtableIterator {
 public:
  using MemtableIterator::MemtableIterator;
  ~IteratorInNoArena() override { last_iterator.Replace(this); }
  IteratorInNoArena(const IteratorInNoArena&) = delete;
  IteratorInNoArena& operator=(const IteratorInNoArena&) = delete;

  static MemTableRep::Iterator* New(const KeyList& keys,
                                    const MemTableRep::KeyComparator& compare) {
    return new (::operator new(sizeof(IteratorInNoArena))) IteratorInNoArena(keys, compare);
  }
};

class Memtable final : public MemTableRep, private KeyList::Order {
 public:
  Memtable(const KeyComparator& compare, rocksdb::Allocator* allocator)
      : MemTableRep(allocator), compare_(compare), keys_(*this) {}

  void Insert(rocksdb::KeyHandle handle) override {
    const char* const entry = static_cast<const char*>(handle);
    keys_.Insert(KeyOf(compare_.decode_key(entry)), entry);
  }

  bool Contains(const char* entry) const override {
    const rocksdb::Slice key = compare_.decode_key(entry);
    const KeyList::Node* const node = keys_.AtOrAfter(KeyOf(key));
    return node != nullptr && compare_(KeyList::EntryOf(*node), key) == 0;
  }

  std::size_t ApproximateMemoryUsage() override { return keys_.memory_bytes(); }

  Iterator* GetIterator(rocksdb::Arena* arena) override {
    if (arena != nullptr) return IteratorInNoArena::New(keys_, compare_);
    return new MemtableIterator(keys_, compare_);
  }

  // RocksDB's Get asks for one of these without an arena, and forgets it: it gets the thread's own.
  Iterator* GetDynamicPrefixIterator(rocksdb::Arena* arena) override {
    if (arena != nullptr) return GetIterator(arena);
    alignas(MemtableIterator) thread_local std::byte memory[sizeof(MemtableIterator)];
    return new (memory) MemtableIterator(keys_, compare_);
  }

 private:
  [[nodiscard]] int Compare(const char* entry, std::string_view key) const override {
    return compare_(entry, rocksdb::Slice(key.data(), key.size()));
  }

  const KeyComparator& compare_;
  KeyList keys_;
};

class MemtableFactory final : public rocksdb::MemTableRepFactory {
 public:
  using MemTableRepFactory::CreateMemTableRep;
  rocksdb::MemTableRep* CreateMemTableRep(const MemTableRep::KeyComparator& compare,
                                          rocksdb::Allocator* allocator,
                                          const rocksdb::SliceTransform* /*prefixes*/,
                                          rocksdb::Logger* /*logger*/) override {
    return new Memtable(compare, allocator);
  }
  [[nodiscard]] const char* Name() const override { return "trestle.Memtable"; }
};

}  // namespace

std::shared_ptr<rocksdb::MemTableRepFactory> NewMemtableFactory() {
  return std::make_shared<MemtableFactory>();
}

}  // namespace trestle::storage
