#include "storage/rocks_store.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/listener.h>
#include <rocksdb/slice_transform.h>
#include <rocksdb/table.h>
#include <rocksdb/write_batch.h>

#include "base/log.h"
#include "storage/data_folder.h"
#include "storage/memtable.h"
#include "storage/row_cache.h"
#include "storage/usable_memory.h"

namespace trestle::storage {
namespace {

rocksdb::Slice ToSlice(std::string_view bytes) { return {bytes.data(), bytes.size()}; }
std::string_view ToView(const rocksdb::Slice& slice) { return {slice.data(), slice.size()}; }

// Details of a failed read or write go to the log; a client is told only that it failed.
Error StoreError(const rocksdb::Status& status) {
  log::Error("the store failed", {{"status", status.ToString()}});
  if (status.IsCorruption()) return CorruptionError("Internal server error");
  return {ErrorCode::kInternal, "Internal server error"};
}

std::size_t RowCacheBytes(const RocksOptions& options) { return CacheBytes(options) / 4; }

constexpr std::uint64_t kReservedBytes = 16UL * 1024 * 1024;

constexpr std::size_t kWriteBufferBytes = 64UL * 1024 * 1024;
constexpr std::size_t kSmallWriteBufferBytes = 4UL * 1024 * 1024;
constexpr int kFilesToMerge = 4;
constexpr int kFewFilesToMerge = 2;

// RocksDB's errors go into our log. Its own log file would be in the data folder, and when the
// disk of that folder refuses a write, this RocksDB ends the process at the next line.
class RocksLogger final : public rocksdb::Logger {
 public:
  RocksLogger() : rocksdb::Logger(rocksdb::InfoLogLevel::ERROR_LEVEL) {}

  void Logv(const char* format, va_list arguments) override {
    std::array<char, 1000> line{};
    std::vsnprintf(line.data(), line.size(), format, arguments);
    std::string_view text = line.data();
    while (text.ends_with('\n'))
      text.remove_suffix(1);
    log::Warn("the store says", {{"line", std::string(text)}});
  }
  using rocksdb::Logger::Logv;
};

// RocksDB would resume by itself when there are 64 MB of room; on a small disk, never.
class NoAutomaticResume final : public rocksdb::EventListener {
 public:
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status /*error*/,
                            bool* auto_recovery) override {
    *auto_recovery = false;
  }
};

class RocksSnapshot final : public Snapshot {
 public:
  explicit RocksSnapshot(rocksdb::DB& db) : db_(db), snapshot_(db.GetSnapshot()) {}
  ~RocksSnapshot() override { db_.ReleaseSnapshot(snapshot_); }
  RocksSnapshot(const RocksSnapshot&) = delete;
  RocksSnapshot& operator=(const RocksSnapshot&) = delete;
  [[nodiscard]] const rocksdb::Snapshot* get() const { return snapshot_; }

 private:
  rocksdb::DB& db_;
  const rocksdb::Snapshot* snapshot_;
};

class RocksCursor final : public Cursor {
 public:
  RocksCursor(rocksdb::DB& db, std::string first, std::string end, const Snapshot* snapshot)
      : first_(std::move(first)), end_(std::move(end)), lower_(first_), upper_(end_) {
    rocksdb::ReadOptions options;
    options.iterate_lower_bound = &lower_;
    if (!end_.empty()) options.iterate_upper_bound = &upper_;
    options.auto_prefix_mode = true;  // for a range within one prefix, files say if they have it
    if (snapshot != nullptr) options.snapshot = static_cast<const RocksSnapshot*>(snapshot)->get();
    iterator_.reset(db.NewIterator(options));
  }

