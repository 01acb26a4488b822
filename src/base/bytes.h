#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

// Integers to and from bytes. Big-endian forms sort as the numbers do; little-endian and
// varint forms are for lengths, which are never compared.

namespace trestle {

inline void AppendU32Be(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(value >> shift));
}

inline void AppendU64Be(std::string& out, std::uint64_t value) {
  for (int shift = 56; shift >= 0; shift -= 8)
    out.push_back(static_cast<char>(value >> shift));
}

// The caller has checked that `bytes` holds at least 4 (8) bytes.
inline std::uint32_t ReadU32Be(std::string_view bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

inline std::uint64_t ReadU64Be(std::string_view bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i)
    value = value << 8 | static_cast<std::uint8_t>(bytes[i]);
  return value;
}

inline void AppendU32Le(std::string& out, std::uint32_t value) {
  char bytes[4];
  std::memcpy(bytes, &value, 4);
  out.append(bytes, 4);
}

inline std::uint32_t ReadU32Le(const char* bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes, 4);
  return value;
}

inline void StoreU32Le(char* bytes, std::uint32_t value) { std::memcpy(bytes, &value, 4); }

// Seven bits a byte, lowest first; the high bit says that another byte follows.
inline void AppendVarint(std::string& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  out.push_back(static_cast<char>(value));
}

// Reads a varint at the front of `bytes` and removes it. False when it is cut off or over long.
[[nodiscard]] inline bool TakeVarint(std::string_view& bytes, std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<std::uint8_t>(bytes.front());
    bytes.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

}  // namespace trestle
