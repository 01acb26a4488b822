#pragma once

#include "engine/request.h"
#include "trestle/tables.h"

// Between the tables of trestle/tables.h and those of the engine.

namespace trestle::embed {

[[nodiscard]] engine::CreateTableRequest ToEngine(const CreateTableInput& input);
[[nodiscard]] engine::UpdateTableRequest ToEngine(const UpdateTableInput& input);
[[nodiscard]] TableDescription FromEngine(const engine::TableDescription& description);

}  // namespace trestle::embed