  void Seek(std::string_view key) override { iterator_->Seek(ToSlice(key)); }
  void SeekBefore(std::string_view key) override {
    iterator_->SeekForPrev(ToSlice(key));
    if (iterator_->Valid() && ToView(iterator_->key()) == key) iterator_->Prev();
  }
  void Next() override { iterator_->Next(); }
  void Previous() override { iterator_->Prev(); }
  [[nodiscard]] bool Valid() const override { return iterator_->Valid(); }
  [[nodiscard]] std::string_view key() const override { return ToView(iterator_->key()); }
  [[nodiscard]] std::string_view value() const override { return ToView(iterator_->value()); }
  [[nodiscard]] Status status() const override {
    if (!iterator_->status().ok()) return StoreError(iterator_->status());
    return Ok();
  }

 private:
  const std::string first_;
  const std::string end_;
  const rocksdb::Slice lower_;
  const rocksdb::Slice upper_;
  std::unique_ptr<rocksdb::Iterator> iterator_;
};

class RocksStore final : public Store {
 public:
  RocksStore(std::unique_ptr<rocksdb::Env> env, std::optional<DataFolder> folder,
             std::unique_ptr<rocksdb::DB> db, const RocksOptions& options)
      : env_(std::move(env)),
        folder_(std::move(folder)),
        db_(std::move(db)),
        rows_(RowCacheBytes(options)) {}

  ~RocksStore() override {
    const rocksdb::Status closed = db_->Close();
    if (!closed.ok()) log::Error("the store did not close", {{"status", closed.ToString()}});
  }
  RocksStore(const RocksStore&) = delete;
  RocksStore& operator=(const RocksStore&) = delete;

  [[nodiscard]] Result<bool> Read(std::string_view key, std::string& value,
                                  const Snapshot* snapshot) const override {
    if (snapshot != nullptr) return ReadRocks(key, value, snapshot);
    RowCache::Ticket ticket;
    if (rows_.Find(key, value, ticket)) return true;
    const bool is_there = TRY(ReadRocks(key, value, nullptr));
    if (is_there) rows_.Insert(key, value, ticket);
    return is_there;
  }

  [[nodiscard]] std::unique_ptr<Snapshot> TakeSnapshot() const override {
    return std::make_unique<RocksSnapshot>(*db_);
  }

  [[nodiscard]] std::unique_ptr<Cursor> NewCursor(std::string first, std::string end,
                                                  const Snapshot* snapshot) const override {
    return std::make_unique<RocksCursor>(*db_, std::move(first), std::move(end), snapshot);
  }

  [[nodiscard]] Status Commit(const Batch& batch, Durability durability) override {
    if (has_failed_) return Unavailable();
    rocks_batch_.Clear();
    batch.ForEach([&](std::string_view key,
                      std::string_view value) { rocks_batch_.Put(ToSlice(key), ToSlice(value)); },
                  [&](std::string_view key) { rocks_batch_.Delete(ToSlice(key)); });

    if (!HasRoomFor(rocks_batch_.GetDataSize())) return NoRoom();

    rocksdb::WriteOptions options;
    options.sync = folder_ && durability == Durability::kSync;
    options.disableWAL = !folder_;
    rows_.BeginCommit(batch);
    const rocksdb::Status status = db_->Write(options, &rocks_batch_);
    rows_.EndCommit(batch, status.ok());
    if (!status.ok()) return Failed(status);
    if (waits_for_room_) log::Info("there is room on the disk again", {});
    waits_for_room_ = false;
    if (options.sync) folder_->NoteSynced(db_->GetLatestSequenceNumber());
    if (!folder_) FitWriteBuffer(rocks_batch_.GetDataSize());
    return Ok();
  }

