// Kill -9 in the middle of cascades, moves and copies: after a restart everything that was begun is
// finished, and `verify` finds nothing.
//
//   design_kill_test ROUNDS [SEED]
//
// Each round a worker process opens the same folder, lets a maintainer follow the tables, and keeps
// deleting, moving and renaming things with many children until it is killed. Then this process
// opens the folder, waits for the maintainer, and verifies.

#include <array>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
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
#include "design/backend_engine.h"
#include "design/maintainer.h"
#include "design/resolve.h"
#include "design/runtime.h"
#include "design/testing_internal.h"
#include "design/verify.h"
#include "engine/database.h"
#include "storage/rocks_store.h"

namespace trestle::design::testing {
namespace {

constexpr std::size_t kCacheBytes = 16 * 1024 * 1024;
constexpr int kChildren = 60;  // more than a transaction takes along

std::unique_ptr<const Model> ReadModel(std::string_view app) {
  std::ifstream file(fmt::format("src/apps/{}/{}.design", app, app));
  std::ostringstream text;
  text << file.rdbuf();
  auto resolved = Resolve(syntax::ParseDesign(text.str()).design);
  CHECK(resolved.model != nullptr, "a design of an application");
  return std::move(resolved.model);
}

TableSettings SettingsOf(const Model& model, const std::string& table) {
  TableSettings settings{.name = table,
                         .partition_key = model.table.partition_key,
                         .sort_key = model.table.sort_key,
                         .stream = StreamImages::kNewAndOld};
  settings.key_types = {{settings.partition_key, KeyType::kString},
                        {settings.sort_key, KeyType::kString}};
  for (const Index& index : model.table.indexes) {
    settings.key_types.emplace(index.partition_key, KeyType::kString);
    settings.key_types.emplace(index.sort_key, KeyType::kString);
    settings.indexes.push_back(
        {.name = index.name, .partition_key = index.partition_key, .sort_key = index.sort_key});
  }
  return settings;
}

// A design at work on its table, with its maintainer.
struct App {
  App(std::string_view name, Backend& backend, const Clock& clock, Random& random)
      : model(ReadModel(name)),
        runtime(*model, backend, {.clock = &clock, .random = &random}),
        maintainer(runtime, {}) {
    const auto described = backend.DescribeTable(runtime.table());
    if (!described.ok()) {
      const Status created = backend.CreateTable(SettingsOf(*model, runtime.table()));
      CHECK(created.ok(), "a table can be made");
    }
    const Status started = maintainer.Start();
    CHECK(started.ok(), "a stream can be followed");
  }

  // What is refused because of what others have deleted is nothing special here.
  void Create(std::string_view entity, std::string_view attributes) {
    static_cast<void>(runtime.Create(*model->FindEntity(entity), RecordOf(attributes)));
  }
  void Update(std::string_view entity, std::string_view identity, std::string_view name,
              std::string_view text) {
    std::string value;
    value::AppendString(value, text);
    Changes changes;
    changes.set.push_back({Path{{}, {std::string(name)}}, value});
    static_cast<void>(runtime.Update(*model->FindEntity(entity), RecordOf(identity), changes));
  }
  void Delete(std::string_view entity, std::string_view identity) {
    static_cast<void>(runtime.Delete(*model->FindEntity(entity), RecordOf(identity)));
  }

  std::unique_ptr<const Model> model;
  Runtime runtime;
  Maintainer maintainer;
};

// Everything in one folder.
struct World {
  explicit World(const std::string& folder) {
    auto store = storage::OpenRocksStore({.folder = folder, .cache_bytes = kCacheBytes});
    CHECK(store.ok(), "the folder can be opened");
    auto opened = engine::Database::Open(*std::move(store), {.clock = &clock, .random = &random});
    CHECK(opened.ok(), "the database can be opened");
    database = *std::move(opened);
    backend = NewEngineBackend(*database);
    library = std::make_unique<App>("library", *backend, clock, random);
    notes = std::make_unique<App>("notes", *backend, clock, random);
  }

  SystemClock clock;
  Random random{SystemSeed()};
  std::unique_ptr<engine::Database> database;
  std::unique_ptr<Backend> backend;
  std::unique_ptr<App> library;
  std::unique_ptr<App> notes;
};

void MakeLibrary(App& app, int number) {
  app.Create("Owner", R"({OwnerId: "O", OwnerName: "Ada"})");
  app.Create("Library",
             fmt::format(R"({{OwnerId: "O", LibraryId: "l{}", LibraryName: "L"}})", number));
  app.Create("Collection", fmt::format(R"({{OwnerId: "O", LibraryId: "l{}", CollectionId: "c",
                                            Name: "C"}})",
                                       number));
  for (int i = 1; i <= kChildren; ++i) {
    app.Create("Book", fmt::format(R"({{OwnerId: "O", LibraryId: "l{}", ItemId: "i{}", Title: "T",
                                        CollectionId: "c", Order: {}}})",
                                   number, i, i));
    if (i % 4 != 0) continue;
    app.Create("LendingEvent", fmt::format(R"({{OwnerId: "O", LibraryId: "l{}", ItemId: "i{}",
                                                Type: "LENT", Event: "B"}})",
                                           number, i));
  }
}

