#pragma once

#include <memory>

#include <rocksdb/memtablerep.h>

namespace trestle::storage {

// What RocksDB keeps its latest rows in, in the order of RocksDB's own comparator for bytes
// (docs/adr/0028-memtable.md).
[[nodiscard]] std::shared_ptr<rocksdb::MemTableRepFactory> NewMemtableFactory();

}  // namespace trestle::storage
