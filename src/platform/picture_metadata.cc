#include "platform/picture_metadata.h"

#include <algorithm>
#include <cstdint>

#include "base/crypto.h"
#include "platform/byte_order.h"

namespace trestle::platform {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kPngStart = "\x89PNG\r\n\x1a\n"sv;

// Chunks that a reader must understand begin with a capital.
bool ShowsPng(std::string_view name) {
  constexpr std::string_view kOthers[] = {"tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT",
                                          "bKGD", "hIST", "pHYs", "sPLT", "cICP", "mDCV",
                                          "cLLI", "acTL", "fcTL", "fdAT"};
  return (name.front() >= 'A' && name.front() <= 'Z') ||
         std::ranges::find(kOthers, name) != std::end(kOthers);
}

//   chunk := u32 size, name of 4, bytes, crc of name and bytes; the last is IEND
std::optional<std::string> CleanPng(std::string_view bytes) {
  constexpr std::size_t kFrame = 12;  // of a chunk: all but its bytes
  std::string clean(kPngStart);
  bytes.remove_prefix(kPngStart.size());
  while (bytes.size() >= kFrame) {
    const std::size_t size = BigEndian(bytes.substr(0, 4));
    if (size > bytes.size() - kFrame) return std::nullopt;
    const std::string_view name = bytes.substr(4, 4);
    const bool is_name = std::ranges::all_of(
        name, [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); });
    if (!is_name || Crc32(bytes.substr(4, 4 + size)) != BigEndian(bytes.substr(8 + size, 4))) {
      return std::nullopt;
    }
    if (ShowsPng(name)) clean += bytes.substr(0, kFrame + size);
    if (name == "IEND") return clean;
    bytes.remove_prefix(kFrame + size);
  }
  return std::nullopt;
}

// What a segment of Exif says; 1 when it says nothing that can be read.
//   "Exif" 0 0 ("II" | "MM") u16 42, u32 place of entries: u16 count, entries of 12:
//   u16 tag, u16 type, u32 count, value of 4
std::uint32_t OrientationOf(std::string_view exif) {
  constexpr std::uint32_t kOrientation = 0x0112;
  constexpr std::uint32_t kShort = 3;
  constexpr std::size_t kEntry = 12;
  const std::string_view tiff = exif.substr(6);
  const bool is_little = tiff.starts_with("II*\0"sv);
  if (tiff.size() < 8 || (!is_little && !tiff.starts_with("MM\0*"sv))) return 1;
  const auto number = [&](std::size_t at, std::size_t size) {
    const std::string_view part = tiff.substr(at, size);
    return is_little ? LittleEndian(part) : BigEndian(part);
  };
  const std::size_t start = number(4, 4);
  if (start > tiff.size() - 2) return 1;
  const std::size_t count = number(start, 2);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = start + 2 + i * kEntry;
    if (at + kEntry > tiff.size()) return 1;
    if (number(at, 2) != kOrientation || number(at + 2, 2) != kShort) continue;
    const std::uint32_t orientation = number(at + 8, 2);
    return orientation >= 1 && orientation <= 8 ? orientation : 1;
  }
  return 1;
}

// An Exif segment of one entry.
std::string OrientationSegment(std::uint32_t orientation) {
  std::string segment(
      "\xff\xe1\0\x22"
      "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"sv);
  segment.push_back(static_cast<char>(orientation));
  segment.append(2 + 4, '\0');
  return segment;
}

// The application's segments that readers need: JFIF, colour profiles, how colours were turned.
bool ShowsJpeg(std::uint8_t kind, std::string_view segment) {
  constexpr std::uint8_t kFirst = 0xe0;
  constexpr std::uint8_t kLast = 0xef;
  constexpr std::uint8_t kComment = 0xfe;
  if (kind == kComment) return false;
  if (kind < kFirst || kind > kLast) return true;
  return (kind == 0xe0 && segment.starts_with("JFIF\0"sv)) ||
         (kind == 0xe2 && segment.starts_with("ICC_PROFILE\0"sv)) ||
         (kind == 0xee && segment.starts_with("Adobe"sv));
}

