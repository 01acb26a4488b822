// Pictures from anywhere: nothing crashes, and one that was cleaned is still a picture of its size,
// with nothing left to remove.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "platform/picture_header.h"
#include "platform/picture_metadata.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto header = trestle::platform::ReadPictureHeader(bytes);
  const auto clean = trestle::platform::WithoutMetadata(bytes);
  if (!clean) return 0;
  // An orientation has its own segment, which may end with four bytes that the old one lacked.
  CHECK(clean->size() <= bytes.size() + 4, "nothing is added");
  CHECK(trestle::platform::WithoutMetadata(*clean) == clean, "once is enough");
  if (!header || header->media_type == "image/webp") return 0;
  const auto again = trestle::platform::ReadPictureHeader(*clean);
  CHECK(again && again->width == header->width && again->height == header->height,
        "a picture keeps its size");
  return 0;
}
