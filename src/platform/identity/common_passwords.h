#pragma once

#include <span>
#include <string_view>

namespace trestle::platform::identity {

// Passwords, and the words that passwords are made of by adding digits, that every attacker tries
// first. In lower case, in order.
[[nodiscard]] std::span<const std::string_view> CommonPasswords();

}  // namespace trestle::platform::identity
