#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

// Small files that a person writes: settings and secrets. Errors are kValidation, and sentences.

namespace trestle {

[[nodiscard]] Result<std::string> ReadTextFile(const std::string& file);

// The same for a file that holds secrets: refused when others than its owner may read or write it.
[[nodiscard]] Result<std::string> ReadSecretFile(const std::string& file);

// Makes a new file that only its owner may use. It is whole on disk, or not there.
[[nodiscard]] Status WriteSecretFile(const std::string& file, std::string_view text);

}  // namespace trestle
