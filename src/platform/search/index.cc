#include "platform/search/index.h"

#include <filesystem>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/log.h"
#include "platform/search/index_internal.h"
#include "platform/search/ranking_internal.h"

namespace trestle::platform::search {
namespace {

// Of the tables, of documents and of what words are: a file of another one is made anew.
constexpr int kFormatVersion = 1;
constexpr std::size_t kIdleReadersMax = 4;

Result<std::unique_ptr<Connection>> OpenConnection(const std::string& file) {
  auto connection = TRY(Connection::Open(file));
  TRY(connection->Run("PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000;"));
  TRY(RegisterRanking(*connection));
  return connection;
}

Result<std::string> ReadMeta(Connection& connection, std::string_view name) {
  Statement& select = *TRY(connection.Prepare("SELECT value FROM meta WHERE name = ?1"));
  const bool is_there = TRY(select.Bind(1, name).Step());
  std::string value(is_there ? select.Text(0) : std::string_view());
  select.Reset();
  return value;
}

Status WriteMeta(Connection& connection, std::string_view name, std::string_view value) {
  Statement& insert = *TRY(connection.Prepare("INSERT OR REPLACE INTO meta VALUES(?1, ?2)"));
  return insert.Bind(1, name).Bind(2, value).Run();
}

}  // namespace

class Index::Impl {
 public:
  explicit Impl(IndexOptions options)
      : options_(std::move(options)),
        format_(fmt::format("{} {}", kFormatVersion, fmt::join(options_.orders, " "))) {}

  Status Open() EXCLUDES(writer_mutex_);
  Status Recreate() EXCLUDES(writer_mutex_, readers_mutex_);
  Status Write(std::span<const Entry> entries, const std::optional<std::string>& position)
      EXCLUDES(writer_mutex_);
  Result<std::string> Position() EXCLUDES(writer_mutex_);
  Status BeginRebuild() EXCLUDES(writer_mutex_);
  Status EndRebuild(const std::string& position) EXCLUDES(writer_mutex_);
  Result<Hits> Find(const Query& query) EXCLUDES(writer_mutex_, readers_mutex_);
  [[nodiscard]] bool is_damaged() const { return is_damaged_; }

 private:
  Status OpenWriter() REQUIRES(writer_mutex_);
  Status MakeEmpty() REQUIRES(writer_mutex_) EXCLUDES(readers_mutex_);
  Status Change(std::span<const Entry> entries, const std::optional<std::string>& position)
      REQUIRES(writer_mutex_);
  template <typename T>
  Result<T> Noting(Result<T> result) {
    if (!result.ok() && result.error().code() == ErrorCode::kCorruption) is_damaged_ = true;
    return result;
  }
  Result<std::unique_ptr<Connection>> TakeReader() EXCLUDES(readers_mutex_);
  void GiveBack(std::unique_ptr<Connection> reader, std::uint64_t epoch) EXCLUDES(readers_mutex_);
  std::uint64_t epoch() EXCLUDES(readers_mutex_) {
    const MutexLock lock(readers_mutex_);
    return epoch_;
  }

  const IndexOptions options_;
  const std::string format_;
  std::atomic<bool> is_damaged_ = false;
  Vocabulary vocabulary_;

  // Held for a whole transaction: SQLite has one writer at a time anyway. An index in memory has
  // one connection, so there readers take it too.
  Mutex writer_mutex_;
  std::unique_ptr<Connection> writer_ GUARDED_BY(writer_mutex_);
  bool is_rebuilding_ GUARDED_BY(writer_mutex_) = false;

  Mutex readers_mutex_;
  std::vector<std::unique_ptr<Connection>> idle_readers_ GUARDED_BY(readers_mutex_);
  std::uint64_t epoch_ GUARDED_BY(readers_mutex_) = 0;  // counts the files that there have been
};

Status Index::Impl::OpenWriter() {
  writer_ = TRY(OpenConnection(options_.file));
  TRY(
      writer_->Run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                   "CREATE TEMP TABLE seen(no INTEGER PRIMARY KEY);"));
  return Ok();
}

Status Index::Impl::MakeEmpty() {
  writer_.reset();
  {
    const MutexLock lock(readers_mutex_);
    idle_readers_.clear();
    ++epoch_;
  }
  vocabulary_.Clear();
  for (const std::string_view suffix : {"-wal", "-shm", "-journal", ""}) {
    std::error_code ignored;  // what cannot be removed cannot be opened either
    if (!options_.file.empty())
      std::filesystem::remove(fmt::format("{}{}", options_.file, suffix), ignored);
  }
  TRY(OpenWriter());
  Transaction transaction = TRY(Transaction::Begin(*writer_, Transaction::Kind::kWrite));
  TRY(MakeSchema(*writer_, options_.orders, format_));
  TRY(transaction.Commit());
  is_damaged_ = false;
  is_rebuilding_ = false;
  return Ok();
}

