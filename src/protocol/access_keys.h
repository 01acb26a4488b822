#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace trestle::protocol {

// Secret access keys by their access key ids.
using AccessKeys = std::map<std::string, std::string, std::less<>>;

// Reads the text of an access keys file:
//
//   # Who may call.
//   AKIDEXAMPLE wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY
//
// One access key id and its secret a line, with blanks between; empty lines and lines that begin
// with '#' are skipped. Fails with kValidation, naming the line and never its contents, and when
// there is no key at all.
[[nodiscard]] Result<AccessKeys> ParseAccessKeys(std::string_view text);

}  // namespace trestle::protocol
