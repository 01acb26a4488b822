// What every store promises, on each of them, and what only a folder can get wrong.

#include "storage/store.h"

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "storage/memory_store.h"
#include "storage/rocks_store.h"

namespace trestle::storage {
namespace {

// A folder under the test's own temporary folder, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = ::testing::TempDir() + "trestle-XXXXXX";
    path_ = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

struct Maker {
  const char* name;
  std::function<Result<std::unique_ptr<Store>>(const TemporaryFolder&)> make;
};

class StoreTest : public ::testing::TestWithParam<Maker> {
 protected:
  void SetUp() override {
    auto opened = GetParam().make(folder_);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    store_ = *std::move(opened);
  }

  void Put(std::string_view key, std::string_view value) {
    Batch batch;
    batch.Put(key, value);
    ASSERT_TRUE(store_->Commit(batch, Durability::kSync).ok());
  }

  std::optional<std::string> Read(std::string_view key, const Snapshot* snapshot = nullptr) {
    std::string value;
    const auto found = store_->Read(key, value, snapshot);
    EXPECT_TRUE(found.ok());
    return *found ? std::optional(value) : std::nullopt;
  }

  TemporaryFolder folder_;
  std::unique_ptr<Store> store_;
};

TEST_P(StoreTest, CommitsAllChangesOfABatchAndTheLastOneOfAKeyWins) {
  Batch batch;
  batch.Put("a", "1");
  batch.Put("b", "2");
  batch.Delete("a");
  batch.Put("c", "");
  ASSERT_TRUE(store_->Commit(batch, Durability::kSync).ok());
  EXPECT_EQ(Read("a"), std::nullopt);
  EXPECT_EQ(Read("b"), "2");
  EXPECT_EQ(Read("c"), "");
}

TEST_P(StoreTest, ASnapshotDoesNotChange) {
  Put("a", "1");
  const auto snapshot = store_->TakeSnapshot();
  Put("a", "2");
  EXPECT_EQ(Read("a", snapshot.get()), "1");
  EXPECT_EQ(Read("a"), "2");
}

TEST_P(StoreTest, ACursorStaysInItsRangeInBothDirections) {
  for (const char* key : {"a", "b", "c", "d", "e"})
    Put(key, key);
  const auto cursor = store_->NewCursor("b", "e");
  Put("bb", "later");  // after the cursor was made, so it does not see it

  std::string forward;
  for (cursor->Seek("b"); cursor->Valid(); cursor->Next())
    forward += cursor->key();
  EXPECT_EQ(forward, "bcd");
  std::string backward;
  for (cursor->SeekBefore("e"); cursor->Valid(); cursor->Previous())
    backward += cursor->value();
  EXPECT_EQ(backward, "dcb");
  cursor->SeekBefore("d");
  EXPECT_EQ(cursor->key(), "c");
  cursor->Seek("cc");
  EXPECT_EQ(cursor->key(), "d");
  EXPECT_TRUE(cursor->status().ok());
}

TEST_P(StoreTest, KeepsWhatIsMuchMoreThanABuffer) {
  const std::string large(8 * 1024, 'x');
  constexpr int kCommits = 60;
  constexpr int kRows = 128;
  for (int commit = 0; commit < kCommits; ++commit) {
    Batch batch;
    for (int row = 0; row < kRows; ++row)
      batch.Put("row" + std::to_string(row * kCommits + commit), large);
    batch.Put("last", std::to_string(commit));
    ASSERT_TRUE(store_->Commit(batch, Durability::kRelaxed).ok());
  }
  EXPECT_EQ(Read("last"), std::to_string(kCommits - 1));
  int rows = 0;
  const auto cursor = store_->NewCursor("row", "rox");
  for (cursor->Seek("row"); cursor->Valid(); cursor->Next())
    rows += cursor->value() == large ? 1 : 0;
  EXPECT_EQ(rows, kCommits * kRows);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest,
                         ::testing::Values(Maker{"Fake",
                                                 [](const TemporaryFolder&) {
                                                   return Result<std::unique_ptr<Store>>(
                                                       NewMemoryStore());
                                                 }},
                                           Maker{"RocksInMemory",
                                                 [](const TemporaryFolder&) {
                                                   return OpenRocksStore({.in_memory = true});
                                                 }},
                                           Maker{"RocksOnDisk",
                                                 [](const TemporaryFolder& folder) {
                                                   return OpenRocksStore(
                                                       {.folder = folder.path() + "/data"});
                                                 }}),
                         [](const auto& store) { return store.param.name; });

// Row cache and point deletes: a deleted row must stay gone however often it is read.
TEST(RocksStore, ADeletedRowDoesNotComeBackFromTheRowCache) {
  const TemporaryFolder folder;
  auto store = OpenRocksStore({.folder = folder.path() + "/data"});
  ASSERT_TRUE(store.ok());
  Batch batch;
  batch.Put("a", "1");
  ASSERT_TRUE((*store)->Commit(batch, Durability::kSync).ok());
  std::string value;
  ASSERT_TRUE(*(*store)->Read("a", value, nullptr));
  batch.Clear();
  batch.Delete("a");
  ASSERT_TRUE((*store)->Commit(batch, Durability::kSync).ok());
  EXPECT_FALSE(*(*store)->Read("a", value, nullptr));
  EXPECT_FALSE(*(*store)->Read("a", value, nullptr));
}

TEST(RocksStore, KeepsItsRowsWhenReopened) {
  const TemporaryFolder folder;
  for (int i = 0; i < 3; ++i) {
    const auto store = OpenRocksStore({.folder = folder.path()});
    ASSERT_TRUE(store.ok()) << store.error().message();
    std::string value;
    EXPECT_EQ(*(*store)->Read("a", value, nullptr), i > 0);
    Batch batch;
    batch.Put("a", "1");
    ASSERT_TRUE((*store)->Commit(batch, Durability::kSync).ok());
  }
}

// Rows of several prefixes, of none and shorter than one, each kind in a file of its own: a cursor
// finds all rows of its range, whether files may pass it by or not.
TEST(RocksStore, ACursorFindsWhatItsRangeHasInAllFiles) {
  const TemporaryFolder folder;
  const auto expected = NewMemoryStore();
  std::vector<std::string> keys = {"a", "prefix", "prefix-00000"};
  for (const char* prefix : {"prefix-000000", "prefix-000001", "prefix-000002", "prefix-000003"}) {
    for (const char* end : {"", "a", "b"})
      keys.push_back(std::string(prefix) + end);
  }
  for (std::size_t i = 0; i < 4; ++i) {  // closing writes a file
    const auto store = OpenRocksStore({.folder = folder.path()});
    ASSERT_TRUE(store.ok());
    Batch batch;
    for (std::size_t key = i; key < keys.size(); key += 4)
      batch.Put(keys[key], keys[key]);
    ASSERT_TRUE((*store)->Commit(batch, Durability::kSync).ok());
    ASSERT_TRUE(expected->Commit(batch, Durability::kSync).ok());
  }
  const auto rows = [](const Store& store, const std::string& first, const std::string& end) {
    std::string found;
    const auto cursor = store.NewCursor(first, end);
    for (cursor->Seek(first); cursor->Valid(); cursor->Next())
      found.append(cursor->key()).append(" ");
    for (cursor->SeekBefore(end); cursor->Valid(); cursor->Previous())
      found.append(cursor->key()).append(" ");
    return found;
  };
  const auto store = OpenRocksStore({.folder = folder.path()});
  ASSERT_TRUE(store.ok());
  for (const std::string& first : keys) {
    for (const std::string& end : keys) {
      if (first >= end) continue;
      EXPECT_EQ(rows(**store, first, end), rows(*expected, first, end)) << first << " " << end;
    }
  }
}

TEST(RocksStore, RefusesAFolderThatIsOpenElsewhere) {
  const TemporaryFolder folder;
  const auto first = OpenRocksStore({.folder = folder.path()});
  ASSERT_TRUE(first.ok());
  const auto second = OpenRocksStore({.folder = folder.path()});
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().code(), ErrorCode::kResourceInUse);
  EXPECT_NE(second.error().message().find(folder.path()), std::string::npos);
}

void WriteFile(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(RocksStore, RefusesAFolderThatIsNotOurs) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/letter.txt", "Dear reader");
  const auto opened = OpenRocksStore({.folder = folder.path()});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCorruption);
  EXPECT_NE(opened.error().message().find("letter.txt"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/TRESTLE"));
}

TEST(RocksStore, RefusesALaterFormat) {
  const TemporaryFolder folder;
  WriteFile(folder.path() + "/TRESTLE", "trestle data format 9\n");
  const auto opened = OpenRocksStore({.folder = folder.path()});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCorruption);
  EXPECT_NE(opened.error().message().find("data format 9"), std::string::npos);
}

TEST(RocksStore, DoesNotStartAfreshOverADamagedFolder) {
  const TemporaryFolder folder;
  { ASSERT_TRUE(OpenRocksStore({.folder = folder.path()}).ok()); }
  std::filesystem::remove(folder.path() + "/CURRENT");
  const auto opened = OpenRocksStore({.folder = folder.path()});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCorruption);
}

