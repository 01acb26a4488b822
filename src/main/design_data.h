#pragma once

#include <span>
#include <string_view>

#include "main/server.h"

// The commands of `trestle design` that show or do what a design says about data, with the
// arguments behind their names.

namespace trestle {

// explain FILE [ACCESS] [--set NAME=VALUE]...
[[nodiscard]] ExitCode ExplainDesign(std::span<const std::string_view> arguments);
// run FILE (ACCESS | OPERATION | create ENTITY | get ENTITY | update ENTITY | delete ENTITY)
// NAME=VALUE...
[[nodiscard]] ExitCode RunOnDesign(std::span<const std::string_view> arguments);
// verify FILE [--repair]
[[nodiscard]] ExitCode VerifyDesign(std::span<const std::string_view> arguments);

// adopt FILE --from TABLE --map FILE
[[nodiscard]] ExitCode AdoptTable(std::span<const std::string_view> arguments);

}  // namespace trestle
