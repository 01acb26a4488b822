#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "design/backend.h"
#include "design/model.h"
#include "design/table_settings.h"

namespace trestle::design {

// What becomes of a table when a design is applied, in sentences for people.
struct ApplyPlan {
  TableSettings wanted;
  std::optional<TableSettings> current;  // none: there is no such table yet
  std::vector<std::string> changes;      // none: the table is as the design wants it
  // What the design asks of the table and cannot have without stranding items or breaking its own
  // rules. With any of them nothing is changed.
  std::vector<std::string> refusals;
};

[[nodiscard]] Result<ApplyPlan> PlanApply(const Model& model, const ParameterValues& parameters,
                                          Backend& backend);

// Does what a plan without refusals says, and waits until it is done. Returns what of the design's
// settings is not in force afterwards, because the back end does not give it.
[[nodiscard]] Result<std::vector<std::string>> Apply(const ApplyPlan& plan, Backend& backend);

// The same without doing anything: what would not be in force.
[[nodiscard]] std::vector<std::string> NotInForce(const TableSettings& wanted,
                                                  const BackendFeatures& features);

}  // namespace trestle::design
