#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "design/model.h"

// What a design's patterns cost in DynamoDB's units, from its types and its `load` statements: one
// read unit is 4 KB read consistently, one write unit 1 KB written.

namespace trestle::design {

// The size of an item of a kind: what `load` says, else guessed from the types.
[[nodiscard]] std::int64_t ItemBytes(const Model& model, const KindReference& kind);

// How many items of a kind there are for one value of each of these attributes, and whether the
// design says so.
struct Amount {
  std::int64_t count = 0;
  bool is_declared = false;
};
[[nodiscard]] Amount AmountFor(const Model& model, const KindReference& kind,
                               const std::vector<std::string>& bound);

// What one page of a query reads.
struct QueryCost {
  std::int64_t bytes = 0;
  std::int64_t wasted_bytes = 0;  // of kinds that are not asked for
  double read_units = 0;
  std::int64_t pages = 1;
  std::string assumption;  // "20 x 1,500 B"
};
[[nodiscard]] QueryCost CostOf(const Model& model, const Access& access, const Query& query);

struct CostLine {
  std::string what;  // "access browseStories", "create Story", "copy Chapter.authorName"
  std::string assumption;
  double read_units = 0;
  double write_units = 0;
  std::string remark;
};

// All access patterns, writes, operations and derived rules.
[[nodiscard]] std::vector<CostLine> Costs(const Model& model);

// As a table in plain text.
[[nodiscard]] std::string PrintCosts(const std::vector<CostLine>& lines);

}  // namespace trestle::design
