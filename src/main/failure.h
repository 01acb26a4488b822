#pragma once

#include <string_view>

#include "base/error.h"
#include "main/server.h"

// What a command says on the standard error when it cannot do its work, and how it ends then.

namespace trestle {

// The person at the keyboard wrote something wrong; the sentence has no full stop.
ExitCode WrongUsage(std::string_view sentence);

// What was wanted did not happen: a line for each attribute that is wrong, else one for the error.
ExitCode Fail(const Error& error);

}  // namespace trestle
