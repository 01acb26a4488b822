// What a design costs over the same requests made by hand.
//
//   bench_design DESIGN FOLDER READERS REQUESTS ROUNDS [NAME]
//
// DESIGN is src/apps/books/books.design. In FOLDER, which is new, each of READERS gets 1,000
// books, and requests go to books at random; durability is relaxed, so that waiting for the disk is
// not in it. Prints one JSON object: CPU of the process per request, in microseconds, and the
// ratio. What the store does in the background follows from the bytes that were written, which are
// the same on both sides; it comes in large pieces at times of its own, so each side gets half.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "design/backend_engine.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "design/values.h"
#include "engine/database.h"
#include "expr/key_condition.h"
#include "storage/rocks_store.h"

namespace trestle::design {
namespace {

constexpr std::size_t kBooks = 1000;  // of each reader

struct CpuSeconds {
  double of_requests = 0;
  double of_store = 0;  // its background threads

  static CpuSeconds Now() {
    CpuSeconds cpu;
    for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task")) {
      std::string name;
      std::ifstream(thread.path() / "comm") >> name;
      double run_ns = 0;
      std::ifstream(thread.path() / "schedstat") >> run_ns;
      (name.starts_with("rocksdb:") ? cpu.of_store : cpu.of_requests) += run_ns / 1e9;
    }
    return cpu;
  }
};

std::string ReaderOf(std::size_t i) { return fmt::format("reader-{:04}", i / kBooks); }
std::string BookId(std::size_t i) { return fmt::format("book-{:06}", i % kBooks); }

Record Identity(std::size_t i) {
  Record identity;
  identity.SetText("userId", ReaderOf(i));
  identity.SetText("id", BookId(i));
  return identity;
}

// Until the store has nothing left to do in the background.
void Settle() {
  constexpr std::chrono::milliseconds kStep{500};
  double before = CpuSeconds::Now().of_store;
  for (int quiet = 0; quiet < 3;) {
    std::this_thread::sleep_for(kStep);
    const double now = CpuSeconds::Now().of_store;
    quiet = now - before < 0.01 ? quiet + 1 : 0;
    before = now;
  }
}

class Bench {
 public:
  Bench(const std::string& design, const std::string& folder, std::size_t readers)
      : books_(readers * kBooks) {
    std::ifstream file(design);
    std::ostringstream text;
    text << file.rdbuf();
    model_ = Compile(text.str()).model;
    CHECK(model_ != nullptr, "the design has no errors");
    auto store = storage::OpenRocksStore(
        {.folder = folder, .in_memory = false, .cache_bytes = 0, .file_system = nullptr});
    CHECK(store.ok(), "a store can be opened");
    auto database = engine::Database::Open(
        *std::move(store),
        {.clock = &clock_, .random = &random_, .durability = storage::Durability::kRelaxed});
    CHECK(database.ok(), "a database can be opened");
    database_ = *std::move(database);
    backend_ = NewEngineBackend(*database_);
    runtime_ = std::make_unique<Runtime>(*model_, *backend_,
                                         RuntimeOptions{.clock = &clock_, .random = &random_});
    Fill();
    Settle();
  }

  struct Figure {
    std::string name;
    double by_hand_us = 0;
    double by_design_us = 0;
  };

  // Only the figure of this name, or all when it is empty.
  std::vector<Figure> Measure(std::size_t requests, std::size_t rounds, const std::string& only) {
    std::vector<Figure> figures;
    const auto compare = [&](const std::string& name, const std::function<void(std::size_t)>& hand,
                             const std::function<void(std::size_t)>& design) {
      if (!only.empty() && name != only) return;
      std::vector<double> by_hand;
      std::vector<double> by_design;
      const double before = CpuSeconds::Now().of_store;
      for (std::size_t round = 0; round < rounds; ++round) {
        by_hand.push_back(Time(requests, hand));
        by_design.push_back(Time(requests, design));
      }
      Settle();
      const double of_store =
          (CpuSeconds::Now().of_store - before) * 1e6 / static_cast<double>(2 * rounds * requests);
      std::ranges::sort(by_hand);
      std::ranges::sort(by_design);
      figures.push_back({name, by_hand[rounds / 2] + of_store, by_design[rounds / 2] + of_store});
    };
    compare(
        "get", [&](std::size_t i) { GetByHand(i); }, [&](std::size_t i) { GetByDesign(i); });
    compare(
        "query of 20", [&](std::size_t i) { QueryByHand(i); },
        [&](std::size_t i) { QueryByDesign(i); });
    compare(
        "update", [&](std::size_t i) { UpdateByHand(i); },
        [&](std::size_t i) { UpdateByDesign(i); });
    compare(
        "create", [&](std::size_t i) { CreateByHand(i); },
        [&](std::size_t i) { CreateByDesign(i); });
    return figures;
  }

