// What the engine costs over bare RocksDB on the same bytes with the same options, and how its
// cost grows with the number of items.
//
//   bench_engine FOLDER SMALL LARGE GROUPS ROUNDS
//
// SMALL and LARGE are numbers of items; GROUPS of 64 puts are written in each round. Prints one
// JSON object. FOLDER must be on the disk that is to be measured; what it holds is overwritten.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include "engine_fixture.h"
#include "trestle/database.h"

namespace trestle::bench {
namespace {

// Enough to touch nearly every block of a million items.
constexpr std::size_t kWarmReads = 300'000;
constexpr std::size_t kReads = 200'000;
constexpr std::size_t kUpdates = 64'000;

struct Options {
  std::string folder;
  std::uint64_t small = 0;
  std::uint64_t large = 0;
  std::size_t group_count = 0;
  std::size_t round_count = 0;
};

double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

std::vector<std::uint64_t> RandomItems(std::uint64_t item_count) {
  std::mt19937_64 random(7);
  std::vector<std::uint64_t> items(kWarmReads + kReads);
  for (std::uint64_t& item : items)
    item = random() % item_count;
  return items;
}

// Nanoseconds of CPU per read. `read` is called with places in a list of kWarmReads + kReads.
template <typename Read>
double TimeReads(Read read) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < kWarmReads; ++i)
    found += read(i);
  const double start = ThreadCpuSeconds();
  for (std::size_t i = kWarmReads; i < kWarmReads + kReads; ++i)
    found += read(i);
  const double spent = ThreadCpuSeconds() - start;
  CHECK(found == kWarmReads + kReads, "every item is there");
  return spent / kReads * 1e9;
}

double TimeRawGets(const std::string& folder, std::uint64_t item_count) {
  const auto db = OpenRaw(folder);
  std::vector<std::string> rows;
  rocksdb::ReadOptions uncached;
  uncached.total_order_seek = true;
  uncached.fill_cache = false;
  const std::unique_ptr<rocksdb::Iterator> all(db->NewIterator(uncached));
  for (all->Seek("i"); all->Valid() && all->key()[0] == 'i'; all->Next())
    rows.push_back(all->key().ToString());
  CHECK(rows.size() == item_count, "every item has its row");
  std::vector<std::string> keys;
  for (const std::uint64_t item : RandomItems(item_count))
    keys.push_back(rows[item]);
  return TimeReads([&](std::size_t i) {
    std::string value;
    return db->Get({}, keys[i], &value).ok() && !value.empty();
  });
}

double TimeEngineGets(const std::string& folder, std::uint64_t item_count) {
  Engine engine(folder, storage::Durability::kRelaxed, nullptr);
  std::vector<engine::GetRequest> requests;
  for (const std::uint64_t item : RandomItems(item_count))
    requests.push_back({.table = std::string(kTable), .key = Key(item)});
  return TimeReads([&](std::size_t i) {
    const auto reply = engine.database().Get(requests[i]);
    return reply.ok() && reply->item.has_value();
  });
}

// Through the public interface, with its tree of values.
double TimeEmbeddedGets(const std::string& folder, std::uint64_t item_count) {
  auto database = embed::Database::Open({.folder = folder});
  CHECK(database.ok(), "the folder opens");
  std::vector<embed::GetItemInput> inputs;
  for (const std::uint64_t item : RandomItems(item_count)) {
    inputs.push_back({.table_name = std::string(kTable),
                      .key = {{"id", embed::AttributeValue::String(KeyText(item))}}});
  }
  return TimeReads([&](std::size_t i) {
    const auto output = database->GetItem(inputs[i]);
    return output.ok() && output->item.has_value();
  });
}

struct Cost {
  double wall_us = 0;
  double cpu_us = 0;
};

Cost PerWrite(std::size_t count, const std::function<void()>& work) {
  const double wall = WallSeconds();
  const double cpu = ProcessCpuSeconds();
  work();
  const auto writes = static_cast<double>(count);
  return {(WallSeconds() - wall) / writes * 1e6, (ProcessCpuSeconds() - cpu) / writes * 1e6};
}

Cost TimeEnginePuts(const Options& options, std::uint64_t seed,
                    std::vector<storage::Batch>& committed) {
  Engine engine(options.folder + "/engine", storage::Durability::kSync, &committed);
  const std::size_t count = options.group_count * kGroupSize;
  auto requests = RandomPuts(options.large, count, seed);
  engine.ReadAll(options.large);
  return PerWrite(count, [&] { engine.PutInGroups(std::move(requests)); });
}

