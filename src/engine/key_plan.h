#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "engine/page_range.h"
#include "engine/schema.h"
#include "expr/ast.h"
#include "expr/partiql/statement.h"
#include "value/item.h"

// What the WHERE clause of a statement says about keys.

namespace trestle::engine {

// One range of rows that a SELECT reads.
struct KeyedRead {
  RowRange range;
  std::string partition;        // the encoded value of the first partition key attribute
  bool is_single_item = false;  // the whole primary key of a table
};

// The reads that a condition comes down to, in the order of its text: several for IN and OR on
// keys, nothing when some match does not fix the partition key and all rows must be read. The
// condition still has to be asked for every row. Refuses key values of the wrong type, reads that
// overlap, and too many of them.
[[nodiscard]] Result<std::optional<std::vector<KeyedRead>>> PlanReads(
    const PageSource& source, const expr::partiql::Where& where);

// A condition taken apart: the equalities on key attributes that every match fulfils, and the
// rest of it.
struct KeyedCondition {
  value::Item key;
  std::optional<expr::ConditionProgram> rest;
};

// Fails when the condition does not fix the table's whole primary key.
[[nodiscard]] Result<KeyedCondition> TakeKey(const TableSchema& table,
                                             const std::optional<expr::partiql::Where>& where);

}  // namespace trestle::engine
