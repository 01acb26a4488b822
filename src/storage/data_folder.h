#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace trestle::storage {

// The files of a data folder that are ours, not RocksDB's: the marker that says what the folder
// is and keeps others out, and the note of how far the log was synced.
class DataFolder {
 public:
  // Makes the folder if it is absent, checks that it is ours, and locks it.
  [[nodiscard]] static Result<DataFolder> Open(const std::string& folder);
  ~DataFolder();
  DataFolder(DataFolder&& other) noexcept;
  DataFolder& operator=(DataFolder&&) = delete;
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  // True until FinishCreation: there is no database in the folder yet, or half of one.
  [[nodiscard]] bool is_new() const { return is_new_; }
  [[nodiscard]] Status FinishCreation();

  // Notes that everything up to `sequence` is synced. Not synced itself: after a power cut it
  // may hold an older number, which is still a true one.
  void NoteSynced(std::uint64_t sequence) const;

  // What is left on its disk; more than anybody needs when that cannot be found out.
  [[nodiscard]] std::uint64_t FreeBytes() const;

  // Fails with kCorruption when the store has come back with less than was once synced.
  [[nodiscard]] Status CheckRecovered(std::uint64_t sequence) const;

 private:
  DataFolder(std::string folder, int marker_fd, int synced_fd, bool is_new);

  std::string folder_;
  int marker_fd_;
  int synced_fd_;
  bool is_new_;
};

}  // namespace trestle::storage
