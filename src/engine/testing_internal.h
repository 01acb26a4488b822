#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include <gtest/gtest.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "storage/memory_store.h"
#include "storage/rocks_store.h"

// What the tests of this folder stand on.

namespace trestle::engine::testing {

// A database in memory, or in a folder that can be opened again and again. Its time is the test's.
class DatabaseFixture : public ::testing::Test {
 protected:
  explicit DatabaseFixture(std::int64_t now_unix_ms) : clock_(now_unix_ms) {
    options_.clock = &clock_;
    options_.random = &random_;
  }
  ~DatabaseFixture() override {
    database_.reset();
    if (!folder_.empty()) std::filesystem::remove_all(folder_);
  }

  void Open(std::unique_ptr<storage::Store> store) {
    store_ = store.get();
    auto database = Database::Open(std::move(store), options_);
    ASSERT_TRUE(database.ok()) << database.error().message();
    database_ = *std::move(database);
  }

  void OpenInMemory() { Open(storage::NewMemoryStore()); }

  void OpenFolder() {
    database_.reset();
    if (folder_.empty()) {
      std::string pattern = ::testing::TempDir() + "trestle-XXXXXX";
      folder_ = ::mkdtemp(pattern.data());
    }
    auto store = storage::OpenRocksStore({.folder = folder_});
    ASSERT_TRUE(store.ok()) << store.error().message();
    Open(*std::move(store));
  }

  // Background work has no reply to wait for; it must be done within a while.
  template <typename Predicate>
  bool Eventually(Predicate is_true) {
    for (int i = 0; i < 4000; ++i) {
      if (is_true()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return false;
  }

  FixedClock clock_;
  Random random_{1};
  DatabaseOptions options_;
  std::string folder_;
  storage::Store* store_ = nullptr;  // the database's
  std::unique_ptr<Database> database_;
};

}  // namespace trestle::engine::testing
