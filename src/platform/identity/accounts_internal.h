#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "platform/identity/password.h"
#include "text/unicode.h"

// What the files of Accounts share.

namespace trestle::platform::identity {

// Account.status
inline constexpr std::string_view kUnconfirmed = "UNCONFIRMED";
inline constexpr std::string_view kPendingApproval = "PENDING_APPROVAL";
inline constexpr std::string_view kConfirmed = "CONFIRMED";
inline constexpr std::string_view kDisabled = "DISABLED";

// An address as it is stored and compared.
[[nodiscard]] std::string NormalEmail(std::string_view email);

// `field` is what the caller calls the password.
[[nodiscard]] Status CheckNewPassword(const PasswordChoice& choice, std::string_view field);

}  // namespace trestle::platform::identity
