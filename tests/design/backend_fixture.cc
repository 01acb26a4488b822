#include "design/backend_fixture.h"

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "design/backend_engine.h"
#include "engine/database.h"
#include "storage/rocks_store.h"

namespace trestle::design::testing {
namespace {

constexpr std::int64_t kStartUnixMs = 1'767'323'045'678;  // 2026-01-02T03:04:05.678Z
constexpr std::size_t kCacheBytes = 8 * 1024 * 1024;

}  // namespace

// What a back end needs around it.
struct BackendFixture::Host {
  FixedClock fixed_clock{kStartUnixMs};
  SystemClock system_clock;
  Random random{2};
  std::unique_ptr<engine::Database> database;

  void OpenDatabase() {
    auto store = storage::OpenRocksStore(
        {.folder = {}, .in_memory = true, .cache_bytes = kCacheBytes, .file_system = nullptr});
    CHECK(store.ok(), "a store in memory can be opened");
    auto opened =
        engine::Database::Open(*std::move(store), {.clock = &fixed_clock, .random = &random});
    CHECK(opened.ok(), "a database in memory can be opened");
    database = *std::move(opened);
  }
};

std::vector<std::string> BackendNames() { return {"engine"}; }

BackendFixture::BackendFixture() : host_(std::make_unique<Host>()) {
  host_->OpenDatabase();
  backend_ = NewEngineBackend(*host_->database);
}

BackendFixture::~BackendFixture() {
  for (const std::string& table : tables_)
    static_cast<void>(backend_->DeleteTable(table));
}

const Clock& BackendFixture::clock() const {
  if (has_fixed_clock()) return host_->fixed_clock;
  return host_->system_clock;
}

bool BackendFixture::has_fixed_clock() const { return GetParam() != "endpoint"; }

void BackendFixture::Advance(std::int64_t by_ms) {
  CHECK(has_fixed_clock(), "the time of an endpoint is its own");
  host_->fixed_clock.Advance(by_ms);
}

std::string BackendFixture::TableName(std::string_view name) {
  if (has_fixed_clock()) return std::string(name);
  return tables_.emplace_back(fmt::format("{}-{}", name, Random(SystemSeed()).Uuid()));
}

}  // namespace trestle::design::testing
