#include "storage/key_list.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "base/bytes.h"

namespace trestle::storage {
namespace {

constexpr std::size_t kFirstPieceBytes = 4096;
constexpr std::size_t kPieceBytesMax = 256UL * 1024;

}  // namespace

// Allocated with its links behind it, one for each of its levels.
struct KeyList::Node {
  using Link = std::atomic<Node*>;  // to the next node of a level

  Head head;
  const char* entry = nullptr;

  [[nodiscard]] const Link* links() const { return reinterpret_cast<const Link*>(this + 1); }
  [[nodiscard]] Link* links() { return reinterpret_cast<Link*>(this + 1); }
  [[nodiscard]] Node* Next(int level) const {
    return links()[level].load(std::memory_order_acquire);
  }
  void SetNext(int level, Node* next) { links()[level].store(next, std::memory_order_release); }
};

KeyList::Head KeyList::HeadOf(std::string_view key) {
  if (key.size() >= 16) return {ReadU64Be(key), ReadU64Be(key.substr(8))};
  std::array<char, 16> filled{};
  std::ranges::copy(key, filled.begin());
  const std::string_view bytes(filled.data(), filled.size());
  return {ReadU64Be(bytes), ReadU64Be(bytes.substr(8))};
}

KeyList::KeyList(const Order& order) : order_(order), front_(NewNode(kLevels)) {}

KeyList::~KeyList() = default;

inline bool KeyList::IsBefore(const Node& node, const Key& key) const {
  if (node.head.first != key.head.first) return node.head.first < key.head.first;
  if (node.head.second != key.head.second) return node.head.second < key.head.second;
  return order_.Compare(node.entry, key.bytes) < 0;
}

inline KeyList::Node* KeyList::LastBefore(Node* node, int level, const Key& key) const {
  while (true) {
    Node* const next = node->Next(level);
    if (next == nullptr || !IsBefore(*next, key)) return node;
    node = next;
  }
}

void KeyList::Insert(const Key& key, const char* entry) {
  std::array<Node*, kLevels> before;
  before.fill(front_);
  Node* node = front_;
  for (int level = levels_.load(std::memory_order_relaxed) - 1; level >= 0; --level) {
    node = LastBefore(node, level, key);
    before[static_cast<std::size_t>(level)] = node;
  }

  const int levels = RandomLevels();
  // A reader that sees the old number misses a short cut, nothing else.
  if (levels > levels_.load(std::memory_order_relaxed)) {
    levels_.store(levels, std::memory_order_relaxed);
  }
  Node* const added = NewNode(levels);
  added->head = key.head;
  added->entry = entry;
  for (int level = 0; level < levels; ++level) {
    Node* const previous = before[static_cast<std::size_t>(level)];
    added->SetNext(level, previous->Next(level));
    previous->SetNext(level, added);  // from here on readers see all of it
  }
}

const KeyList::Node* KeyList::First() const { return front_->Next(0); }

const KeyList::Node* KeyList::Last() const {
  const Node* node = front_;
  for (int level = levels_.load(std::memory_order_relaxed) - 1; level >= 0; --level) {
    while (const Node* const next = node->Next(level))
      node = next;
  }
  return node == front_ ? nullptr : node;
}

const KeyList::Node* KeyList::AtOrAfter(const Key& key) const {
  Node* node = front_;
  for (int level = levels_.load(std::memory_order_relaxed) - 1; level > 0; --level)
    node = LastBefore(node, level, key);
  // As it is now: a node that was inserted meanwhile may be before the key, too.
  const Node* next = node->Next(0);
  while (next != nullptr && IsBefore(*next, key))
    next = next->Next(0);
  return next;
}

const KeyList::Node* KeyList::Before(const Key& key) const {
  Node* node = front_;
  for (int level = levels_.load(std::memory_order_relaxed) - 1; level >= 0; --level)
    node = LastBefore(node, level, key);
  return node == front_ ? nullptr : node;
}

const KeyList::Node* KeyList::After(const Node& node) { return node.Next(0); }
const char* KeyList::EntryOf(const Node& node) { return node.entry; }
KeyList::Head KeyList::HeadOf(const Node& node) { return node.head; }

KeyList::Node* KeyList::NewNode(int levels) {
  const std::size_t size = sizeof(Node) + static_cast<std::size_t>(levels) * sizeof(Node::Link);
  if (piece_size_ - piece_used_ < size) {
    piece_size_ = std::clamp(2 * piece_size_, kFirstPieceBytes, kPieceBytesMax);
    piece_used_ = 0;
    pieces_.push_back(std::make_unique_for_overwrite<std::byte[]>(piece_size_));
    memory_bytes_.fetch_add(piece_size_, std::memory_order_relaxed);
  }
  std::byte* const place = pieces_.back().get() + piece_used_;
  piece_used_ += size;
  auto* const node = new (place) Node{};
  for (int level = 0; level < levels; ++level)
    new (&node->links()[level]) Node::Link(nullptr);
  return node;
}

// One, and one more for a quarter of the nodes, and so on (xorshift64).
int KeyList::RandomLevels() {
  chance_ ^= chance_ << 13;
  chance_ ^= chance_ >> 7;
  chance_ ^= chance_ << 17;
  int levels = 1;
  for (std::uint64_t rest = chance_; levels < kLevels && (rest & 3) == 0; rest >>= 2)
    ++levels;
  return levels;
}

}  // namespace trestle::storage
