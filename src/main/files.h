#pragma once

#include <string>

#include "base/result.h"

// Small files that a person writes: settings and secrets. Errors are kValidation, and sentences.

namespace trestle {

[[nodiscard]] Result<std::string> ReadTextFile(const std::string& file);

// The same for a file that holds secrets: refused when others than its owner may read or write it.
[[nodiscard]] Result<std::string> ReadSecretFile(const std::string& file);

}  // namespace trestle
