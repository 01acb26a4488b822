#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "expr/placeholders.h"
#include "value/document_path.h"
#include "value/item.h"

namespace trestle::expr {

// A ProjectionExpression: which parts of an item a reply holds. Immutable.
class Projection {
 public:
  // Fails on syntax, undefined names, and paths that overlap.
  [[nodiscard]] static Result<Projection> Parse(std::string_view text, Placeholders& placeholders);

  // Paths that do not overlap.
  explicit Projection(std::vector<value::DocumentPath> paths);

  // The named parts that exist. List elements close up in order of their index; maps keep only
  // what was named.
  [[nodiscard]] value::Item Apply(value::ItemView item) const;

  [[nodiscard]] const std::vector<value::DocumentPath>& paths() const { return paths_; }

 private:
  std::vector<value::DocumentPath> paths_;  // in order, so that Apply walks item and paths together
};

}  // namespace trestle::expr