 private:
  double Time(std::size_t requests, const std::function<void(std::size_t)>& request) {
    const double start = CpuSeconds::Now().of_requests;
    for (std::size_t i = 0; i < requests; ++i)
      request(random_.Next() % books_);
    return (CpuSeconds::Now().of_requests - start) / static_cast<double>(requests) * 1e6;
  }

  [[nodiscard]] const Entity& book() const { return *model_->FindEntity("Book"); }

  void Fill() {
    TableSettings settings{
        .name = runtime_->table(),
        .partition_key = "pk",
        .sort_key = "sk",
        .key_types = {{"pk", KeyType::kString},
                      {"sk", KeyType::kString},
                      {"gsi1pk", KeyType::kString},
                      {"gsi1sk", KeyType::kString}},
        .indexes = {{.name = "GSI1", .partition_key = "gsi1pk", .sort_key = "gsi1sk"}},
        .stream = StreamImages::kNewAndOld};
    CHECK(backend_->CreateTable(settings).ok(), "the table can be made");
    for (std::size_t reader = 0; reader < books_ / kBooks; ++reader)
      FillReader(reader * kBooks);
  }

  // The first book is made by the design, the others are copies of it.
  void FillReader(std::size_t first) {
    Record reader;
    reader.SetText("userId", ReaderOf(first));
    CHECK(runtime_->Create(*model_->FindEntity("UserMetadata"), reader).ok(), "a reader");
    Record book_of_reader = Identity(first);
    book_of_reader.SetText("title", "Title of a book");
    book_of_reader.SetText("description", std::string(100, 'x'));
    CHECK(runtime_->Create(book(), book_of_reader).ok(), "a book");
    const auto made = backend_->Get({.table = runtime_->table(), .key = Key(first)});
    CHECK(made.ok() && made->has_value(), "a book to make others like it");
    template_ = Record(made->value().view());
    constexpr std::size_t kBatch = 25;
    std::vector<WriteItem> writes;
    for (std::size_t i = first + 1; i < first + kBooks; ++i) {
      Record stored = template_;
      stored.SetText("id", BookId(i));
      stored.SetText("sk", "BOOK#" + BookId(i));
      writes.push_back(
          {.kind = ActionKind::kPut, .table = runtime_->table(), .item = stored.ToItem()});
      if (writes.size() < kBatch && i + 1 < first + kBooks) continue;
      CHECK(backend_->BatchWrite(writes).ok(), "books can be made");
      writes.clear();
    }
  }

  [[nodiscard]] static value::Item Key(std::size_t i) {
    Record key;
    key.SetText("pk", "USER#" + ReaderOf(i));
    key.SetText("sk", "BOOK#" + BookId(i));
    return key.ToItem();
  }

  void GetByHand(std::size_t i) {
    const auto item = backend_->Get({.table = runtime_->table(), .key = Key(i)});
    CHECK(item.ok() && item->has_value(), "the book is there");
    CHECK(Record(item->value().view()).FindText("title").has_value(), "it has a title");
  }

  void GetByDesign(std::size_t i) {
    const auto item = runtime_->Get(book(), Identity(i), false);
    CHECK(item.ok() && item->has_value(), "the book is there");
    CHECK(item->value().record.FindText("title").has_value(), "it has a title");
  }

  void QueryByHand(std::size_t i) {
    expr::Placeholders placeholders(
        {{"#pk", "pk"}, {"#sk", "sk"}},
        {{":pk", EncodeText("USER#" + ReaderOf(i))}, {":sk", EncodeText("BOOK#")}});
    auto condition = expr::KeyCondition::Parse("#pk = :pk AND begins_with(#sk, :sk)", placeholders);
    CHECK(condition.ok() && placeholders.CheckAllUsed().ok(), "a condition that can be read");
    const auto page = backend_->Read(
        {.table = runtime_->table(), .key_condition = *std::move(condition), .limit = 20});
    CHECK(page.ok() && page->items.size() == 20, "a page of books");
    for (const value::Item& item : page->items)
      CHECK(Record(item.view()).FindText("title").has_value(), "it has a title");
  }

  void QueryByDesign(std::size_t i) {
    Record arguments;
    arguments.SetText("userId", ReaderOf(i));
    const auto page = runtime_->Run(*model_->FindAccess("listBooks"), arguments, {.limit = 20});
    CHECK(page.ok() && page->items.size() == 20, "a page of books");
    for (const TypedItem& item : page->items)
      CHECK(item.record.FindText("title").has_value(), "it has a title");
  }

