// Eight clients call a few items at once; what they saw must have an order that explains it.
//
//   history_test real|control HISTORIES [SEED]
//
//   real     the engine, in a folder, with a sync for each commit
//   control  the same, but some reads answer what the client read before: must be found out

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/random.h"
#include "engine/database.h"
#include "linearizability.h"
#include "storage/rocks_store.h"
#include "value/testing_internal.h"

namespace trestle::fault {
namespace {

using value::testing::ItemOf;
using value::testing::N;
using value::testing::S;

constexpr std::size_t kClients = 8;
constexpr std::size_t kCallsOfClient = 200;
constexpr std::size_t kItems = 5;
constexpr const char* kTable = "history";

value::Item MakeItem(const std::string& key, std::optional<std::int64_t> number) {
  return number ? ItemOf({{"n", N(*number)}, {"pk", S(key)}}) : ItemOf({{"pk", S(key)}});
}

std::optional<std::int64_t> NumberIn(const std::optional<value::Item>& item) {
  if (!item) return std::nullopt;
  return std::stoll(value::NumberText(item->view().Find("n")->number()));
}

expr::Condition IsNumber(std::optional<std::int64_t> expected) {
  expr::Placeholders values({}, {{":n", N(expected.value_or(0))}});
  expr::Placeholders none({}, {});
  auto condition = expected
                       ? expr::Condition::Parse(expr::ConditionKind::kCondition, "n = :n", values)
                       : expr::Condition::Parse(expr::ConditionKind::kCondition,
                                                "attribute_not_exists(n)", none);
  CHECK(condition.ok(), condition.error().message().c_str());
  return *std::move(condition);
}

expr::Update AddNumber(std::int64_t number) {
  expr::Placeholders placeholders({}, {{":n", N(number)}});
  auto update = expr::Update::Parse("ADD n :n", placeholders);
  CHECK(update.ok(), update.error().message().c_str());
  return *std::move(update);
}

std::uint64_t Now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// One client and what it saw, by item.
class Client {
 public:
  Client(engine::Database& database, std::string prefix, bool is_stale, std::uint64_t seed)
      : database_(database), prefix_(std::move(prefix)), is_stale_(is_stale), random_(seed) {}

  void Run() {
    for (std::size_t i = 0; i < kCallsOfClient; ++i) {
      const std::size_t item = random_() % kItems;
      Call call = ChooseCall(item);
      call.begin = Now();
      Make(call, fmt::format("{}/{}", prefix_, item));
      call.end = Now();
      if (call.kind == Call::Kind::kGet) Forge(call, item);
      if (call.kind == Call::Kind::kAdd || call.kind == Call::Kind::kGet) last_[item] = call.answer;
      calls_[item].push_back(call);
    }
  }

  [[nodiscard]] const std::array<std::vector<Call>, kItems>& calls() const { return calls_; }

 private:
  Call ChooseCall(std::size_t item) {
    const auto number = static_cast<std::int64_t>(random_() % 1000);
    switch (random_() % 8) {
      case 0:
        return {.kind = Call::Kind::kPut, .argument = number};
      case 1:
      case 2:
        return {.kind = Call::Kind::kPutIf, .argument = number, .expected = last_[item]};
      case 3:
        return {.kind = Call::Kind::kAdd, .argument = number};
      case 4:
        return {.kind = Call::Kind::kDelete};
      default:
        return {.kind = Call::Kind::kGet};
    }
  }

  void Make(Call& call, const std::string& key) {
    if (call.kind == Call::Kind::kGet) {
      auto reply =
          database_.Execute(engine::GetRequest{.table = kTable,
                                               .key = MakeItem(key, std::nullopt),
                                               .consistency = engine::Consistency::kStrong});
      CHECK(reply.ok(), reply.error().message().c_str());
      call.answer = NumberIn(std::get<engine::GetReply>(*reply).item);
      return;
    }
    auto reply = database_.Execute(WriteOf(call, key));
    if (!reply.ok()) {
      CHECK(reply.error().code() == ErrorCode::kConditionalCheckFailed,
            reply.error().message().c_str());
      call.was_done = false;
      return;
    }
    const auto& written = std::get<engine::WriteReply>(*reply);
    if (call.kind == Call::Kind::kAdd) call.answer = NumberIn(written.new_item);
    if (call.kind == Call::Kind::kDelete) call.answer = NumberIn(written.old_item);
  }

