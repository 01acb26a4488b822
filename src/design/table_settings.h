#pragma once

#include <functional>
#include <map>
#include <string>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"

namespace trestle::design {

using ParameterValues = std::map<std::string, std::string, std::less<>>;

// The table that a design wants, under these values of its parameters; those not given have their
// defaults. Keys are strings, except where an index is keyed on an attribute of items itself.
// kValidation names a parameter that the design does not have, or a table's name that is none.
[[nodiscard]] Result<TableSettings> SettingsOf(const Model& model,
                                               const ParameterValues& parameters);

}  // namespace trestle::design
