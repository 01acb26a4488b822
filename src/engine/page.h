#pragma once

#include <memory>
#include <vector>

#include "base/result.h"
#include "engine/database.h"
#include "engine/page_range.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "storage/store.h"

namespace trestle::engine {

class IndexLag;

// Where pages are read.
struct PagePlace {
  const storage::Store& store;
  IndexLag* index_lag = nullptr;  // null: global indexes are as they are now
};

// Checks a Query or Scan against the schema, before anything is read, and begins it.
[[nodiscard]] Result<std::unique_ptr<PageReader>> StartPage(
    const PagePlace& place, std::shared_ptr<const TableSchema> table, const PageRequest& request);

// Refuses to show attributes that the rows of a global index do not hold.
[[nodiscard]] Status CheckSelect(const PageSource& source, const PageRequest& request);

// A page of rows that are given: those of each range, one range after another. They do not overlap.
[[nodiscard]] Result<std::unique_ptr<PageReader>> StartRanges(
    const PagePlace& place, std::shared_ptr<const TableSchema> table, const PageSource& source,
    const PageRequest& request, std::vector<RowRange> ranges);

}  // namespace trestle::engine
