#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/result.h"
#include "storage/store.h"

namespace rocksdb {
class FileSystem;
}

namespace trestle::storage {

struct RocksOptions {
  std::string folder;           // not used in memory
  bool in_memory = false;       // the same store on RocksDB's memory environment
  std::size_t cache_bytes = 0;  // of rows and blocks together; 0: a quarter of the memory
  // What reads and writes the files; null for the real one. A test passes one that forgets.
  std::shared_ptr<rocksdb::FileSystem> file_system;
};

// The caches' sizes: three quarters for blocks, the rest for rows.
[[nodiscard]] std::size_t CacheBytes(const RocksOptions& options);

// Opens the store in a folder, or makes one in a folder that is absent or empty. Fails with
// kResourceInUse when another process has it open, and with kCorruption when it is damaged, was
// written by a later version, or is not ours. Nothing is overwritten then; the message names the
// file and the way out.
//
//   TRESTLE   the format's version; locked while the store is open
//   SYNCED    the last sequence number that was synced, so that a log with a hole is noticed
//   the rest  RocksDB's
[[nodiscard]] Result<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options);

}  // namespace trestle::storage
