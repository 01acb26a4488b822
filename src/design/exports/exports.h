#pragma once

#include <string>

#include "base/result.h"
#include "design/model.h"

// A design in the forms of other tools. All are pure, and have no time or name of their own in
// them: the same design gives the same text.

namespace trestle::design {

// A template with one table, its parameters those of the design, billing and recovery.
[[nodiscard]] Result<std::string> ToCloudFormation(const Model& model);
// The same as a construct of the AWS CDK, in TypeScript.
[[nodiscard]] Result<std::string> ToCdk(const Model& model);
// A data model of NoSQL Workbench, with a facet for each kind of item.
[[nodiscard]] Result<std::string> ToWorkbench(const Model& model);
// An interface for each kind of item, as DynamoDB's document clients give them.
[[nodiscard]] std::string ToTypeScript(const Model& model);
// A header with a struct for each kind of item.
[[nodiscard]] std::string ToCpp(const Model& model);

// The text of a design that says what a data model of NoSQL Workbench says. Key aliases that are
// templates ("USER#{userId}") become key templates. kValidation when `json` is no such model.
[[nodiscard]] Result<std::string> FromWorkbench(std::string_view json);

}  // namespace trestle::design