  static engine::WriteRequest WriteOf(const Call& call, const std::string& key) {
    engine::WriteRequest request;
    request.action.table = kTable;
    switch (call.kind) {
      case Call::Kind::kPutIf:
        request.action.condition = IsNumber(call.expected);
        [[fallthrough]];
      case Call::Kind::kPut:
        request.action.kind = engine::WriteKind::kPut;
        request.action.item = MakeItem(key, call.argument);
        break;
      case Call::Kind::kAdd:
        request.action.kind = engine::WriteKind::kUpdate;
        request.action.item = MakeItem(key, std::nullopt);
        request.action.update = AddNumber(call.argument);
        request.return_values = engine::ReturnValues::kAllNew;
        break;
      default:
        request.action.kind = engine::WriteKind::kDelete;
        request.action.item = MakeItem(key, std::nullopt);
        request.return_values = engine::ReturnValues::kAllOld;
    }
    return request;
  }

  void Forge(Call& call, std::size_t item) {
    if (is_stale_ && random_() % 4 == 0) call.answer = last_[item];
  }

  engine::Database& database_;
  const std::string prefix_;
  const bool is_stale_;
  std::mt19937_64 random_;
  std::array<std::optional<std::int64_t>, kItems> last_;
  std::array<std::vector<Call>, kItems> calls_;
};

void CreateTable(engine::Database& database) {
  const auto created = database.Execute(
      engine::CreateTableRequest{.table = kTable,
                                 .attribute_definitions = {{"pk", value::Type::kS}},
                                 .key_schema = {{"pk", true}},
                                 .billing_mode = engine::BillingMode::kPayPerRequest});
  CHECK(created.ok(), created.error().message().c_str());
}

// Whether one history, of items of its own, has an order.
bool RunHistory(engine::Database& database, int number, bool is_stale, std::mt19937_64& random,
                std::chrono::nanoseconds& slowest_check) {
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t i = 0; i < kClients; ++i) {
    clients.push_back(
        std::make_unique<Client>(database, fmt::format("h{}", number), is_stale, random()));
  }
  {
    std::vector<std::jthread> threads;
    threads.reserve(kClients);
    for (const auto& client : clients)
      threads.emplace_back([&client] { client->Run(); });
  }
  const auto start = std::chrono::steady_clock::now();
  bool is_good = true;
  for (std::size_t item = 0; item < kItems; ++item) {
    std::vector<Call> calls;
    for (const auto& client : clients) {
      calls.insert(calls.end(), client->calls()[item].begin(), client->calls()[item].end());
    }
    is_good = IsLinearizable(calls) && is_good;
  }
  slowest_check =
      std::max<std::chrono::nanoseconds>(slowest_check, std::chrono::steady_clock::now() - start);
  return is_good;
}

int Run(const std::string& mode, int histories, std::uint64_t seed) {
  const std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("trestle-history-{:x}", seed)).string();
  std::filesystem::remove_all(folder);
  int bad = 0;
  std::chrono::nanoseconds slowest_check{0};
  {
    const SystemClock clock;
    Random chance(seed);
    auto store = storage::OpenRocksStore({.folder = folder, .file_system = nullptr});
    CHECK(store.ok(), store.error().message().c_str());
    auto database = engine::Database::Open(*std::move(store), {.clock = &clock, .random = &chance});
    CHECK(database.ok(), database.error().message().c_str());
    CreateTable(**database);
    std::mt19937_64 random(seed);
    for (int i = 0; i < histories; ++i) {
      if (!RunHistory(**database, i, mode == "control", random, slowest_check)) ++bad;
    }
  }
  std::filesystem::remove_all(folder);
  std::printf(
      "%s: %d histories of %zu clients x %zu calls, %d without an order, slowest check %lld ms\n",
      mode.c_str(), histories, kClients, kCallsOfClient, bad,
      static_cast<long long>(slowest_check.count() / 1'000'000));
  return mode == "control" ? (bad * 2 > histories ? 0 : 1) : (bad == 0 ? 0 : 1);
}

}  // namespace
}  // namespace trestle::fault

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv, argv + argc);
  if (argc < 3) {
    std::puts("history_test real|control HISTORIES [SEED]");
    return 2;
  }
  const std::uint64_t seed =
      argc > 3 ? std::stoull(arguments[3], nullptr, 16) : trestle::SystemSeed();
  std::printf("history: %s, seed %llx\n", arguments[1].c_str(),
              static_cast<unsigned long long>(seed));
  return trestle::fault::Run(arguments[1], std::stoi(arguments[2]), seed);
}
