#include "engine_fixture.h"

#include <ctime>
#include <random>
#include <semaphore>
#include <utility>

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/options_util.h>

#include "storage/rocks_store.h"
#include "value/item_codec.h"

namespace trestle::bench {
namespace {

constexpr std::uint64_t kIndexGroups = 100'000;

std::string Encoded(std::string_view text) {
  std::string bytes;
  value::AppendString(bytes, text);
  return bytes;
}

// The store, with a copy kept of every batch.
class RecordingStore final : public storage::Store {
 public:
  RecordingStore(std::unique_ptr<storage::Store> store, std::vector<storage::Batch>& committed)
      : store_(std::move(store)), committed_(committed) {}

  [[nodiscard]] Result<bool> Read(std::string_view key, std::string& value,
                                  const storage::Snapshot* snapshot) const override {
    return store_->Read(key, value, snapshot);
  }
  [[nodiscard]] std::unique_ptr<storage::Snapshot> TakeSnapshot() const override {
    return store_->TakeSnapshot();
  }
  [[nodiscard]] std::unique_ptr<storage::Cursor> NewCursor(
      std::string first, std::string end, const storage::Snapshot* snapshot) const override {
    return store_->NewCursor(std::move(first), std::move(end), snapshot);
  }
  [[nodiscard]] Status Commit(const storage::Batch& batch,
                              storage::Durability durability) override {
    committed_.push_back(batch);
    return store_->Commit(batch, durability);
  }

 private:
  std::unique_ptr<storage::Store> store_;
  std::vector<storage::Batch>& committed_;
};

// How many groups are under way: one is being committed, one waits.
using Slots = std::counting_semaphore<2>;

class WriteGroup final : public engine::Submission {
 public:
  explicit WriteGroup(Slots& slots) : slots_(slots) {}

  void Done(std::unique_ptr<Submission> /*self*/) override {
    for (const engine::PendingWrite& write : writes)
      CHECK(write.reply->ok(), "a put succeeds");
    slots_.release();
  }