 private:
  // Every value that was overwritten is in a Query's way until its buffer is written out and
  // merged. That costs little in memory, unless it is done again and again with much data.
  void FitWriteBuffer(std::size_t added_bytes) {
    unfitted_bytes_ += added_bytes;
    if (unfitted_bytes_ < write_buffer_bytes_) return;
    unfitted_bytes_ = 0;
    std::uint64_t data_bytes = 0;
    db_->GetIntProperty(rocksdb::DB::Properties::kLiveSstFilesSize, &data_bytes);
    const std::size_t fitting =
        std::clamp(std::bit_floor(data_bytes / 4), kSmallWriteBufferBytes, kWriteBufferBytes);
    if (fitting == write_buffer_bytes_) return;
    const int files = fitting == kSmallWriteBufferBytes ? kFewFilesToMerge : kFilesToMerge;
    const rocksdb::Status status =
        db_->SetOptions({{"write_buffer_size", fmt::to_string(fitting)},
                         {"level0_file_num_compaction_trigger", fmt::to_string(files)}});
    if (!status.ok()) log::Error("the store keeps its buffer", {{"status", status.ToString()}});
    write_buffer_bytes_ = fitting;
  }

  [[nodiscard]] Result<bool> ReadRocks(std::string_view key, std::string& value,
                                       const Snapshot* snapshot) const {
    rocksdb::ReadOptions options;
    if (snapshot != nullptr) options.snapshot = static_cast<const RocksSnapshot*>(snapshot)->get();
    const rocksdb::Status status = db_->Get(options, ToSlice(key), &value);
    if (status.IsNotFound()) return false;
    if (!status.ok()) return StoreError(status);
    return true;
  }

  // This RocksDB may end the process when it goes on after its log met a full disk, so the log
  // never does: writes are refused while there is still some room.
  [[nodiscard]] bool HasRoomFor(std::size_t bytes) const {
    return !folder_ || folder_->FreeBytes() > kReservedBytes + 2 * bytes;
  }

  Error NoRoom() {
    if (!waits_for_room_) log::Error("the disk is full: writes are refused", {});
    waits_for_room_ = true;
    return Unavailable();
  }

  // A full disk passes. After any other failure nobody knows what is on disk: no write is
  // acknowledged until the folder is reopened.
  Error Failed(const rocksdb::Status& status) {
    // A full disk refuses many commits; one line says so.
    if (!waits_for_room_) log::Error("a commit failed", {{"status", status.ToString()}});
    waits_for_room_ = status.IsNoSpace();
    has_failed_ = !status.IsNoSpace();
    if (waits_for_room_ && HasRoomToResume()) db_->Resume().PermitUncheckedError();
    return Unavailable();
  }

  // Resuming writes what is in memory and begins a new log.
  [[nodiscard]] bool HasRoomToResume() const {
    std::uint64_t memory_bytes = 0;
    db_->GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &memory_bytes);
    return folder_ && folder_->FreeBytes() > memory_bytes;
  }

  static Error Unavailable() {
    return {ErrorCode::kUnavailable, "The request could not be written to disk"};
  }

  std::unique_ptr<rocksdb::Env> env_;
  std::optional<DataFolder> folder_;  // none in memory
  std::unique_ptr<rocksdb::DB> db_;
  mutable RowCache rows_;
  rocksdb::WriteBatch rocks_batch_;  // of Commit, which one thread calls
  std::atomic<bool> has_failed_ = false;
  bool waits_for_room_ = false;  // of Commit, too
  // Of Commit in memory.
  std::size_t write_buffer_bytes_ = kSmallWriteBufferBytes;
  std::size_t unfitted_bytes_ = 0;
};