Status Index::Impl::Open() {
  const MutexLock lock(writer_mutex_);
  const bool is_new = options_.file.empty() || !std::filesystem::exists(options_.file);
  if (is_new) return MakeEmpty();
  Status opened = OpenWriter();
  if (!opened.ok() && opened.error().code() == ErrorCode::kUnavailable) return opened;
  if (opened.ok()) {
    const auto format = ReadMeta(*writer_, "format");
    if (format.ok() && *format == format_) return Ok();
    if (!format.ok() && format.error().code() == ErrorCode::kUnavailable) return format.error();
  }
  log::Warn("a search index is made anew", {{"file", options_.file}});
  return MakeEmpty();
}

Status Index::Impl::Recreate() {
  const MutexLock lock(writer_mutex_);
  return MakeEmpty();
}

Status Index::Impl::Change(std::span<const Entry> entries,
                           const std::optional<std::string>& position) {
  if (writer_ == nullptr) return CorruptionError("the search index is closed");
  Transaction transaction = TRY(Transaction::Begin(*writer_, Transaction::Kind::kWrite));
  IndexWriter writer(*writer_, options_.orders, is_rebuilding_);
  for (const Entry& entry : entries)
    TRY(writer.Apply(entry));
  const bool ends_rebuild = is_rebuilding_ && position;
  if (ends_rebuild) TRY(writer.RemoveUnseen());
  TRY(writer.Finish());
  if (position) TRY(WriteMeta(*writer_, "position", *position));
  TRY(transaction.Commit());
  if (ends_rebuild) is_rebuilding_ = false;
  for (const auto& [partition, term] : writer.new_terms())
    vocabulary_.Add(partition, term);
  return Ok();
}

Status Index::Impl::Write(std::span<const Entry> entries,
                          const std::optional<std::string>& position) {
  const MutexLock lock(writer_mutex_);
  CHECK(!is_rebuilding_ || !position, "a rebuild has its position at the end");
  return Noting(Change(entries, position));
}

Result<std::string> Index::Impl::Position() {
  const MutexLock lock(writer_mutex_);
  if (writer_ == nullptr) return CorruptionError("the search index is closed");
  return Noting(ReadMeta(*writer_, "position"));
}

Status Index::Impl::BeginRebuild() {
  const MutexLock lock(writer_mutex_);
  if (writer_ == nullptr) return CorruptionError("the search index is closed");
  is_rebuilding_ = false;
  TRY(Noting(writer_->Run("DELETE FROM temp.seen")));
  TRY(Noting(WriteMeta(*writer_, "position", "")));
  is_rebuilding_ = true;
  return Ok();
}

Status Index::Impl::EndRebuild(const std::string& position) {
  const MutexLock lock(writer_mutex_);
  CHECK(is_rebuilding_, "a rebuild that has begun");
  return Noting(Change({}, position));
}

Result<std::unique_ptr<Connection>> Index::Impl::TakeReader() {
  {
    const MutexLock lock(readers_mutex_);
    if (!idle_readers_.empty()) {
      auto reader = std::move(idle_readers_.back());
      idle_readers_.pop_back();
      return reader;
    }
  }
  return OpenConnection(options_.file);
}

void Index::Impl::GiveBack(std::unique_ptr<Connection> reader, std::uint64_t epoch) {
  const MutexLock lock(readers_mutex_);
  if (epoch == epoch_ && idle_readers_.size() < kIdleReadersMax)
    idle_readers_.push_back(std::move(reader));
}

Result<Hits> Index::Impl::Find(const Query& query) {
  if (options_.file.empty()) {
    const MutexLock lock(writer_mutex_);
    if (writer_ == nullptr) return CorruptionError("the search index is closed");
    return Noting(FindHits(*writer_, vocabulary_, options_.orders, query));
  }
  const std::uint64_t epoch_before = epoch();
  auto reader = TRY(TakeReader());
  auto hits = Noting(FindHits(*reader, vocabulary_, options_.orders, query));
  if (hits.ok()) GiveBack(std::move(reader), epoch_before);
  return hits;
}

Index::Index(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Index::~Index() = default;

Result<std::unique_ptr<Index>> Index::Open(const IndexOptions& options) {
  CHECK(options.orders.size() <= kOrdersMax, "not more orders than columns");
  auto impl = std::make_unique<Impl>(options);
  TRY(impl->Open());
  return std::unique_ptr<Index>(new Index(std::move(impl)));
}

Result<Hits> Index::Find(const Query& query) { return impl_->Find(query); }
Status Index::Write(std::span<const Entry> entries, const std::optional<std::string>& position) {
  return impl_->Write(entries, position);
}
Result<std::string> Index::Position() { return impl_->Position(); }
Status Index::BeginRebuild() { return impl_->BeginRebuild(); }
Status Index::EndRebuild(const std::string& position) { return impl_->EndRebuild(position); }
Status Index::Recreate() { return impl_->Recreate(); }
bool Index::is_damaged() const { return impl_->is_damaged(); }

}  // namespace trestle::platform::search
