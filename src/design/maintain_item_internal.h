#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/result.h"
#include "design/runtime_internal.h"
#include "design/write_plan.h"
#include "design/writer_internal.h"
#include "value/item.h"

namespace trestle::design {

// Changes an item as maintenance does: by its key, so that it is found although what callers name
// it by is gone; without a new version; and only if it is still as it was when the change was made
// from it, else again from what it is then.

struct Maintenance {
  // Joins each transaction: what must hold for the work to go on.
  std::vector<WriteItem> together_with = {};
  // Parents that have moved, old key to new: what follows them is not counted again.
  std::map<std::string, std::string, std::less<>> moves = {};
};

// Makes the item's next record from what it is now; nothing when there is nothing to do.
using RecordChange = std::function<std::optional<Record>(const Record& now)>;
[[nodiscard]] Status MaintainItem(RuntimeState& state, const value::Item& key,
                                  const RecordChange& change, const Maintenance& maintenance = {});

// Puts the item where its attributes say.
[[nodiscard]] Status RewriteItem(RuntimeState& state, const value::Item& key);

// Deletes the item when `is_due` says so.
[[nodiscard]] Status RemoveItem(RuntimeState& state, const value::Item& key,
                                const std::function<bool(const Record& now)>& is_due,
                                const Maintenance& maintenance = {});

}  // namespace trestle::design
