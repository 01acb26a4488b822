#include "storage/memory_store.h"

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "base/mutex.h"

namespace trestle::storage {
namespace {

// The rows of a key by the commit that wrote them; nothing means deleted.
using Versions = std::map<std::uint64_t, std::optional<std::string>>;

struct Rows {
  Mutex mutex;
  std::map<std::string, Versions, std::less<>> versions GUARDED_BY(mutex);
  std::uint64_t last_commit GUARDED_BY(mutex) = 0;
};

const std::string* At(const Versions& versions, std::uint64_t commit) {
  const auto after = versions.upper_bound(commit);
  if (after == versions.begin()) return nullptr;
  const std::optional<std::string>& value = std::prev(after)->second;
  return value ? &*value : nullptr;
}

struct MemorySnapshot final : Snapshot {
  explicit MemorySnapshot(std::uint64_t at) : commit(at) {}
  const std::uint64_t commit;
};

class MemoryCursor final : public Cursor {
 public:
  MemoryCursor(Rows& rows, std::uint64_t commit, std::string first, std::string end)
      : rows_(rows), commit_(commit), first_(std::move(first)), end_(std::move(end)) {}

  void Seek(std::string_view key) override {
    const MutexLock lock(rows_.mutex);
    FindForward(rows_.versions.lower_bound(key < first_ ? std::string_view(first_) : key));
  }
  void SeekBefore(std::string_view key) override {
    const MutexLock lock(rows_.mutex);
    FindBackward(rows_.versions.lower_bound(!end_.empty() && key > end_ ? end_ : key));
  }
  void Next() override {
    const MutexLock lock(rows_.mutex);
    FindForward(rows_.versions.upper_bound(key_));
  }
  void Previous() override {
    const MutexLock lock(rows_.mutex);
    FindBackward(rows_.versions.lower_bound(key_));
  }
  [[nodiscard]] bool Valid() const override { return is_valid_; }
  [[nodiscard]] std::string_view key() const override { return key_; }
  [[nodiscard]] std::string_view value() const override { return value_; }
  [[nodiscard]] Status status() const override { return Ok(); }

 private:
  using Iterator = std::map<std::string, Versions, std::less<>>::const_iterator;

  void FindForward(Iterator at) REQUIRES(rows_.mutex) {
    is_valid_ = false;
    for (; at != rows_.versions.end() && (end_.empty() || at->first < end_); ++at) {
      if (Take(at)) return;
    }
  }

  // The last row before `at`.
  void FindBackward(Iterator at) REQUIRES(rows_.mutex) {
    is_valid_ = false;
    while (at != rows_.versions.begin()) {
      --at;
      if (at->first < first_ || Take(at)) return;
    }
  }

  bool Take(Iterator at) REQUIRES(rows_.mutex) {
    const std::string* value = At(at->second, commit_);
    if (value == nullptr) return false;
    key_ = at->first;
    value_ = *value;
    is_valid_ = true;
    return true;
  }

  Rows& rows_;
  const std::uint64_t commit_;
  const std::string first_;
  const std::string end_;
  bool is_valid_ = false;
  std::string key_;
  std::string value_;
};

class MemoryStore final : public Store {
 public:
  [[nodiscard]] Result<bool> Read(std::string_view key, std::string& value,
                                  const Snapshot* snapshot) const override {
    const MutexLock lock(rows_.mutex);
    const auto found = rows_.versions.find(key);
    if (found == rows_.versions.end()) return false;
    const std::string* at = At(found->second, CommitOf(snapshot));
    if (at != nullptr) value = *at;
    return at != nullptr;
  }

  [[nodiscard]] std::unique_ptr<Snapshot> TakeSnapshot() const override {
    const MutexLock lock(rows_.mutex);
    return std::make_unique<MemorySnapshot>(rows_.last_commit);
  }

  [[nodiscard]] std::unique_ptr<Cursor> NewCursor(std::string first, std::string end,
                                                  const Snapshot* snapshot) const override {
    const MutexLock lock(rows_.mutex);
    return std::make_unique<MemoryCursor>(rows_, CommitOf(snapshot), std::move(first),
                                          std::move(end));
  }

  [[nodiscard]] Status Commit(const Batch& batch, Durability /*durability*/) override {
    const MutexLock lock(rows_.mutex);
    const std::uint64_t commit = ++rows_.last_commit;
    // The analysis does not see that the functions below run under this lock.
    auto* const versions = &rows_.versions;
    const auto set = [versions, commit](std::string_view key, std::optional<std::string> value) {
      auto found = versions->find(key);
      if (found == versions->end()) found = versions->emplace(std::string(key), Versions()).first;
      found->second.insert_or_assign(commit, std::move(value));
    };
    batch.ForEach(
        [&](std::string_view key, std::string_view value) { set(key, std::string(value)); },
        [&](std::string_view key) { set(key, std::nullopt); });
    return Ok();
  }

 private:
  [[nodiscard]] std::uint64_t CommitOf(const Snapshot* snapshot) const REQUIRES(rows_.mutex) {
    if (snapshot == nullptr) return rows_.last_commit;
    return static_cast<const MemorySnapshot*>(snapshot)->commit;
  }

  mutable Rows rows_;
};

}  // namespace

std::unique_ptr<Store> NewMemoryStore() { return std::make_unique<MemoryStore>(); }

}  // namespace trestle::storage
