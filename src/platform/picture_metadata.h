#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trestle::platform {

// A PNG, JPEG or WebP with nothing but what shows it: without what cameras and programs write into
// it beside (where and when it was taken, by whom, previews), and without what follows its end. A
// JPEG keeps its orientation. Nothing is decoded. Nothing when the bytes are no whole picture.
[[nodiscard]] std::optional<std::string> WithoutMetadata(std::string_view bytes);

}  // namespace trestle::platform
