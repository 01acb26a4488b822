#pragma once

#include <optional>

#include "base/result.h"
#include "remote/credentials.h"

// The links of the chain. Each has credentials, or nothing when it is not in use here, or fails
// when it is in use and does not work.

namespace trestle::remote {

[[nodiscard]] Result<std::optional<Credentials>> FromVariables(const Environment& environment);
[[nodiscard]] Result<std::optional<Credentials>> FromProfile(const Environment& environment);
[[nodiscard]] Result<std::optional<Credentials>> FromContainer(const CredentialOptions& options);
[[nodiscard]] Result<std::optional<Credentials>> FromInstance(const CredentialOptions& options);

}  // namespace trestle::remote
