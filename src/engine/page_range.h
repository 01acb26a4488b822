#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/request.h"
#include "engine/schema.h"

namespace trestle::engine {

// What a Query or Scan reads: the table, or one of its indexes.
struct PageSource {
  const TableSchema* table = nullptr;
  const IndexSchema* index = nullptr;  // null: the table itself

  [[nodiscard]] std::vector<KeyAttribute> PartitionKeys() const;
  [[nodiscard]] std::vector<KeyAttribute> SortKeys() const;
};

// Rows from `first` up to, not including, `end`.
struct RowRange {
  std::string first;
  std::string end;
};

// A Query of an index may not filter by attributes that the index does not hold. A Scan may.
[[nodiscard]] Status CheckFilterIsProjected(const PageSource& source,
                                            const std::set<std::string>& attributes);

// The rows that a KeyConditionExpression selects, or the refusal of a condition that does not fit
// the key.
[[nodiscard]] Result<RowRange> QueryRange(const PageSource& source,
                                          const expr::KeyCondition& condition);

// The rows of one segment of a Scan.
[[nodiscard]] RowRange ScanRange(const PageSource& source, std::uint32_t segment,
                                 std::uint32_t total_segments);

// Cuts the ranges, which are read in their order, to what follows the ExclusiveStartKey in the
// request's direction. Refuses keys that are not of this table or index, or outside the ranges.
[[nodiscard]] Status StartAfter(const PageSource& source, const PageRequest& request,
                                std::vector<RowRange>& ranges);

}  // namespace trestle::engine
