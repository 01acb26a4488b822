#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/record.h"

// From a query of a design and its arguments to the requests that it becomes. Nothing is read here.

namespace trestle::design {

struct QueryInputs {
  const std::string& table;  // its name
  const Record& arguments;   // as CheckArguments gives them (arguments.h)
  std::int64_t now_unix_ms = 0;
  bool is_descending = false;
  std::vector<std::string> attributes = {};  // that are read, beside keys; none: all
  // For people: what is not in the arguments is written as "<name>" instead of being refused.
  bool shows_missing = false;
};

// One request, and what it cannot say itself.
struct PlannedRead {
  ReadPage page;  // without start key and limit
  // An encoded sort key at the end of the range that is not in it: a key condition has one
  // comparison, and BETWEEN includes both its ends.
  std::string excluded_sort_key = {};  // empty: none
  // What sort keys begin with and merging does not look at: "STATUS#READ" where statuses are
  // merged.
  std::string order_prefix = {};
};

// One read, or one for each value of the enum that is merged and each shard of an index, in the
// order of `order_prefix`-less sort keys; none when nothing can be in the range.
using QueryPlan = std::vector<PlannedRead>;

[[nodiscard]] Result<QueryPlan> PlanQuery(const Model& model, const Access& access,
                                          const Query& query, const QueryInputs& inputs);

// The physical names of the keys that a query is by.
[[nodiscard]] const std::string& PartitionKeyName(const Model& model, const Query& query);
[[nodiscard]] const std::string& SortKeyName(const Model& model, const Query& query);

// The text of a template for people: values that are missing, or cannot be written, as "<name>".
[[nodiscard]] std::string ComposeShown(const KeyTemplate& key, const Record& values);

// The smallest text that is greater than all that begin with `prefix`, which is not empty. Keys are
// compared by their bytes, which is the order of code points.
[[nodiscard]] std::string EndOfPrefix(std::string_view prefix);

}  // namespace trestle::design
