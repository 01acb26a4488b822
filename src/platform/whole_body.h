#pragma once

#include <functional>

#include "base/result.h"
#include "json/tree.h"
#include "platform/json_record.h"

namespace trestle::platform {

// What is wrong with a body, all of it: an error that names some of its members, and whatever else
// cannot be read or held against the design. `check` sees what can be read; which of its failures
// are the caller's says `is_callers`, by the name in JSON and whether the body gives it.
struct BodyCheck {
  std::function<Status(const design::Record& readable)> check;
  std::function<bool(std::string_view name, bool is_given)> is_callers;
};
[[nodiscard]] Error WithOtherFailures(const Error& first, const json::Tree::Object& body,
                                      const Fields& fields, const BodyCheck& others);

}  // namespace trestle::platform
