// Kills a process that writes, again and again, and looks at what it left.
//
//   crash_test kill|power|control ROUNDS [SEED]
//
//   kill     the process dies; what it gave to the operating system stays
//   power    the same on a file system that forgets what was not synced: a power cut
//   control  the same without syncing: must lose acknowledged writes, or `power` proves nothing
//
// The worker runs eight threads. Each commits transactions one after another: an item of its own
// that a global and a local index hold, the count of its transactions, and in another table an item
// that has expired, which a sweep removes. It tells the driver through a pipe when one is
// acknowledged. After the kill the driver opens the folder itself: nothing acknowledged may be
// missing, and item, counter, index rows, expiry rows and stream must agree.

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "engine/rows.h"
#include "engine/stream.h"
#include "forgetful_file_system.h"
#include "storage/rocks_store.h"
#include "value/key_codec.h"
#include "value/testing_internal.h"

namespace trestle::fault {
namespace {

using value::testing::ItemOf;
using value::testing::N;
using value::testing::S;

constexpr std::size_t kThreads = 8;
constexpr std::int64_t kSlots = 40;  // items of a thread, overwritten in turn
constexpr std::int64_t kCounterSlot = -1;

struct Ack {
  std::uint64_t thread;
  std::int64_t number;
};

std::string ThreadKey(std::size_t thread) { return fmt::format("t{}", thread); }

value::Item KeyOf(std::size_t thread, std::int64_t slot) {
  return ItemOf({{"pk", S(ThreadKey(thread))}, {"sk", N(slot)}});
}

std::int64_t NumberIn(value::ItemView item, std::string_view name) {
  return std::stoll(value::NumberText(item.Find(name)->number()));
}

// One open database, with what it needs.
struct Opened {
  SystemClock clock;
  Random random{1};
  storage::Store* store = nullptr;
  std::unique_ptr<engine::Database> database;
};

// The driver sweeps nothing, so that what it looks at stays as it is.
enum class Sweeps { kOften, kNever };

std::unique_ptr<Opened> Open(const std::string& folder, storage::Durability durability,
                             std::shared_ptr<rocksdb::FileSystem> file_system,
                             Sweeps sweeps = Sweeps::kNever) {
  auto opened = std::make_unique<Opened>();
  auto store = storage::OpenRocksStore({.folder = folder, .file_system = std::move(file_system)});
  CHECK(store.ok(), store.error().message().c_str());
  opened->store = store->get();
  auto database =
      engine::Database::Open(*std::move(store), {.clock = &opened->clock,
                                                 .random = &opened->random,
                                                 .durability = durability,
                                                 .ttl_sweep_ms = sweeps == Sweeps::kOften ? 1 : 0});
  CHECK(database.ok(), "the database opens");
  opened->database = *std::move(database);
  return opened;
}

template <typename T>
T Must(engine::Database& database, engine::Request request) {
  auto reply = database.Execute(std::move(request));
  CHECK(reply.ok(), reply.error().message().c_str());
  return std::get<T>(*std::move(reply));
}

void CreateTable(engine::Database& database) {
  using value::Type;
  const auto index = [](const char* name, bool is_global, const char* partition) {
    return engine::IndexDefinition{.name = name,
                                   .is_global = is_global,
                                   .key_schema = {{partition, true}, {"n", false}},
                                   .projection = engine::ProjectionType::kAll};
  };
  Must<engine::TableReply>(
      database,
      engine::CreateTableRequest{
          .table = "crash",
          .attribute_definitions =
              {{"pk", Type::kS}, {"sk", Type::kN}, {"g", Type::kS}, {"n", Type::kN}},
          .key_schema = {{"pk", true}, {"sk", false}},
          .local_indexes = {{index("local", false, "pk")}},
          .global_indexes = {{index("global", true, "g")}},
          .billing_mode = engine::BillingMode::kPayPerRequest,
          .stream = engine::StreamSpecification{
              .is_enabled = true, .view_type = engine::StreamViewType::kNewAndOldImages}});
}

void CreateExpiringTable(engine::Database& database) {
  Must<engine::TableReply>(
      database, engine::CreateTableRequest{
                    .table = "expiring",
                    .attribute_definitions = {{"pk", value::Type::kS}},
                    .key_schema = {{"pk", true}},
                    .billing_mode = engine::BillingMode::kPayPerRequest,
                    .stream = engine::StreamSpecification{
                        .is_enabled = true, .view_type = engine::StreamViewType::kKeysOnly}});
  Must<std::monostate>(database, engine::UpdateTimeToLiveRequest{
                                     .table = "expiring", .attribute = "ends", .is_enabled = true});
}

std::optional<value::Item> Get(engine::Database& database, std::size_t thread, std::int64_t slot) {
  return Must<engine::GetReply>(database,
                                engine::GetRequest{.table = "crash", .key = KeyOf(thread, slot)})
      .item;
}

std::int64_t CommittedCount(engine::Database& database, std::size_t thread) {
  const auto counter = Get(database, thread, kCounterSlot);
  return counter ? NumberIn(counter->view(), "tally") : 0;
}

engine::TransactWriteRequest NextTransaction(std::size_t thread, std::int64_t number) {
  engine::WriteAction put{.kind = engine::WriteKind::kPut, .table = "crash"};
  put.item = ItemOf({{"pk", S(ThreadKey(thread))},
                     {"sk", N(number % kSlots)},
                     {"g", S(fmt::format("g{}", number % 3))},
                     {"n", N(number)},
                     {"text", S(std::string(200, 'x'))}});
  engine::WriteAction count{.kind = engine::WriteKind::kUpdate, .table = "crash"};
  count.item = KeyOf(thread, kCounterSlot);
  expr::Placeholders placeholders({}, {{":one", N(1)}});
  auto update = expr::Update::Parse("ADD tally :one", placeholders);
  CHECK(update.ok(), update.error().message().c_str());
  count.update = *std::move(update);
  engine::WriteAction expired{.kind = engine::WriteKind::kPut, .table = "expiring"};
  expired.item = ItemOf({{"pk", S(fmt::format("{}/{}", ThreadKey(thread), number))},
                         {"ends", N(SystemClock().NowUnixMs() / 1000 - 60)}});
  return {.actions = {std::move(put), std::move(count), std::move(expired)}};
}

int RunWorker(const std::string& folder, const std::string& mode, std::uint64_t seed, int pipe) {
  std::shared_ptr<rocksdb::FileSystem> file_system;
  if (mode != "kill") file_system = NewForgetfulFileSystem(folder + ".journal", seed);
  const auto opened =
      Open(folder, mode == "control" ? storage::Durability::kRelaxed : storage::Durability::kSync,
           std::move(file_system), Sweeps::kOften);
  std::vector<std::jthread> threads;
  for (std::size_t thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      std::int64_t number = CommittedCount(*opened->database, thread);
      while (true) {
        Must<engine::TransactWriteReply>(*opened->database, NextTransaction(thread, ++number));
        const Ack ack{.thread = thread, .number = number};
        if (::write(pipe, &ack, sizeof(ack)) != sizeof(ack)) return;
      }
    });
  }
  return 0;
}

