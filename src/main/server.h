#pragma once

#include "main/flags.h"

namespace trestle {

// How the program ends; docs/reference/command-line.md explains each.
enum ExitCode : int {
  kExitDone = 0,
  kExitFailed = 1,
  kExitUsage = 2,
  kExitDataInUse = 3,
  kExitDataUnusable = 4,
  kExitAddressInUse = 5,
};

// Of a data folder that could not be opened.
[[nodiscard]] ExitCode ExitCodeOfOpen(ErrorCode code);

// Opens the database, or calls the endpoint where it is, and serves it until SIGINT or SIGTERM.
// SIGHUP reads the certificate again. Says on standard output where it can be reached, and on
// standard error what went wrong.
[[nodiscard]] ExitCode Serve(const ServeOptions& options);

// "0.1.0".
[[nodiscard]] const char* Version();

}  // namespace trestle
