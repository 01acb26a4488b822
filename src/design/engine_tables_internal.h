#pragma once

#include "base/result.h"
#include "design/backend.h"
#include "design/table_plan.h"
#include "engine/database.h"

// Tables between a design's words and the engine's.

namespace trestle::design {

[[nodiscard]] TableSettings SettingsOf(const engine::TableSchema& schema);

[[nodiscard]] engine::CreateTableRequest CreateRequestOf(const TableSettings& settings);

// Does one step; nothing for what the engine has not.
[[nodiscard]] Status DoStep(engine::Database& database, const TableSettings& settings,
                            const TableStep& step);

}  // namespace trestle::design