void MakeUser(App& app, int number) {
  app.Create("User", fmt::format(R"({{id: "s{}", email: "{}@b.c", name: "N"}})", number, number));
  for (int i = 0; i < kChildren; ++i) {
    app.Create("Note", fmt::format(R"({{email: "{}@b.c", id: "n{}", title: "T"}})", number, i));
  }
}

void Act(World& world, std::mt19937_64& random) {
  const auto draw = [&](int count) {
    return static_cast<int>(random() % static_cast<std::uint64_t>(count));
  };
  App& library = *world.library;
  App& notes = *world.notes;
  const int number = draw(3);
  const std::string of_library = fmt::format(R"({{OwnerId: "O", LibraryId: "l{}"}})", number);
  const std::string of_collection =
      fmt::format(R"({{OwnerId: "O", LibraryId: "l{}", CollectionId: "c"}})", number);
  const std::string of_user = fmt::format(R"({{email: "{}@b.c"}})", draw(4));
  switch (draw(9)) {
    case 0:
      return MakeLibrary(library, number);
    case 1:
      return MakeUser(notes, number);
    case 2:
      return library.Update("Collection", of_collection, "Name", fmt::format("C{}", draw(100)));
    case 3:
      return library.Update("Library", of_library, "LibraryName", fmt::format("L{}", draw(100)));
    case 4:
      return library.Update("Owner", R"({OwnerId: "O"})", "OwnerName", fmt::format("A{}", draw(9)));
    case 5:
      return library.Delete("Collection", of_collection);
    case 6:
      return library.Delete("Library", of_library);
    case 7:
      return notes.Update("User", of_user, "email", fmt::format("{}@b.c", draw(4)));
    default:
      return draw(3) == 0 ? notes.Delete("User", of_user)
                          : library.Update("Book",
                                           fmt::format(R"({{OwnerId: "O", LibraryId: "l{}",
                                                            ItemId: "i{}"}})",
                                                       number, 1 + draw(kChildren)),
                                           "LibraryId", fmt::format("l{}", draw(3)));
  }
}

int RunWorker(const std::string& folder, std::uint64_t seed, int out) {
  World world(folder);
  std::mt19937_64 random(seed);
  while (true) {
    Act(world, random);
    const char byte = 1;
    if (::write(out, &byte, 1) != 1) return 1;
  }
}

int RunAndKill(const std::string& folder, std::mt19937_64& random) {
  std::array<int, 2> pipe{};
  CHECK(::pipe(pipe.data()) == 0, "a pipe");
  const std::string seed = std::to_string(random());
  const std::string out = std::to_string(pipe[1]);
  const pid_t child = ::fork();
  CHECK(child >= 0, "a child");
  if (child == 0) {
    ::close(pipe[0]);
    ::execl("/proc/self/exe", "design_kill_test", "worker", folder.c_str(), seed.c_str(),
            out.c_str(), nullptr);
    ::_exit(127);
  }
  ::close(pipe[1]);
  // Its life is counted from what it does first, so that every kill meets work.
  const auto life = std::chrono::milliseconds(10 + random() % 250);
  int actions = 0;
  std::jthread killer;
  char byte = 0;
  while (::read(pipe[0], &byte, 1) == 1) {
    ++actions;
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
  return actions;
}

// How many drifts there are once the maintainers have done what was left.
std::uint64_t Inspect(const std::string& folder) {
  World world(folder);
  std::uint64_t drifts = 0;
  for (App* app : {world.library.get(), world.notes.get()}) {
    CHECK(app->maintainer.Drained(std::chrono::seconds(60)), "the maintainer gets level");
    CHECK(app->maintainer.failed_changes() == 0, "every change can be followed");
    const auto report = Verify(app->runtime, {.report = [](const Drift& drift) {
                                 fmt::print("{}: {}\n", DriftName(drift.kind), drift.sentence);
                               }});
    CHECK(report.ok(), "the table can be read");
    drifts += report->drifts;
  }
  return drifts;
}

int Drive(int rounds, std::uint64_t seed) {
  const std::string folder = fmt::format(
      "{}/trestle-design-kill-{}", std::filesystem::temp_directory_path().string(), ::getpid());
  std::filesystem::remove_all(folder);
  std::mt19937_64 random(seed);
  int actions = 0;
  std::uint64_t drifts = 0;
  int round = 0;
  for (; round < rounds && drifts == 0; ++round) {
    actions += RunAndKill(folder, random);
    drifts = Inspect(folder);
  }
  fmt::print("design kill: {} kills, {} actions, {} drifts\n", round, actions, drifts);
  if (drifts == 0) std::filesystem::remove_all(folder);
  return drifts == 0 ? 0 : 1;
}

}  // namespace
}  // namespace trestle::design::testing

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (argc == 5 && arguments[1] == "worker") {
    return trestle::design::testing::RunWorker(arguments[2], std::stoull(arguments[3]),
                                               std::stoi(arguments[4]));
  }
  if (argc < 2) {
    std::puts("design_kill_test ROUNDS [SEED]");
    return 2;
  }
  const std::uint64_t seed =
      argc > 2 ? std::stoull(arguments[2], nullptr, 16) : trestle::SystemSeed();
  std::printf("design kill: seed %llx\n", static_cast<unsigned long long>(seed));
  return trestle::design::testing::Drive(std::stoi(arguments[1]), seed);
}
