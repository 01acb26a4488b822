#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "design/backend.h"
#include "value/item.h"

namespace trestle::design {

// One write: what its item was, and what it becomes. None: there is no item.
struct WriteStep {
  std::string table;
  value::Item key;
  std::optional<value::Item> was;
  std::optional<value::Item> is;
};

// Makes the item what it was, unless somebody has changed it since: then it is left to them. With
// `is_done`, what others have counted since stays; without it nobody knows whether the step was
// done, and it is taken back if the item is as it would be then.
[[nodiscard]] Status TakeBack(Backend& backend, const WriteStep& step, bool is_done);

}  // namespace trestle::design
