#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "design/model.h"

namespace trestle::design {

// What a change of a design asks of a table that has items, from the least to the most.
enum class ChangeKind : std::uint8_t {
  kFree,      // nothing
  kTable,     // a setting or an index of the table changes
  kBackfill,  // values that are made from others are written to the items
  kRekey,     // items move
  kBreaking,  // what items hold, or callers do, is no longer allowed
};
[[nodiscard]] std::string_view Word(ChangeKind kind);

struct DesignChange {
  ChangeKind kind = ChangeKind::kFree;
  Position position;     // in the new design; of what is gone, none
  std::string sentence;  // without its full stop
};

// How the new design differs from the old one, the hardest changes first.
[[nodiscard]] std::vector<DesignChange> Compare(const Model& before, const Model& after);

}  // namespace trestle::design
