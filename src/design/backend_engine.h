#pragma once

#include <memory>

#include "design/backend.h"
#include "engine/database.h"

namespace trestle::design {

// A back end on the engine of this process. The database must outlive it and its readers.
//
// Reads and writes cost what they cost on the engine; expressions are parsed anew for each call.
// It has neither point-in-time recovery nor encryption: what a table asks of them is not in force.
[[nodiscard]] std::unique_ptr<Backend> NewEngineBackend(engine::Database& database);

}  // namespace trestle::design
