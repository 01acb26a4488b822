#pragma once

#include <memory>

#include "storage/store.h"

namespace trestle::storage {

// A store of plain maps that keeps every version of every row for as long as it lives. For tests
// that need one without RocksDB: under the thread sanitizer, or as the slow reference.
[[nodiscard]] std::unique_ptr<Store> NewMemoryStore();

}  // namespace trestle::storage
