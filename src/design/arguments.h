#pragma once

#include <string>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"

namespace trestle::design {

// The arguments of an access in their canonical forms, normalised as the attributes that they stand
// for. kValidation with every failure by name in ErrorDetails::fields: what is missing, unknown or
// of another type. An id that holds the table's separator is refused, because it would be read as
// more than one part of a key.
[[nodiscard]] Result<Record> CheckArguments(const Model& model, const Access& access,
                                            const Record& arguments);

// The first attribute of this name among those of the access's results; null when there is none.
[[nodiscard]] const Attribute* FindResultAttribute(const Access& access, std::string_view name);

}  // namespace trestle::design
