#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "design/model.h"

namespace trestle {

// The meaning of a design that can run; null after its errors have been printed. Its warnings are
// for `design check`.
[[nodiscard]] std::unique_ptr<const design::Model> CompileModel(const std::string& file,
                                                                std::string_view text);

// The same from a file. Fails when that cannot be read.
[[nodiscard]] Result<std::unique_ptr<const design::Model>> ReadModel(const std::string& file);

}  // namespace trestle
