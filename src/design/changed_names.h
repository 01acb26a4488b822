#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "design/record.h"

namespace trestle::design {

// The names of what two records do not both have with the same value, in order. They point into
// the records.
class ChangedNames {
 public:
  ChangedNames(const Record& left, const Record& right) {
    const auto lefts = left.attributes();
    const auto rights = right.attributes();
    auto at_left = lefts.begin();
    auto at_right = rights.begin();
    while (at_left != lefts.end() || at_right != rights.end()) {
      const int order = at_right == rights.end() ? -1
                        : at_left == lefts.end() ? 1
                                                 : (*at_left).name.compare((*at_right).name);
      if (order != 0 || (*at_left).value != (*at_right).value)
        names_.push_back(order > 0 ? (*at_right).name : (*at_left).name);
      if (order <= 0) ++at_left;
      if (order >= 0) ++at_right;
    }
  }

  [[nodiscard]] bool Contains(std::string_view name) const {
    return std::ranges::find(names_, name) != names_.end();
  }
  [[nodiscard]] auto begin() const { return names_.begin(); }
  [[nodiscard]] auto end() const { return names_.end(); }

 private:
  std::vector<std::string_view> names_;
};

}  // namespace trestle::design
