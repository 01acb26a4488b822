#pragma once

#include <cstdint>
#include <string_view>

// Numbers of up to four bytes in the formats of pictures.

namespace trestle::platform {

[[nodiscard]] inline std::uint32_t BigEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (const char byte : bytes)
    number = number << 8 | static_cast<std::uint8_t>(byte);
  return number;
}

[[nodiscard]] inline std::uint32_t LittleEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes.size(); i > 0; --i)
    number = number << 8 | static_cast<std::uint8_t>(bytes[i - 1]);
  return number;
}

}  // namespace trestle::platform
