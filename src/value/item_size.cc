#include "value/item_size.h"

#include <algorithm>

#include "value/number.h"

namespace trestle::value {
namespace {

std::size_t SetSizeBytes(ValueView set, Type type) {
  std::size_t size = 0;
  for (std::string_view rest = set.contents(); !rest.empty();) {
    const std::string_view element = TakeElement(rest, type);
    size += type == Type::kNs ? NumberSizeBytes(element) : element.size();
  }
  return size;
}

}  // namespace

std::size_t ValueSizeBytes(ValueView value) {
  const Type type = value.type();
  switch (type) {
    case Type::kS:
    case Type::kB:
      return value.text().size();
    case Type::kN:
      return NumberSizeBytes(value.number());
    case Type::kBool:
    case Type::kNull:
      return 1;
    case Type::kSs:
    case Type::kNs:
    case Type::kBs:
      return SetSizeBytes(value, type);
    case Type::kL:
    case Type::kM:
      break;
  }
  std::size_t size = kDocumentOverheadBytes + kElementOverheadBytes * value.count();
  for (std::string_view rest = value.contents(); !rest.empty();) {
    if (type == Type::kM) {
      const AttributeView attribute = TakeAttribute(rest);
      size += AttributeSizeBytes(attribute.name, attribute.value);
    } else {
      size += ValueSizeBytes(TakeValue(rest));
    }
  }
  return size;
}

std::size_t AttributeSizeBytes(std::string_view name, ValueView value) {
  return name.size() + ValueSizeBytes(value);
}

std::size_t ValueDepth(ValueView value) {
  const Type type = value.type();
  if (type != Type::kL && type != Type::kM) return 1;
  std::size_t depth = 0;
  for (std::string_view rest = value.contents(); !rest.empty();) {
    const ValueView inner = type == Type::kM ? TakeAttribute(rest).value : TakeValue(rest);
    depth = std::max(depth, ValueDepth(inner));
  }
  return depth + 1;
}

}  // namespace trestle::value
