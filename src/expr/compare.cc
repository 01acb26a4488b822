#include "expr/compare.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace trestle::expr {
namespace {

using value::Type;
using value::ValueView;

// How many units UTF-16 needs: the service's own strings are UTF-16, and size() shows it.
std::int64_t Utf16Length(std::string_view text) {
  std::int64_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}

bool SetContains(ValueView set, std::string_view element) {
  std::string_view rest = set.contents();
  while (!rest.empty()) {
    if (value::TakeElement(rest, set.type()) == element) return true;
  }
  return false;
}

bool ListContains(ValueView list, ValueView element) {
  std::string_view rest = list.contents();
  while (!rest.empty()) {
    if (value::TakeValue(rest) == element) return true;
  }
  return false;
}

}  // namespace

std::strong_ordering CompareOrdered(ValueView left, ValueView right) {
  if (left.type() == Type::kN) return left.number() <=> right.number();
  return left.text() <=> right.text();
}

std::optional<value::Number> SizeOf(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return value::Number::FromInteger(Utf16Length(value.text()));
    case Type::kB:
      return value::Number::FromInteger(static_cast<std::int64_t>(value.text().size()));
    case Type::kM:
    case Type::kL:
    case Type::kSs:
    case Type::kNs:
    case Type::kBs:
      return value::Number::FromInteger(value.count());
    case Type::kN:
    case Type::kBool:
    case Type::kNull:
      return std::nullopt;
  }
  return std::nullopt;
}

bool BeginsWith(ValueView value, ValueView prefix) {
  if (value.type() != prefix.type()) return false;
  if (value.type() != Type::kS && value.type() != Type::kB) return false;
  return value.text().starts_with(prefix.text());
}

bool Contains(ValueView value, ValueView element) {
  const Type type = element.type();
  switch (value.type()) {
    case Type::kS:
    case Type::kB:
      return type == value.type() && value.text().find(element.text()) != std::string_view::npos;
    case Type::kSs:
      return type == Type::kS && SetContains(value, element.text());
    case Type::kNs:
      return type == Type::kN && SetContains(value, element.number());
    case Type::kBs:
      return type == Type::kB && SetContains(value, element.text());
    case Type::kL:
      return ListContains(value, element);
    case Type::kN:
    case Type::kBool:
    case Type::kNull:
    case Type::kM:
      return false;
  }
  return false;
}

}  // namespace trestle::expr