Cost TimeRawPuts(const Options& options, const std::vector<storage::Batch>& committed) {
  const auto db = OpenRaw(options.folder + "/raw");
  rocksdb::WriteOptions sync;
  sync.sync = true;
  return PerWrite(options.group_count * kGroupSize, [&] {
    rocksdb::WriteBatch batch;
    for (const storage::Batch& group : committed) {
      batch.Clear();
      group.ForEach(
          [&](std::string_view key, std::string_view value) {
            batch.Put(rocksdb::Slice(key), rocksdb::Slice(value));
          },
          [&](std::string_view key) { batch.Delete(rocksdb::Slice(key)); });
      CHECK(db->Write(sync, &batch).ok(), "RocksDB writes");
    }
  });
}

// Microseconds of CPU to change an item and its index row, without sync.
double TimeIndexUpdates(const std::string& folder, std::uint64_t item_count) {
  Engine engine(folder, storage::Durability::kRelaxed, nullptr);
  engine.ReadAll(item_count);
  engine.PutInGroups(RandomPuts(item_count, kUpdates / 4, 1));
  auto requests = RandomPuts(item_count, kUpdates, 2);
  return PerWrite(kUpdates, [&] { engine.PutInGroups(std::move(requests)); }).cpu_us;
}

double FdatasyncUs(const std::string& folder) {
  const int fd = open((folder + "/fdatasync").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  const std::string block(4096, 'x');
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) {
    const double start = WallSeconds();
    CHECK(write(fd, block.data(), block.size()) == 4096 && fdatasync(fd) == 0, "the disk writes");
    times.push_back((WallSeconds() - start) * 1e6);
  }
  close(fd);
  return Median(times);
}

std::string MakeFolder(const Options& options, std::uint64_t item_count) {
  std::string folder = fmt::format("{}/{}", options.folder, item_count);
  Engine(folder, storage::Durability::kRelaxed, nullptr).Fill(item_count);
  // Both sizes in the shape that they would have after a while.
  CHECK(OpenRaw(folder)->CompactRange({}, nullptr, nullptr).ok(), "compaction");
  return folder;
}

void Run(const Options& options) {
  std::filesystem::remove_all(options.folder);
  std::filesystem::create_directories(options.folder);
  const std::string small = MakeFolder(options, options.small);
  const std::string large = MakeFolder(options, options.large);

  std::vector<double> raw_ns, engine_ns, embedded_ns, small_ns;
  for (std::size_t i = 0; i < options.round_count; ++i) {
    raw_ns.push_back(TimeRawGets(large, options.large));
    engine_ns.push_back(TimeEngineGets(large, options.large));
    embedded_ns.push_back(TimeEmbeddedGets(large, options.large));
    small_ns.push_back(TimeEngineGets(small, options.small));
  }

  Engine(large, storage::Durability::kRelaxed, nullptr).EnableStream();
  Engine(small, storage::Durability::kRelaxed, nullptr).EnableStream();
  std::filesystem::copy(large, options.folder + "/engine",
                        std::filesystem::copy_options::recursive);
  std::filesystem::copy(large, options.folder + "/raw", std::filesystem::copy_options::recursive);
  std::vector<double> raw_wall, raw_cpu, engine_wall, engine_cpu;
  for (std::size_t i = 0; i < options.round_count; ++i) {
    std::vector<storage::Batch> committed;
    const Cost ours = TimeEnginePuts(options, i + 10, committed);
    const Cost raw = TimeRawPuts(options, committed);
    engine_wall.push_back(ours.wall_us);
    engine_cpu.push_back(ours.cpu_us);
    raw_wall.push_back(raw.wall_us);
    raw_cpu.push_back(raw.cpu_us);
  }
  const double fdatasync_us = FdatasyncUs(options.folder);
  const double small_update_us = TimeIndexUpdates(small, options.small);
  const double large_update_us = TimeIndexUpdates(large, options.large);

  fmt::print(
      R"({{"small":{},"large":{},"get_raw_ns":{:.0f},"get_engine_ns":{:.0f},)"
      R"("get_embedded_ns":{:.0f},"get_engine_small_ns":{:.0f},"put_raw_wall_us":{:.2f},)"
      R"("put_raw_cpu_us":{:.2f},"put_engine_wall_us":{:.2f},"put_engine_cpu_us":{:.2f},)"
      R"("fdatasync_us":{:.0f},"index_update_small_us":{:.2f},"index_update_large_us":{:.2f}}})"
      "\n",
      options.small, options.large, Median(raw_ns), Median(engine_ns), Median(embedded_ns),
      Median(small_ns), Median(raw_wall), Median(raw_cpu), Median(engine_wall), Median(engine_cpu),
      fdatasync_us, small_update_us, large_update_us);
}

}  // namespace
}  // namespace trestle::bench

int main(int argc, char** argv) {
  if (argc != 6) {
    fmt::print(stderr, "bench_engine FOLDER SMALL LARGE GROUPS ROUNDS\n");
    return 2;
  }
  const auto number = [&](int i) { return std::strtoull(argv[i], nullptr, 10); };
  trestle::bench::Run({argv[1], number(2), number(3), number(4), number(5)});
}
