#pragma once

#include <memory>
#include <string_view>

#include "design/checks/checks.h"
#include "design/diagnostic.h"
#include "design/model.h"
#include "design/syntax/tree.h"

namespace trestle::design {

struct ResolvedDesign {
  std::unique_ptr<const Model> model;  // null when there are errors
  Diagnostics diagnostics;
};

// Gives every name its meaning. Reports all names that have none (N codes; K1 for placeholders).
[[nodiscard]] ResolvedDesign Resolve(const syntax::Design& design);

// Parses, resolves and checks a text.
[[nodiscard]] ResolvedDesign Compile(std::string_view text, Target target = Target::kDynamoDb);

}  // namespace trestle::design