 private:
  Slots& slots_;
};

double Seconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

engine::Request PutRequest(std::uint64_t item, std::uint64_t group) {
  return engine::WriteRequest{.action = {.kind = engine::WriteKind::kPut,
                                         .table = std::string(kTable),
                                         .item = OrderItem(item, group)}};
}

}  // namespace

std::string KeyText(std::uint64_t item) { return fmt::format("order#{:012}", item); }

value::Item Key(std::uint64_t item) {
  const std::string key = Encoded(KeyText(item));
  value::ItemBuilder builder;
  builder.Add("id", key);
  return builder.Finish();
}

value::Item OrderItem(std::uint64_t item, std::uint64_t group) {
  constexpr std::size_t kNoteBytes = 180;
  std::string note(kNoteBytes, ' ');
  std::mt19937_64 random(item);
  for (char& letter : note)
    letter = static_cast<char>('0' + random() % 64);

  const std::string id = Encoded(KeyText(item));
  const std::string group_bytes = Encoded(fmt::format("customer#{:08}", group));
  const std::string note_bytes = Encoded(note);
  const std::string status = Encoded("SHIPPED");
  std::string total;
  value::AppendNumber(total, value::Number::FromInteger(static_cast<std::int64_t>(item % 100'000)));
  std::string gift;
  value::AppendBool(gift, false);
  value::ItemBuilder builder;
  builder.Add("id", id);
  builder.Add("customer", group_bytes);
  builder.Add("note", note_bytes);
  builder.Add("status", status);
  builder.Add("totalCents", total);
  builder.Add("gift", gift);
  return builder.Finish();
}

Engine::Engine(const std::string& folder, storage::Durability durability,
               std::vector<storage::Batch>* committed) {
  auto opened = storage::OpenRocksStore({.folder = folder, .file_system = nullptr});
  CHECK(opened.ok(), "the folder opens");
  std::unique_ptr<storage::Store> store = *std::move(opened);
  if (committed != nullptr) store = std::make_unique<RecordingStore>(std::move(store), *committed);
  auto database = engine::Database::Open(
      std::move(store), {.clock = &clock_, .random = &random_, .durability = durability});
  CHECK(database.ok(), "the database opens");
  database_ = *std::move(database);
}

void Engine::PutInGroups(std::vector<engine::Request> requests) {
  Slots slots(2);
  for (std::size_t first = 0; first < requests.size(); first += kGroupSize) {
    const std::size_t end = std::min(first + kGroupSize, requests.size());
    auto group = std::make_unique<WriteGroup>(slots);
    group->writes.reserve(end - first);
    for (std::size_t i = first; i < end; ++i)
      group->writes.push_back({.request = std::move(requests[i]), .reply = std::nullopt});
    slots.acquire();
    database_->Submit(std::move(group));
  }
  slots.acquire();
  slots.acquire();
}

void Engine::Fill(std::uint64_t item_count) {
  const auto created = database_->Execute(engine::CreateTableRequest{
      .table = std::string(kTable),
      .attribute_definitions = {{"id", value::Type::kS}, {"customer", value::Type::kS}},
      .key_schema = {{"id", true}},
      .global_indexes = {{engine::IndexDefinition{.name = "by_customer",
                                                  .key_schema = {{"customer", true}},
                                                  .projection = engine::ProjectionType::kAll}}},
      .billing_mode = engine::BillingMode::kPayPerRequest});
  CHECK(created.ok(), "the table is made");
  constexpr std::uint64_t kSlice = 100'000;
  for (std::uint64_t first = 0; first < item_count; first += kSlice) {
    std::vector<engine::Request> requests;
    for (std::uint64_t item = first; item < std::min(first + kSlice, item_count); ++item)
      requests.push_back(PutRequest(item, item % kIndexGroups));
    PutInGroups(std::move(requests));
  }
}

void Engine::ReadAll(std::uint64_t item_count) {
  for (std::uint64_t item = 0; item < item_count; ++item) {
    const auto reply = database_->Get({.table = std::string(kTable), .key = Key(item)});
    CHECK(reply.ok() && reply->item, "every item is there");
  }
}

void Engine::EnableStream() {
  const auto updated = database_->Execute(engine::UpdateTableRequest{
      .table = std::string(kTable),
      .stream = engine::StreamSpecification{
          .is_enabled = true, .view_type = engine::StreamViewType::kNewAndOldImages}});
  CHECK(updated.ok(), "the stream is enabled");
}

std::vector<engine::Request> RandomPuts(std::uint64_t item_count, std::size_t count,
                                        std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<engine::Request> requests;
  requests.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t item = random() % item_count;
    requests.push_back(PutRequest(item, random() % kIndexGroups));
  }
  return requests;
}

std::unique_ptr<rocksdb::DB> OpenRaw(const std::string& folder) {
  rocksdb::DBOptions db_options;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  const auto loaded =
      rocksdb::LoadLatestOptions(rocksdb::ConfigOptions(), folder, &db_options, &families);
  CHECK(loaded.ok(), "the engine has left its options");
  rocksdb::Options options(db_options, families.front().options);
  // Caches are not part of an options file.
  const std::size_t cache_bytes = storage::CacheBytes({});
  options.row_cache = rocksdb::NewLRUCache(cache_bytes / 4);
  auto table = *options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>();
  table.block_cache = rocksdb::NewLRUCache(cache_bytes / 4 * 3);
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  rocksdb::DB* db = nullptr;
  CHECK(rocksdb::DB::Open(options, folder, &db).ok(), "RocksDB opens the folder");
  return std::unique_ptr<rocksdb::DB>(db);
}

double ThreadCpuSeconds() { return Seconds(CLOCK_THREAD_CPUTIME_ID); }
double ProcessCpuSeconds() { return Seconds(CLOCK_PROCESS_CPUTIME_ID); }
double WallSeconds() { return Seconds(CLOCK_MONOTONIC); }

}  // namespace trestle::bench
