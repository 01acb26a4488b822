// Bytes that CheckItem accepts can be read everywhere, and a builder makes the same bytes of them.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "value/document.h"
#include "value/item_codec.h"
#include "value/item_size.h"

namespace trestle::value {
namespace {

std::string Rebuild(ValueView value);

std::string RebuildSet(ValueView value, Type type) {
  std::string out;
  std::vector<std::string_view> texts;
  std::vector<Number> numbers;
  for (std::string_view rest = value.contents(); !rest.empty();) {
    std::string_view element = TakeElement(rest, type);
    if (type == Type::kNs) {
      numbers.push_back(*Number::Take(element));
    } else {
      texts.push_back(element);
    }
  }
  if (type == Type::kNs) {
    AppendNumberSet(out, numbers);
  } else {
    AppendStringSet(out, type, texts);
  }
  return out;
}

std::string RebuildDocument(ValueView value, Type type) {
  std::string out;
  std::string_view rest = value.contents();
  if (type == Type::kL) {
    const std::size_t place = BeginContainer(out, type);
    while (!rest.empty())
      out += Rebuild(TakeValue(rest));
    EndContainer(out, place, value.count());
    return out;
  }
  ItemBuilder builder;
  std::deque<std::string> values;
  while (!rest.empty()) {
    const AttributeView attribute = TakeAttribute(rest);
    builder.Add(attribute.name, values.emplace_back(Rebuild(attribute.value)));
  }
  builder.AppendMapTo(out);
  return out;
}

// The value taken apart and made again.
std::string Rebuild(ValueView value) {
  std::string out;
  switch (const Type type = value.type()) {
    case Type::kS:
      AppendString(out, value.text());
      return out;
    case Type::kB:
      AppendBinary(out, value.text());
      return out;
    case Type::kN: {
      std::string_view number = value.number();
      AppendNumber(out, *Number::Take(number));
      return out;
    }
    case Type::kBool:
      AppendBool(out, value.boolean());
      return out;
    case Type::kNull:
      AppendNull(out);
      return out;
    case Type::kL:
    case Type::kM:
      return RebuildDocument(value, type);
    case Type::kSs:
    case Type::kNs:
    case Type::kBs:
      return RebuildSet(value, type);
  }
  UNREACHABLE("a type that is not in the enum");
}

void CheckRebuilt(ItemView item) {
  ItemBuilder builder;
  std::deque<std::string> values;
  for (const AttributeView attribute : item.attributes()) {
    CHECK(item.Find(attribute.name) == attribute.value, "every attribute is found");
    CHECK(ValueDepth(attribute.value) <= kValueDepthMax, "the depth is bounded");
    builder.Add(attribute.name, values.emplace_back(Rebuild(attribute.value)));
  }
  CHECK(builder.Finish().bytes() == item.bytes(), "an item has one form");
  Document document(item);
  CHECK(document.Finish().bytes() == item.bytes(), "a document without changes is its item");
}

}  // namespace
}  // namespace trestle::value

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (!trestle::value::CheckItem(bytes).ok()) return 0;
  trestle::value::CheckRebuilt(trestle::value::ItemView(bytes));
  return 0;
}
