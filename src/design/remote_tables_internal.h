#pragma once

#include "base/result.h"
#include "design/backend.h"
#include "design/table_plan.h"
#include "remote/client.h"
#include "remote/tables.h"

// Tables between a design's words and the service's.

namespace trestle::design {

// Without time to live and point-in-time recovery, which are asked for by themselves.
[[nodiscard]] TableSettings SettingsOf(const remote::TableDescription& table);

[[nodiscard]] remote::TableDescription DescriptionOf(const TableSettings& settings);

// Starts one step; it is over when the table is active again.
[[nodiscard]] Status StartStep(remote::Client& client, const TableSettings& settings,
                               const TableStep& step);

}  // namespace trestle::design
