#include "platform/picture_header.h"

#include "base/crypto.h"
#include "platform/byte_order.h"

namespace trestle::platform {
namespace {

using namespace std::string_view_literals;

//   png := 89 "PNG" 0d 0a 1a 0a chunk*
//   chunk := u32 size, name of 4, bytes, crc of name and bytes; the first is IHDR: u32 width,
//   height
std::optional<PictureHeader> ReadPng(std::string_view bytes) {
  constexpr std::string_view kStart = "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"sv;
  constexpr std::size_t kNameAt = 12;
  constexpr std::size_t kChunkSize = 4 + 13;
  if (!bytes.starts_with(kStart) || bytes.size() < kNameAt + kChunkSize + 4) return std::nullopt;
  const std::string_view chunk = bytes.substr(kNameAt, kChunkSize);
  if (Crc32(chunk) != BigEndian(bytes.substr(kNameAt + kChunkSize, 4))) return std::nullopt;
  return PictureHeader{.media_type = "image/png",
                       .width = BigEndian(chunk.substr(4, 4)),
                       .height = BigEndian(chunk.substr(8, 4))};
}

//   jpeg := ff d8 segment*
//   segment := ff kind u16 size (with itself) bytes; SOF0 to SOF15: u8 precision, u16 height, width
std::optional<PictureHeader> ReadJpeg(std::string_view bytes) {
  if (!bytes.starts_with("\xff\xd8\xff"sv)) return std::nullopt;
  std::size_t at = 2;
  while (at + 4 <= bytes.size() && bytes[at] == '\xff') {
    const auto kind = static_cast<std::uint8_t>(bytes[at + 1]);
    if (kind == 0xff) {  // padding
      ++at;
      continue;
    }
    // Data begins, or a segment that has no size: the frame should have come before.
    if (kind < 0xc0 || (kind >= 0xd0 && kind <= 0xda)) return std::nullopt;
    const std::size_t size = BigEndian(bytes.substr(at + 2, 2));
    const bool is_frame = kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc;
    if (size < 2 || (is_frame && size < 8) || at + 2 + size > bytes.size()) return std::nullopt;
    if (is_frame) {
      return PictureHeader{.media_type = "image/jpeg",
                           .width = BigEndian(bytes.substr(at + 7, 2)),
                           .height = BigEndian(bytes.substr(at + 5, 2))};
    }
    at += 2 + size;
  }
  return std::nullopt;
}

//   webp := "RIFF" u32le size "WEBP" chunk*;  chunk := name of 4, u32le size, bytes
//   "VP8 ": 3 bytes, 9d 01 2a, u16le width and height of 14 bits
//   "VP8L": 2f, 14 bits width - 1, 14 bits height - 1
//   "VP8X": 4 bytes, u24le width - 1, height - 1
std::optional<PictureHeader> ReadWebp(std::string_view bytes) {
  constexpr std::size_t kChunkAt = 20;
  constexpr std::uint32_t kSideBits = 0x3fff;
  if (bytes.size() < kChunkAt + 10 || !bytes.starts_with("RIFF") || bytes.substr(8, 4) != "WEBP" ||
      LittleEndian(bytes.substr(4, 4)) + 8ULL > bytes.size()) {
    return std::nullopt;
  }
  const std::string_view kind = bytes.substr(12, 4);
  const std::string_view chunk = bytes.substr(kChunkAt, 10);
  PictureHeader header{.media_type = "image/webp"};
  if (kind == "VP8 " && chunk.substr(3, 3) == "\x9d\x01\x2a") {
    header.width = LittleEndian(chunk.substr(6, 2)) & kSideBits;
    header.height = LittleEndian(chunk.substr(8, 2)) & kSideBits;
  } else if (kind == "VP8L" && chunk.front() == '\x2f') {
    const std::uint32_t sides = LittleEndian(chunk.substr(1, 4));
    header.width = (sides & kSideBits) + 1;
    header.height = ((sides >> 14) & kSideBits) + 1;
  } else if (kind == "VP8X") {
    header.width = LittleEndian(chunk.substr(4, 3)) + 1;
    header.height = LittleEndian(chunk.substr(7, 3)) + 1;
  } else {
    return std::nullopt;
  }
  return header;
}

}  // namespace

std::optional<PictureHeader> ReadPictureHeader(std::string_view bytes) {
  if (auto png = ReadPng(bytes)) return png;
  if (auto jpeg = ReadJpeg(bytes)) return jpeg;
  return ReadWebp(bytes);
}

}  // namespace trestle::platform
