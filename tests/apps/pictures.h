#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/crypto.h"

// Files that look like pictures, as far as a server looks.

namespace trestle::apps::testing {

inline std::string BigEndian(std::uint32_t number) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}

struct PngSize {
  std::uint32_t width = 1;
  std::uint32_t height = 1;
  std::size_t bytes = 100;  // of the file
};
inline std::string Png(const PngSize& size) {
  using namespace std::string_literals;
  const std::string header =
      "IHDR" + BigEndian(size.width) + BigEndian(size.height) + "\x08\x06\0\0\0"s;
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\r"s + header + BigEndian(Crc32(header));
  const std::string end = "\0\0\0\0IEND\xae\x42\x60\x82"s;
  constexpr std::size_t kFrame = 12;  // of a chunk: all but its bytes
  std::string data = "IDAT";
  while (png.size() + kFrame - 4 + data.size() + end.size() < size.bytes)
    data.push_back(static_cast<char>(data.size() * 7));
  return png + BigEndian(static_cast<std::uint32_t>(data.size() - 4)) + data +
         BigEndian(Crc32(data)) + end;
}

}  // namespace trestle::apps::testing
