#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace trestle::storage {

// Entries in the order of their keys, as a skip list that only grows. One thread inserts; any
// number of others read meanwhile, without locks. What an entry is, its owner knows: a key list has
// its address and the first bytes of its key, which nearly always decide a comparison, so that a
// search stays within the list's own, dense memory.
class KeyList {
 public:
  // The first 16 bytes of a key as numbers; a shorter key is filled up with zeros.
  struct Head {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
    auto operator<=>(const Head&) const = default;
  };
  [[nodiscard]] static Head HeadOf(std::string_view key);

  // A key to insert or to look for. `bytes` is what the order is asked about when heads are equal.
  struct Key {
    Head head;
    std::string_view bytes;
  };

  // The order of keys with equal heads: below zero when the entry's key comes first, zero when they
  // are equal.
  class Order {
   public:
    virtual ~Order() = default;
    [[nodiscard]] virtual int Compare(const char* entry, std::string_view key) const = 0;
  };

  struct Node;

  explicit KeyList(const Order& order);
  ~KeyList();
  KeyList(const KeyList&) = delete;
  KeyList& operator=(const KeyList&) = delete;

  // The entry must stay where it is, and its key must not be in the list.
  void Insert(const Key& key, const char* entry);

  // Null: there is none.
  [[nodiscard]] const Node* First() const;
  [[nodiscard]] const Node* Last() const;
  [[nodiscard]] const Node* AtOrAfter(const Key& key) const;
  [[nodiscard]] const Node* Before(const Key& key) const;
  [[nodiscard]] static const Node* After(const Node& node);

  [[nodiscard]] static const char* EntryOf(const Node& node);
  [[nodiscard]] static Head HeadOf(const Node& node);

  [[nodiscard]] std::size_t memory_bytes() const {
    return memory_bytes_.load(std::memory_order_relaxed);
  }

 private:
  static constexpr int kLevels = 12;  // of a quarter of the nodes each: enough for millions

  [[nodiscard]] bool IsBefore(const Node& node, const Key& key) const;
  // The last node before `key` on the level, from `node` on, which is before it.
  [[nodiscard]] Node* LastBefore(Node* node, int level, const Key& key) const;
  [[nodiscard]] Node* NewNode(int levels);
  [[nodiscard]] int RandomLevels();

  const Order& order_;
  std::vector<std::unique_ptr<std::byte[]>> pieces_;  // what nodes are cut from
  std::size_t piece_used_ = 0;                        // of the last piece
  std::size_t piece_size_ = 0;
  std::atomic<std::size_t> memory_bytes_ = 0;
  std::uint64_t chance_ = 0x9e3779b97f4a7c15;  // of RandomLevels
  Node* const front_;                          // before all others, without an entry
  std::atomic<int> levels_ = 1;                // in use
};

}  // namespace trestle::storage
