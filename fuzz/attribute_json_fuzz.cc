// A request's item from JSON to bytes and back. What is accepted must be an item that the decoder
// accepts, and reading what was written must give the same bytes.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "json/json.h"
#include "protocol/attribute_json.h"
#include "value/item_codec.h"

namespace trestle {
namespace {

void Try(std::string_view text) {
  json::Parser parser;
  const auto json = parser.Parse(text);
  if (!json.ok() || !json->is_object()) return;

  const Status types = protocol::CheckItemTypes(*json);
  const auto item = protocol::ParseItem(json::Object(*json));
  if (!item.ok()) return;
  CHECK(types.ok(), "what can be read has the right types");
  CHECK(value::CheckItem(item->bytes()).ok(), "an encoded item is a good item");

  std::string written;
  json::Writer writer(written);
  protocol::WriteItem(writer, item->view());
  json::Parser second_parser;
  const auto second_json = second_parser.Parse(written);
  CHECK(second_json.ok(), "written JSON can be read");
  const auto second_item = protocol::ParseItem(json::Object(*second_json));
  CHECK(second_item.ok(), "a written item can be read");
  CHECK(*second_item == *item, "a written item is the same item");
}

}  // namespace
}  // namespace trestle

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  trestle::Try({reinterpret_cast<const char*>(data), size});
  return 0;
}
