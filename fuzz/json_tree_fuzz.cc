// The strict tree reads no more than the other parser does, and what it refuses beyond that it
// names: a name that stands twice, depth, or the number of values.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "json/json.h"
#include "json/tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto tree = trestle::json::ParseTree(text);
  trestle::json::Parser parser;
  const bool is_json = parser.Parse(text).ok();
  if (!tree.ok() && is_json) {
    const std::string_view message = tree.error().message();
    const bool is_stricter = message.find("twice") != message.npos ||
                             message.find("too deeply") != message.npos ||
                             message.find("too many") != message.npos;
    CHECK(is_stricter, "refused although it is JSON");
  }
  // The other parser also refuses numbers that no double or integer holds.
  const bool has_long_number = text.find_first_of("0123456789") != text.npos;
  CHECK(!tree.ok() || is_json || has_long_number, "read although it is no JSON");
  return 0;
}
