#include "trestle/database.h"

#include <utility>

#include "embed/database_internal.h"
#include "storage/rocks_store.h"

namespace trestle::embed {
namespace {

trestle::Result<std::unique_ptr<engine::Database>> OpenEngine(const DatabaseOptions& options,
                                                              const Clock& clock, Random& random) {
  if (options.in_memory != options.folder.empty()) {
    return ValidationError("A database needs either a folder or in_memory");
  }
  auto store = TRY(storage::OpenRocksStore({.folder = options.folder,
                                            .in_memory = options.in_memory,
                                            .cache_bytes = options.cache_bytes}));
  return engine::Database::Open(
      std::move(store),
      {.clock = &clock,
       .random = &random,
       .durability = options.durability == Durability::kSync ? storage::Durability::kSync
                                                             : storage::Durability::kRelaxed});
}

}  // namespace

Database::Database(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Database::~Database() = default;
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;

Result<Database> Database::Open(const DatabaseOptions& options) {
  auto impl = std::make_unique<Impl>();
  auto opened = OpenEngine(options, impl->clock, impl->random);
  if (!opened.ok()) return ToOutput(opened.error());
  impl->database = *std::move(opened);
  return Database(std::move(impl));
}

}  // namespace trestle::embed