// Where the next marker is: behind the data of a scan, in which ff is followed by 0 or a restart.
std::size_t EndOfScan(std::string_view bytes) {
  for (std::size_t at = bytes.find('\xff'); at != bytes.npos && at + 1 < bytes.size();
       at = bytes.find('\xff', at + 1)) {
    const auto next = static_cast<std::uint8_t>(bytes[at + 1]);
    if (next != 0 && next != 0xff && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.size();
}

//   jpeg := ff d8 (ff+ kind u16 size (with itself) bytes, data behind a scan's)* ff d9
std::optional<std::string> CleanJpeg(std::string_view bytes) {
  constexpr std::uint8_t kScan = 0xda;
  constexpr std::uint8_t kEnd = 0xd9;
  std::string clean(bytes.substr(0, 2));
  bytes.remove_prefix(2);
  bool has_exif = false;
  while (bytes.size() >= 2 && bytes.front() == '\xff') {
    const auto kind = static_cast<std::uint8_t>(bytes[1]);
    if (kind == 0xff) {  // padding
      bytes.remove_prefix(1);
      continue;
    }
    if (kind == kEnd) return clean + "\xff\xd9";
    const std::size_t size = bytes.size() < 4 ? 0 : BigEndian(bytes.substr(2, 2));
    if (kind < 0xc0 || (kind >= 0xd0 && kind < kScan) || size < 2 || size + 2 > bytes.size()) {
      return std::nullopt;
    }
    const std::string_view segment = bytes.substr(4, size - 2);
    if (ShowsJpeg(kind, segment)) {
      clean += bytes.substr(0, 2 + size);
    } else if (kind == 0xe1 && !has_exif && segment.starts_with("Exif\0\0"sv)) {
      has_exif = true;
      const std::uint32_t orientation = OrientationOf(segment);
      if (orientation != 1) clean += OrientationSegment(orientation);
    }
    bytes.remove_prefix(2 + size);
    if (kind == kScan) {
      const std::size_t end = EndOfScan(bytes);
      clean += bytes.substr(0, end);
      bytes.remove_prefix(end);
    }
  }
  return std::nullopt;
}

//   webp := "RIFF" u32le size "WEBP" chunk*
//   chunk := name of 4, u32le size, bytes, one more when their number is odd
std::optional<std::string> CleanWebp(std::string_view bytes) {
  constexpr std::string_view kShown[] = {"VP8X", "VP8 ", "VP8L", "ALPH", "ANIM", "ANMF", "ICCP"};
  constexpr std::size_t kFrame = 8;
  constexpr std::uint8_t kFlags = 0x08 | 0x04;  // of VP8X: there is EXIF, there is XMP
  const std::size_t whole = LittleEndian(bytes.substr(4, 4));
  if (whole < 4 || whole > bytes.size() - kFrame) return std::nullopt;
  std::string clean(bytes.substr(0, 12));
  bytes = bytes.substr(12, whole - 4);
  while (!bytes.empty()) {
    if (bytes.size() < kFrame) return std::nullopt;
    const std::size_t size = LittleEndian(bytes.substr(4, 4));
    const std::size_t padded = size + size % 2;
    if (padded > bytes.size() - kFrame) return std::nullopt;
    const std::string_view name = bytes.substr(0, 4);
    if (std::ranges::find(kShown, name) != std::end(kShown)) {
      const std::size_t at = clean.size() + kFrame;
      clean += bytes.substr(0, kFrame + padded);
      if (name == "VP8X" && size > 0) clean[at] = static_cast<char>(clean[at] & ~kFlags);
    }
    bytes.remove_prefix(kFrame + padded);
  }
  const std::size_t size = clean.size() - kFrame;
  for (std::size_t i = 0; i < 4; ++i)
    clean[4 + i] = static_cast<char>(size >> (8 * i));
  return clean;
}

}  // namespace

std::optional<std::string> WithoutMetadata(std::string_view bytes) {
  if (bytes.starts_with(kPngStart)) return CleanPng(bytes);
  if (bytes.starts_with("\xff\xd8"sv)) return CleanJpeg(bytes);
  const bool is_webp =
      bytes.size() >= 12 && bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP";
  return is_webp ? CleanWebp(bytes) : std::nullopt;
}

}  // namespace trestle::platform
