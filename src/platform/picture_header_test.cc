#include "platform/picture_header.h"

#include <string>

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

using namespace std::string_literals;

// Each is 3 wide and 2 high, as far as its header goes.
const std::string kPng =
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x03\0\0\0\x02\x08\x02\0\0\0\x12\x16\xf1\x4d"s;
const std::string kJpeg =
    "\xff\xd8\xff\xe0\0\x06JFIF\xff\xff\xc4\0\x04\0\0"
    "\xff\xc2\0\x0b\x08\0\x02\0\x03\x01\x01\x11\0\xff\xda"s;

std::string Webp(const std::string& kind, const std::string& chunk) {
  std::string bytes = "RIFF\0\0\0\0WEBP"s + kind + "\0\0\0\0"s + chunk;
  bytes[4] = static_cast<char>(bytes.size() - 8);
  return bytes;
}
const std::string kLossy = Webp("VP8 ", "\0\0\0\x9d\x01\x2a\x03\0\x02\x40"s);
const std::string kLossless = Webp("VP8L", "\x2f\x02\x40\0\0\0\0\0\0\0"s);
const std::string kExtended = Webp("VP8X", "\0\0\0\0\x02\0\0\x01\0\0"s);

std::string TextOf(std::string_view bytes) {
  const auto header = ReadPictureHeader(bytes);
  if (!header) return "nothing";
  return std::string(header->media_type) + " " + std::to_string(header->width) + "x" +
         std::to_string(header->height);
}

TEST(PictureHeaderTest, KnowsThreeFormats) {
  EXPECT_EQ(TextOf(kPng), "image/png 3x2");
  EXPECT_EQ(TextOf(kJpeg), "image/jpeg 3x2");
  for (const std::string& webp : {kLossy, kLossless, kExtended})
    EXPECT_EQ(TextOf(webp), "image/webp 3x2");
}

TEST(PictureHeaderTest, NothingElseIsAPicture) {
  for (const std::string& other :
       {""s, "GIF89a\x01\0\x01\0"s, "<svg xmlns='http://www.w3.org/2000/svg'/>"s, "BM"s,
        "RIFF\x20\0\0\0WAVE                              "s, "\xff\xd8\xff"s, "{\"a\": 1}"s})
    EXPECT_EQ(TextOf(other), "nothing") << other;
}

TEST(PictureHeaderTest, AHeaderThatIsCutOffIsNone) {
  for (const std::string& whole : {kPng, kJpeg, kLossy, kLossless, kExtended}) {
    const std::size_t needed = whole == kJpeg ? whole.size() - 2 : whole.size();
    for (std::size_t size = 0; size < needed; ++size)
      EXPECT_EQ(TextOf(whole.substr(0, size)), "nothing") << size;
  }
}

TEST(PictureHeaderTest, AHeaderThatWasChangedIsNone) {
  std::string png = kPng;
  png[19] = '\x7f';  // a width that the checksum does not know
  EXPECT_EQ(TextOf(png), "nothing");
  std::string jpeg = kJpeg;
  jpeg[4] = '\x7f';  // a segment behind the end
  EXPECT_EQ(TextOf(jpeg), "nothing");
  EXPECT_EQ(TextOf("\xff\xd8\xff\xda\0\x02\0\0\0\0"s), "nothing");    // data before any frame
  EXPECT_EQ(TextOf("\xff\xd8\xff\xe0\0\0\xff\xe0\0\0"s), "nothing");  // a segment without end
}

}  // namespace
}  // namespace trestle::platform
