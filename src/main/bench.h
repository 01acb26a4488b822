#pragma once

#include "main/flags.h"
#include "main/server.h"

namespace trestle {

// Starts a server of its own, in memory or in a folder that it removes again, sends it signed
// requests of each kind, and prints what they cost.
[[nodiscard]] ExitCode Bench(const BenchOptions& options);

}  // namespace trestle