rocksdb::Options DatabaseOptions(const RocksOptions& options) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(CacheBytes(options) - RowCacheBytes(options));
  table.filter_policy.reset(rocksdb::NewBloomFilterPolicy(10));
  table.data_block_index_type = rocksdb::BlockBasedTableOptions::kDataBlockBinaryAndHash;
  table.format_version = 5;
  table.block_size = 8 * 1024;  // about the rows of a Query's page, without much more for a GetItem

  rocksdb::Options result;
  result.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  result.prefix_extractor.reset(rocksdb::NewFixedPrefixTransform(kKeyPrefixBytes));
  result.memtable_factory = NewMemtableFactory();
  result.write_buffer_size = kWriteBufferBytes;
  result.level0_file_num_compaction_trigger = kFilesToMerge;
  result.max_write_buffer_number = 3;
  result.memtable_whole_key_filtering = true;
  result.memtable_prefix_bloom_size_ratio = 0.02;  // 8 bits for each row of 50 bytes
  result.max_total_wal_size = 128 * 1024 * 1024;
  // One thread writes.
  result.allow_concurrent_memtable_write = false;
  result.enable_write_thread_adaptive_yield = false;
  result.max_background_jobs = 2;
  result.level_compaction_dynamic_level_bytes = true;
  // New files are soon rewritten; what stays is compressed.
  result.compression_per_level = {rocksdb::kNoCompression, rocksdb::kLZ4Compression};
  result.max_bytes_for_level_base = 512UL * 1024 * 1024;  // below it there is one level
  result.track_and_verify_wals_in_manifest = true;
  result.wal_recovery_mode = rocksdb::WALRecoveryMode::kPointInTimeRecovery;
  result.max_open_files = 1000;
  result.info_log = std::make_shared<RocksLogger>();
  result.listeners = {std::make_shared<NoAutomaticResume>()};
  result.stats_dump_period_sec = 0;
  result.stats_persist_period_sec = 0;
  return result;
}

Error OpenError(const std::string& folder, const rocksdb::Status& status) {
  if (status.IsCorruption() || status.IsPathNotFound() || status.IsInvalidArgument()) {
    return CorruptionError(fmt::format("{} is damaged: {}. Restore the folder from a copy.", folder,
                                       status.ToString()));
  }
  return {ErrorCode::kInternal, fmt::format("cannot open {}: {}", folder, status.ToString())};
}

Result<std::unique_ptr<Store>> OpenInMemory(const RocksOptions& options) {
  std::unique_ptr<rocksdb::Env> env(rocksdb::NewMemEnv(rocksdb::Env::Default()));
  rocksdb::Options db_options = DatabaseOptions(options);
  db_options.env = env.get();
  db_options.info_log->SetInfoLogLevel(rocksdb::FATAL_LEVEL);  // it complains of absent folders
  db_options.create_if_missing = true;
  db_options.write_buffer_size = kSmallWriteBufferBytes;
  db_options.level0_file_num_compaction_trigger = kFewFilesToMerge;
  // Memory of larger files goes back to the system with each, and has to be had anew.
  db_options.target_file_size_base = 4 * 1024 * 1024;
  db_options.compression_per_level = {rocksdb::kNoCompression};
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(db_options, "/memory", &db);
  if (!status.ok()) return OpenError("memory", status);
  return std::unique_ptr<Store>(std::make_unique<RocksStore>(
      std::move(env), std::nullopt, std::unique_ptr<rocksdb::DB>(db), options));
}

}  // namespace

std::size_t CacheBytes(const RocksOptions& options) {
  if (options.cache_bytes > 0) return options.cache_bytes;
  return UsableMemoryBytes() / 4;
}

Result<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options) {
  if (options.in_memory) return OpenInMemory(options);

  DataFolder folder = TRY(DataFolder::Open(options.folder));
  rocksdb::Options db_options = DatabaseOptions(options);
  std::unique_ptr<rocksdb::Env> env;
  if (options.file_system) {
    env = rocksdb::NewCompositeEnv(options.file_system);
    db_options.env = env.get();
  }
  // Only in a folder that is new: RocksDB would otherwise start afresh over a damaged one.
  db_options.create_if_missing = folder.is_new();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(db_options, options.folder, &db);
  std::unique_ptr<rocksdb::DB> owned(db);
  if (!status.ok()) return OpenError(options.folder, status);
  TRY(folder.CheckRecovered(owned->GetLatestSequenceNumber()));
  TRY(folder.FinishCreation());
  return std::unique_ptr<Store>(
      std::make_unique<RocksStore>(std::move(env), std::move(folder), std::move(owned), options));
}

}  // namespace trestle::storage