class Driver {
 public:
  Driver(std::string self, std::string mode, std::uint64_t seed)
      : self_(std::move(self)), mode_(std::move(mode)), random_(seed) {
    folder_ =
        (std::filesystem::temp_directory_path() / fmt::format("trestle-crash-{:x}", seed)).string();
    std::filesystem::remove_all(folder_);
    const auto opened = Open(folder_, storage::Durability::kSync, nullptr);
    CreateTable(*opened->database);
    CreateExpiringTable(*opened->database);
  }
  ~Driver() {
    std::filesystem::remove_all(folder_);
    std::filesystem::remove(folder_ + ".journal");
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  int Run(int rounds) {
    int lossy_rounds = 0;
    for (int round = 0; round < rounds; ++round) {
      RunAndKill();
      const std::int64_t lost = Inspect();
      if (lost > 0) ++lossy_rounds;
      lost_ += lost;
    }
    std::printf(
        "%s: %d rounds, %lld acknowledged transactions, %lld lost, %d rounds with a loss, %d with "
        "writes in flight that were committed, %zu items expired\n",
        mode_.c_str(), rounds, static_cast<long long>(acknowledged_), static_cast<long long>(lost_),
        lossy_rounds, unacknowledged_rounds_, expired_);
    if (acknowledged_ < rounds * 10 || expired_ == 0) {
      std::puts("void: too little was written to prove anything");
      return 1;
    }
    if (mode_ == "control") return lossy_rounds * 2 > rounds ? 0 : 1;
    return lost_ == 0 ? 0 : 1;
  }

 private:
  void RunAndKill() {
    std::array<int, 2> pipe{};
    CHECK(::pipe(pipe.data()) == 0, "a pipe");
    const pid_t child = ::fork();
    CHECK(child >= 0, "a child");
    if (child == 0) {
      ::close(pipe[0]);
      const std::string seed = std::to_string(random_());
      const std::string out = std::to_string(pipe[1]);
      ::execl(self_.c_str(), self_.c_str(), "worker", folder_.c_str(), mode_.c_str(), seed.c_str(),
              out.c_str(), nullptr);
      ::_exit(127);
    }
    ::close(pipe[1]);
    random_.discard(1);  // the child drew one
    // Its life is counted from its first acknowledgement, so that every kill meets writes.
    const auto life = std::chrono::milliseconds(20 + random_() % 150);
    std::jthread killer;
    Ack ack{};
    while (::read(pipe[0], &ack, sizeof(ack)) == sizeof(ack)) {
      acked_[ack.thread] = ack.number;
      ++acknowledged_;
      if (killer.joinable()) continue;
      killer = std::jthread([child, life] {
        std::this_thread::sleep_for(life);
        ::kill(child, SIGKILL);
      });
    }
    ::close(pipe[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL, "the worker was killed, not failed");
    if (mode_ != "kill") ForgetUnsynced(folder_ + ".journal");
  }

  // How many acknowledged transactions are gone. Anything torn is a failed CHECK.
  std::int64_t Inspect() {
    // In the control run the note of what was synced is not written, so it opens all the same.
    const auto opened = Open(folder_, storage::Durability::kSync, nullptr);
    engine::Database& database = *opened->database;
    std::int64_t lost = 0;
    std::int64_t total = 0;
    bool has_unacknowledged = false;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
      const std::int64_t count = CommittedCount(database, thread);
      CHECK(mode_ == "control" || count <= acked_[thread] + 1, "no more than was asked for");
      if (count < acked_[thread]) lost += acked_[thread] - count;
      has_unacknowledged = has_unacknowledged || count > acked_[thread];
      for (std::int64_t number = std::max<std::int64_t>(1, count - kSlots + 1); number <= count;
           ++number) {
        const auto item = Get(database, thread, number % kSlots);
        CHECK(item && NumberIn(item->view(), "n") == number, "counter and item change together");
      }
      acked_[thread] = count;
      total += count;
    }
    if (has_unacknowledged) ++unacknowledged_rounds_;
    CheckIndexes(database);
    CheckStream(*opened, total);
    expired_ = CheckExpiry(*opened, total);
    return lost;
  }

  static std::map<std::string, std::string> ReadAll(engine::Database& database,
                                                    const std::string& index) {
    std::map<std::string, std::string> items;
    engine::PageRequest request{.table = "crash", .index = index};
    while (true) {
      const auto page = Must<engine::PageReply>(database, request);
      for (std::size_t i = 0; i < page.items.size(); ++i) {
        const value::ItemView item = page.items[i];
        if (!item.Find("n")) continue;  // a counter, which no index holds
        items[fmt::format("{}/{}", item.Find("pk")->text(), NumberIn(item, "sk"))] = item.bytes();
      }
      if (!page.last_evaluated_key) return items;
      request.exclusive_start_key = page.last_evaluated_key;
    }
  }

  static void CheckIndexes(engine::Database& database) {
    const auto table = ReadAll(database, "");
    CHECK(ReadAll(database, "global") == table, "the global index is the table's");
    CHECK(ReadAll(database, "local") == table, "the local index is the table's");
  }

  // Two records for each transaction, numbered without a gap.
  static void CheckStream(const Opened& opened, std::int64_t transactions) {
    const auto description =
        Must<engine::TableReply>(*opened.database, engine::DescribeTableRequest{.table = "crash"})
            .description;
    const engine::StreamId stream = description.schema->stream->id;
    const std::string prefix =
        engine::RowPrefix(engine::RowKind::kStream, static_cast<std::uint32_t>(stream));
    const auto cursor = opened.store->NewCursor(prefix, value::PrefixEnd(prefix));
    std::uint64_t sequence = 0;
    for (cursor->Seek(prefix); cursor->Valid(); cursor->Next()) {
      CHECK(cursor->key() == engine::StreamRow(stream, ++sequence), "the stream has no gap");
    }
    CHECK(sequence == static_cast<std::uint64_t>(transactions) * 2, "each change once");
  }

  static std::vector<std::string> ValuesOf(const Opened& opened, const std::string& prefix) {
    const auto cursor = opened.store->NewCursor(prefix, value::PrefixEnd(prefix));
    std::vector<std::string> values;
    for (cursor->Seek(prefix); cursor->Valid(); cursor->Next())
      values.emplace_back(cursor->value());
    return values;
  }

  // An item came with each transaction and went once or not at all. How many went.
  static std::size_t CheckExpiry(const Opened& opened, std::int64_t transactions) {
    const auto description =
        Must<engine::TableReply>(*opened.database,
                                 engine::DescribeTableRequest{.table = "expiring"})
            .description;
    const engine::TableSchema& schema = *description.schema;
    std::size_t expired = 0;
    std::size_t records = 0;
    for (const std::string& value :
         ValuesOf(opened, engine::RowPrefix(engine::RowKind::kStream,
                                            static_cast<std::uint32_t>(schema.stream->id)))) {
      const auto record = engine::DecodeStreamRecord(value);
      CHECK(record.ok(), "a stream record");
      expired += record->event == engine::StreamEvent::kExpire ? 1 : 0;
      ++records;
    }
    const std::size_t items =
        ValuesOf(opened, engine::RowPrefix(engine::RowKind::kItem, schema.id)).size();
    const std::size_t rows =
        ValuesOf(opened, engine::RowPrefix(engine::RowKind::kExpiry, schema.time_to_live->id))
            .size();
    CHECK(records - expired == static_cast<std::size_t>(transactions), "each put once");
    CHECK(records - 2 * expired == items, "each item that expired went once");
    CHECK(items == rows, "an expiry row for each item");
    CHECK(items == description.table.item_count, "the count of items");
    return expired;
  }

  const std::string self_;
  const std::string mode_;
  std::mt19937_64 random_;
  std::string folder_;
  std::array<std::int64_t, kThreads> acked_{};
  std::int64_t acknowledged_ = 0;
  std::int64_t lost_ = 0;
  int unacknowledged_rounds_ = 0;
  std::size_t expired_ = 0;
};

}  // namespace
}  // namespace trestle::fault

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (argc == 6 && arguments[1] == "worker") {
    return trestle::fault::RunWorker(arguments[2], arguments[3], std::stoull(arguments[4]),
                                     std::stoi(arguments[5]));
  }
  if (argc < 3) {
    std::puts("crash_test kill|power|control ROUNDS [SEED]");
    return 2;
  }
  const std::uint64_t seed =
      argc > 3 ? std::stoull(arguments[3], nullptr, 16) : trestle::SystemSeed();
  std::printf("crash: %s, seed %llx\n", arguments[1].c_str(),
              static_cast<unsigned long long>(seed));
  return trestle::fault::Driver("/proc/self/exe", arguments[1], seed).Run(std::stoi(arguments[2]));
}
