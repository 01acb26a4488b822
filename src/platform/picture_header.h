#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace trestle::platform {

// What the first bytes of a picture say of it.
struct PictureHeader {
  std::string_view media_type;
  std::uint32_t width = 0;
  std::uint32_t height = 0;
};

// Of a PNG, JPEG or WebP; nothing when the bytes begin like none of them, or their header is cut
// off or contradicts itself. Nothing is decoded.
[[nodiscard]] std::optional<PictureHeader> ReadPictureHeader(std::string_view bytes);

}  // namespace trestle::platform
