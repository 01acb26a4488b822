#pragma once

#include <string>

#include "design/model.h"

namespace trestle::design {

// A picture of the design as SVG: a column for each partition key, in it a card for each kind of
// item with its sort key and its places in the indexes, and a line from each child to its parent.
[[nodiscard]] std::string DrawDiagram(const Model& model);

}  // namespace trestle::design
