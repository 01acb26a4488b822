#include "value/item.h"

#include <cstring>

#include "base/check.h"

namespace trestle::value {
std::string_view TypeName(Type type) {
  switch (type) {
    case Type::kS:
      return "S";
    case Type::kN:
      return "N";
    case Type::kB:
      return "B";
    case Type::kBool:
      return "BOOL";
    case Type::kNull:
      return "NULL";
    case Type::kM:
      return "M";
    case Type::kL:
      return "L";
    case Type::kSs:
      return "SS";
    case Type::kNs:
      return "NS";
    case Type::kBs:
      return "BS";
  }
  UNREACHABLE("a type that is not in the enum");
}

std::optional<ValueView> FindAttribute(std::string_view contents, std::string_view name) {
  const char* at = contents.data();
  const char* const end = at + contents.size();
  while (at < end) {
    const std::size_t length = ReadLength(at);
    const char* const value = at + length;
    const char* const value_end = EndOfValue(value);
    // Most names differ in their length already.
    if (length == name.size() && std::memcmp(at, name.data(), length) == 0) {
      return ValueView({value, static_cast<std::size_t>(value_end - value)});
    }
    at = value_end;
  }
  return std::nullopt;
}

std::optional<ValueView> FindElement(std::string_view contents, std::size_t index) {
  for (; index > 0 && !contents.empty(); --index)
    static_cast<void>(TakeValue(contents));
  if (contents.empty()) return std::nullopt;
  return TakeValue(contents);
}

std::optional<ValueView> ValueView::Find(std::string_view name) const {
  return FindAttribute(contents(), name);
}

std::optional<ValueView> ValueView::At(std::size_t index) const {
  if (index >= count()) return std::nullopt;
  return FindElement(contents(), index);
}

Item::Item() : bytes_(kItemHeaderBytes, '\0') { bytes_[0] = '\x01'; }

}  // namespace trestle::value