  // Read, and write under the version that was read: what the run time does.
  void UpdateByHand(std::size_t i) {
    const auto item =
        backend_->Get({.table = runtime_->table(), .key = Key(i), .is_consistent = true});
    CHECK(item.ok() && item->has_value(), "the book is there");
    const value::Number version = DecodeNumber(*item->value().Find("version"));
    WriteItem write{.kind = ActionKind::kUpdate,
                    .table = runtime_->table(),
                    .item = Key(i),
                    .update = "SET #page = :page, #at = :at, #gsi1sk = :gsi1sk, #version = :next",
                    .condition = "attribute_exists(#pk) AND #version = :version"};
    const std::string now = "2026-01-15T10:00:00.000Z";
    write.expressions.names = {{"#page", "currentPage"},
                               {"#at", "updatedAt"},
                               {"#gsi1sk", "gsi1sk"},
                               {"#version", "version"},
                               {"#pk", "pk"}};
    write.expressions.values = {
        {":page", EncodeInteger(++page_)},
        {":at", EncodeText(now)},
        {":gsi1sk", EncodeText("STATUS#SHELF#" + now)},
        {":version", EncodeNumber(version)},
        {":next", EncodeNumber(*value::Add(version, value::Number::FromInteger(1)))}};
    CHECK(backend_->Write(write).ok(), "the book can be changed");
  }

  void UpdateByDesign(std::size_t i) {
    Changes changes;
    changes.set.push_back({Path{{}, {"currentPage"}}, EncodeInteger(++page_ % 100'000)});
    CHECK(runtime_->Update(book(), Identity(i), changes).ok(), "the book can be changed");
  }

  void CreateByHand(std::size_t i) {
    const std::string id = fmt::format("by-hand-{}", ++made_);
    Record stored = template_;
    stored.SetText("pk", "USER#" + ReaderOf(i));
    stored.SetText("userId", ReaderOf(i));
    stored.SetText("id", id);
    stored.SetText("sk", "BOOK#" + id);
    std::vector<WriteItem> writes(2);
    writes[0] = {.kind = ActionKind::kPut,
                 .table = runtime_->table(),
                 .item = stored.ToItem(),
                 .condition = "attribute_not_exists(pk)"};
    writes[1] = CountAtReaderOf(i);
    CHECK(backend_->Transact(writes, random_.Uuid()).ok(), "a book can be made");
  }

  WriteItem CountAtReaderOf(std::size_t i) {
    Record key;
    key.SetText("pk", "USER#" + ReaderOf(i));
    key.SetText("sk", "METADATA");
    WriteItem write{.kind = ActionKind::kUpdate,
                    .table = runtime_->table(),
                    .item = key.ToItem(),
                    .update = "SET #c.#s = if_not_exists(#c.#s, :zero) + :by",
                    .condition = "attribute_exists(pk)"};
    write.expressions.names = {{"#c", "counts"}, {"#s", "SHELF"}};
    write.expressions.values = {{":zero", EncodeInteger(0)}, {":by", EncodeInteger(1)}};
    return write;
  }

  void CreateByDesign(std::size_t i) {
    Record record;
    record.SetText("userId", ReaderOf(i));
    record.SetText("id", fmt::format("by-design-{}", ++made_));
    record.SetText("title", "Title of a new book");
    record.SetText("description", std::string(100, 'x'));
    CHECK(runtime_->Create(book(), record).ok(), "a book can be made");
  }

  const std::size_t books_;
  SystemClock clock_;
  Random random_{1};
  std::unique_ptr<const Model> model_;
  std::unique_ptr<engine::Database> database_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Runtime> runtime_;
  Record template_;  // a book as it is stored
  std::int64_t page_ = 0;
  std::size_t made_ = 0;
};

}  // namespace
}  // namespace trestle::design

int main(int argc, char** argv) {
  if (argc != 6 && argc != 7) {
    fmt::print(stderr, "bench_design DESIGN FOLDER READERS REQUESTS ROUNDS [NAME]\n");
    return 2;
  }
  const auto number = [&](int at) { return std::max(1ULL, std::strtoull(argv[at], nullptr, 10)); };
  trestle::design::Bench bench(argv[1], argv[2], number(3));
  const auto figures = bench.Measure(number(4), number(5), argc == 7 ? argv[6] : "");
  std::string separator = "{";
  for (const auto& figure : figures) {
    fmt::print(
        "{}\n  \"{}\": {{\"by_hand_us\": {:.2f}, \"by_design_us\": {:.2f}, \"ratio\": {:.2f}}}",
        separator, figure.name, figure.by_hand_us, figure.by_design_us,
        figure.by_design_us / figure.by_hand_us);
    separator = ",";
  }
  fmt::print("\n}}\n");
  return 0;
}
