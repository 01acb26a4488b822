#pragma once

#include "design/model.h"
#include "value/item.h"

namespace trestle::design {

// What values of a type are in DynamoDB. A value of type `any` may be anything; a map stands for
// it.
[[nodiscard]] value::Type StoredType(const ValueType& type);

}  // namespace trestle::design
