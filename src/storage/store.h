#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "storage/batch.h"

namespace trestle::storage {

// Rows whose keys begin with the same bytes, this many, are looked for together: a cursor over some
// of them passes by files that have none.
inline constexpr std::size_t kKeyPrefixBytes = 13;

// kSync: a commit returns when it would survive a power cut. kRelaxed: when the operating system
// has it; a crash of the process loses nothing, a power cut may lose the last moments.
enum class Durability { kSync, kRelaxed };

// A state of the store that does not change. Valid while the store is open.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
};

// Walks rows in order of their keys, on the state at its creation.
class Cursor {
 public:
  virtual ~Cursor() = default;
  // To the first row at or after `key`; to the last row before `key`.
  virtual void Seek(std::string_view key) = 0;
  virtual void SeekBefore(std::string_view key) = 0;
  virtual void Next() = 0;
  virtual void Previous() = 0;
  // False past either end, or after a failure, which status() then tells.
  [[nodiscard]] virtual bool Valid() const = 0;
  [[nodiscard]] virtual std::string_view key() const = 0;
  [[nodiscard]] virtual std::string_view value() const = 0;
  [[nodiscard]] virtual Status status() const = 0;
};

// An ordered map from byte strings to byte strings that survives a crash.
//
// Safe to use from many threads. A Store must outlive its cursors and snapshots.
class Store {
 public:
  virtual ~Store() = default;

  // The value at `key`, into `value`; false when there is none. A null snapshot means now.
  [[nodiscard]] virtual Result<bool> Read(std::string_view key, std::string& value,
                                          const Snapshot* snapshot) const = 0;

  [[nodiscard]] virtual std::unique_ptr<Snapshot> TakeSnapshot() const = 0;

  // A cursor over the rows from `first` up to, not including, `end`. A null snapshot means now.
  [[nodiscard]] virtual std::unique_ptr<Cursor> NewCursor(std::string first, std::string end,
                                                          const Snapshot* snapshot) const = 0;
  [[nodiscard]] std::unique_ptr<Cursor> NewCursor(std::string first, std::string end) const {
    return NewCursor(std::move(first), std::move(end), nullptr);
  }

  // Makes every change in `batch` visible and durable at once, or none of them. After a failed
  // commit the store refuses all further ones (kUnavailable).
  [[nodiscard]] virtual Status Commit(const Batch& batch, Durability durability) = 0;
};

}  // namespace trestle::storage
