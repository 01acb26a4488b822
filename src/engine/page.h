#pragma once

#include <memory>

#include "base/result.h"
#include "engine/database.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "storage/store.h"

namespace trestle::engine {

// Checks a Query or Scan against the schema, before anything is read, and begins it.
[[nodiscard]] Result<std::unique_ptr<PageReader>> StartPage(
    const storage::Store& store, std::shared_ptr<const TableSchema> table,
    const PageRequest& request);

}  // namespace trestle::engine