// RocksDB stops at the first unreadable record of its log and calls that success. The note of
// what was synced tells that something is missing.
TEST(RocksStore, NoticesALogThatLostItsEnd) {
  const TemporaryFolder folder;
  const std::string copy = folder.path() + "/copy";
  const std::string data = folder.path() + "/data";
  {
    const auto store = OpenRocksStore({.folder = data});
    ASSERT_TRUE(store.ok());
    for (int i = 0; i < 10; ++i) {
      Batch batch;
      batch.Put("a", std::string(1000, 'x'));
      ASSERT_TRUE((*store)->Commit(batch, Durability::kSync).ok());
    }
    // As a crash would leave it: closing would have flushed the log away.
    std::filesystem::copy(data, copy, std::filesystem::copy_options::recursive);
  }
  bool is_damaged = false;
  for (const auto& entry : std::filesystem::directory_iterator(copy)) {
    if (entry.path().extension() != ".log" || entry.file_size() < 5000) continue;
    std::fstream log(entry.path(), std::ios::in | std::ios::out | std::ios::binary);
    log.seekp(5000);
    log.put('!');
    is_damaged = true;
  }
  ASSERT_TRUE(is_damaged);
  const auto opened = OpenRocksStore({.folder = copy});
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code(), ErrorCode::kCorruption);
  EXPECT_NE(opened.error().message().find("SYNCED"), std::string::npos);
}

}  // namespace
}  // namespace trestle::storage
