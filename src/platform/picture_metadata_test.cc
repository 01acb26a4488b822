#include "platform/picture_metadata.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/crypto.h"
#include "platform/picture_header.h"

namespace trestle::platform {
namespace {

using namespace std::string_literals;

constexpr std::string_view kSecret = "48.2082 N 16.3738 E";

std::string Big(std::uint32_t number, int size) {
  std::string bytes;
  for (int shift = 8 * (size - 1); shift >= 0; shift -= 8)
    bytes.push_back(static_cast<char>(number >> shift));
  return bytes;
}
std::string Little(std::uint32_t number, int size) {
  const std::string bytes = Big(number, size);
  return {bytes.rbegin(), bytes.rend()};
}

std::string Chunk(const std::string& name, const std::string& bytes) {
  return Big(static_cast<std::uint32_t>(bytes.size()), 4) + name + bytes +
         Big(Crc32(name + bytes), 4);
}
std::string Png(const std::string& chunks) {
  return "\x89PNG\r\n\x1a\n"s + Chunk("IHDR", "\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0"s) + chunks +
         Chunk("IDAT", "data") + Chunk("IEND", "");
}

std::string Segment(int kind, const std::string& bytes) {
  return "\xff"s + static_cast<char>(kind) + Big(static_cast<std::uint32_t>(bytes.size() + 2), 2) +
         bytes;
}
const std::string kJfif = Segment(0xe0, "JFIF\0\x01\x02\0\0\x01\0\x01\0\0"s);
const std::string kFrame = Segment(0xc0, "\x08\0\x02\0\x03\x01\x01\x11\0"s);
// With a stuffed ff and a restart.
const std::string kScan = Segment(0xda, "\x01\x01\0\0\x3f\0"s) +
                          "ab\xff\0c\xff\xd0"
                          "d"s;
std::string Jpeg(const std::string& segments) {
  return "\xff\xd8"s + segments + kFrame + kScan + "\xff\xd9"s;
}
// One entry before the orientation, the secret behind both.
std::string Exif(bool is_little, std::uint32_t orientation) {
  const auto number = [&](std::uint32_t value, int size) {
    return is_little ? Little(value, size) : Big(value, size);
  };
  const std::string value = number(orientation, 2) + "\0\0"s;
  return "Exif\0\0"s + (is_little ? "II" : "MM") + number(42, 2) + number(8, 4) + number(2, 2) +
         number(0x010f, 2) + number(2, 2) + number(4, 4) + "abc\0"s + number(0x0112, 2) +
         number(3, 2) + number(1, 4) + value + number(0, 4) + std::string(kSecret);
}

std::string WebpChunk(const std::string& name, std::string bytes) {
  const auto size = static_cast<std::uint32_t>(bytes.size());
  if (size % 2 == 1) bytes.push_back('\0');
  return name + Little(size, 4) + bytes;
}
std::string Webp(const std::string& chunks) {
  return "RIFF" + Little(static_cast<std::uint32_t>(chunks.size() + 4), 4) + "WEBP" + chunks;
}
const std::string kLossy = WebpChunk("VP8 ", "\0\0\0\x9d\x01\x2a\x03\0\x02\0x"s);
std::string Extended(int flags) {
  return WebpChunk("VP8X", static_cast<char>(flags) + "\0\0\0\x02\0\0\x01\0\0"s);
}

std::string Cleaned(const std::string& bytes) { return WithoutMetadata(bytes).value_or("nothing"); }

TEST(PictureMetadataTest, WhatShowsAPictureStays) {
  for (const std::string& picture :
       {Png(""), Png(Chunk("gAMA", "\0\0\xb1\x8f"s) + Chunk("iCCP", "profile")), Jpeg(kJfif),
        Jpeg(kJfif + Segment(0xe2, "ICC_PROFILE\0\x01\x01profile"s) + Segment(0xee, "Adobe\0d"s)),
        Webp(kLossy), Webp(Extended(0x20) + WebpChunk("ICCP", "odd") + kLossy)}) {
    ASSERT_TRUE(ReadPictureHeader(picture));
    EXPECT_EQ(Cleaned(picture), picture);
  }
}

TEST(PictureMetadataTest, NothingElseDoes) {
  const std::string secret(kSecret);
  for (const std::string_view name : {"eXIf", "tEXt", "zTXt", "iTXt", "tIME", "caBX"})
    EXPECT_EQ(Cleaned(Png(Chunk(std::string(name), secret))), Png("")) << name;
  for (const std::string& segment :
       {Segment(0xe1, "Exif\0\0"s + secret),
        Segment(0xe1, "http://ns.adobe.com/xap/1.0/\0"s + secret),
        Segment(0xed, "Photoshop 3.0\0"s + secret), Segment(0xfe, secret),
        Segment(0xe0, "JFXX\0"s + secret), Segment(0xe2, "MPF\0"s + secret), Segment(0xe5, secret)})
    EXPECT_EQ(Cleaned(Jpeg(kJfif + segment)), Jpeg(kJfif));
  EXPECT_EQ(Cleaned(Webp(Extended(0x2c) + kLossy + WebpChunk("EXIF", secret) +
                         WebpChunk("XMP ", secret) + WebpChunk("mine", secret))),
            Webp(Extended(0x20) + kLossy));
  for (const std::string& picture : {Png(""), Jpeg(kJfif), Webp(kLossy)})
    EXPECT_EQ(Cleaned(picture + secret), picture) << "behind its end";
}

TEST(PictureMetadataTest, AJpegIsShownTheSameWayUp) {
  for (const bool is_little : {false, true}) {
    for (std::uint32_t orientation = 2; orientation <= 8; ++orientation) {
      const std::string clean = Cleaned(Jpeg(kJfif + Segment(0xe1, Exif(is_little, orientation))));
      EXPECT_EQ(clean.find(kSecret), clean.npos);
      const std::string kept = "Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01"s +
                               Big(orientation, 2) + "\0\0\0\0\0\0"s;
      EXPECT_EQ(clean, Jpeg(kJfif + Segment(0xe1, kept)));
      EXPECT_EQ(Cleaned(clean), clean);
    }
    for (const std::uint32_t orientation : {0U, 1U, 9U})
      EXPECT_EQ(Cleaned(Jpeg(Segment(0xe1, Exif(is_little, orientation)))), Jpeg(""));
  }
  // What cannot be read says nothing.
  const std::string exif = Exif(true, 6);
  for (std::size_t size = 6; size < exif.size() - kSecret.size() - 4; ++size)
    EXPECT_EQ(Cleaned(Jpeg(Segment(0xe1, exif.substr(0, size)))), Jpeg("")) << size;
}

TEST(PictureMetadataTest, WhatIsNoWholePictureIsRefused) {
  for (const std::string& whole :
       {Png(Chunk("tEXt", "x")), Jpeg(kJfif + Segment(0xfe, "x")), Webp(Extended(0x0c) + kLossy)}) {
    ASSERT_NE(Cleaned(whole), "nothing");
    for (std::size_t size = 0; size < whole.size(); ++size)
      EXPECT_EQ(Cleaned(whole.substr(0, size)), "nothing") << size;
  }
  std::string png = Png("");
  png[png.size() - 20] ^= 1;  // in the data, which has a checksum
  EXPECT_EQ(Cleaned(png), "nothing");
  EXPECT_EQ(Cleaned(Jpeg(Segment(0x01, ""))), "nothing");
  EXPECT_EQ(Cleaned(Jpeg("x")), "nothing");
  EXPECT_EQ(Cleaned(Jpeg("\xff\xe1\0\x01"s)), "nothing");
  EXPECT_EQ(Cleaned(Webp("VP8 \xff\xff\xff\xff"s)), "nothing");
  EXPECT_EQ(Cleaned("GIF89a"), "nothing");
}

}  // namespace
}  // namespace trestle::platform
