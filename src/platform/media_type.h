#pragma once

#include <string_view>

// What clients say about the form of bodies (RFC 9110, 8.3 and 12.5.1).

namespace trestle::platform {

// Whether an Accept header takes `type`, such as "application/json".
[[nodiscard]] bool Accepts(std::string_view accept, std::string_view type);

// Whether a Content-Type header says `type`, in UTF-8.
[[nodiscard]] bool IsMediaType(std::string_view content_type, std::string_view type);

}  // namespace trestle::platform
