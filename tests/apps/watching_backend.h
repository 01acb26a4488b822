#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/mutex.h"
#include "design/passing_backend.h"

namespace trestle::apps::testing {

// A back end that passes everything on, and counts writes, and what apps must not do: Scan. It can
// also write down what requests ask for, and end in the middle of it.
class WatchingBackend final : public design::PassingBackend {
 public:
  using PassingBackend::PassingBackend;

  [[nodiscard]] std::uint64_t scans() const { return scans_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }  // requests

  // After so many more writes the process has ended, as far as the back end can tell: nothing is
  // done any more. Items of a batch count one by one.
  void EndAfter(std::int64_t writes) { writes_left_ = writes; }
  [[nodiscard]] bool has_ended() const { return writes_left_ < 0; }

  // Of items that pages had, for marked threads.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

  // From now on this thread works for requests.
  static void MarkThread() { is_marked_ = true; }
  // What marked threads ask for between the two, in words: "Query GSI1", or "3 x GetItem".
  void StartRecording() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    operations_.clear();
    is_recording_ = true;
  }
  [[nodiscard]] std::vector<std::string> StopRecording() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    is_recording_ = false;
    std::vector<std::string> texts;
    for (const auto& [text, count] : operations_)
      texts.push_back(count == 1 ? text : fmt::format("{} x {}", count, text));
    return texts;
  }

  Result<std::optional<value::Item>> Get(const design::ReadItem& read) override {
    if (has_ended()) return Gone();
    Record("GetItem", read.table);
    return inner().Get(read);
  }
  Result<std::vector<value::Item>> BatchGet(const std::string& table,
                                            std::span<const value::Item> keys,
                                            bool is_consistent) override {
    if (has_ended()) return Gone();
    Record("BatchGetItem", table);
    return inner().BatchGet(table, keys, is_consistent);
  }
  Result<design::Page> Read(const design::ReadPage& read) override {
    if (has_ended()) return Gone();
    const bool is_scan = read.key_condition.terms.empty();
    if (is_scan) ++scans_;
    Record(fmt::format("{}{}{}", is_scan ? "Scan" : "Query", read.index.empty() ? "" : " ",
                       read.index),
           read.table);
    auto page = inner().Read(read);
    if (page.ok() && is_marked_) {
      for (const value::Item& item : page->items)
        bytes_read_ += item.bytes().size();
    }
    return page;
  }
  Status Write(const design::WriteItem& write) override {
    ++writes_;
    if (--writes_left_ < 0) return Gone();
    Record(NameOf(write.kind) + "Item", write.table);
    return inner().Write(write);
  }
  Status Transact(std::span<const design::WriteItem> writes, const std::string& token) override {
    ++writes_;
    if (--writes_left_ < 0) return Gone();
    RecordTransaction(writes);
    return inner().Transact(writes, token);
  }
  Status BatchWrite(std::span<const design::WriteItem> writes) override {
    ++writes_;
    if (!writes.empty()) Record("BatchWriteItem", writes.front().table);
    const auto count = static_cast<std::int64_t>(writes.size());
    const std::int64_t left = (writes_left_ -= count) + count;
    if (left >= count) return inner().BatchWrite(writes);
    if (left > 0)
      static_cast<void>(inner().BatchWrite(writes.first(static_cast<std::size_t>(left))));
    return Gone();
  }

 private:
  static Error Gone() { return {ErrorCode::kUnavailable, "the process has ended"}; }

  static std::string NameOf(design::ActionKind kind) {
    switch (kind) {
      case design::ActionKind::kPut:
        return "Put";
      case design::ActionKind::kUpdate:
        return "Update";
      case design::ActionKind::kDelete:
        return "Delete";
      case design::ActionKind::kCheck:
        break;
    }
    return "ConditionCheck";
  }

  void RecordTransaction(std::span<const design::WriteItem> writes) {
    std::map<std::string, int> kinds;
    for (const design::WriteItem& write : writes)
      ++kinds[NameOf(write.kind)];
    std::string text;
    for (const auto& [kind, count] : kinds)
      text += fmt::format("{}{}{}", text.empty() ? "" : ", ", kind,
                          count == 1 ? "" : fmt::format(" x {}", count));
    Record(fmt::format("TransactWriteItems ({})", text), writes.front().table);
  }

  // Accounts have a table of their own, which every request may look at.
  void Record(const std::string& text, std::string_view table) EXCLUDES(mutex_) {
    if (!is_marked_ || table == "TrestlePlatform") return;
    const MutexLock lock(mutex_);
    if (!is_recording_) return;
    const auto same = std::ranges::find(operations_, text, &std::pair<std::string, int>::first);
    if (same == operations_.end()) {
      operations_.emplace_back(text, 1);
    } else {
      ++same->second;
    }
  }

  static inline thread_local bool is_marked_ = false;

  Mutex mutex_;
  bool is_recording_ GUARDED_BY(mutex_) = false;
  std::vector<std::pair<std::string, int>> operations_ GUARDED_BY(mutex_);  // in their order
  std::atomic<std::uint64_t> scans_ = 0;
  std::atomic<std::uint64_t> bytes_read_ = 0;
  std::atomic<std::uint64_t> writes_ = 0;
  std::atomic<std::int64_t> writes_left_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace trestle::apps::testing
