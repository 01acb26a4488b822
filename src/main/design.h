#pragma once

#include <span>
#include <string_view>

#include "main/server.h"

namespace trestle {

// `trestle design COMMAND [FLAG...] FILE`, with the arguments behind `design`. Results go to the
// standard output, what is wrong with a design to the standard error, one line each.
[[nodiscard]] ExitCode RunDesign(std::span<const std::string_view> arguments);

}  // namespace trestle
