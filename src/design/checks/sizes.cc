#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

#include "design/checks/checks_internal.h"

namespace trestle::design {
namespace {

constexpr std::int64_t kCharacterBytes = 4;  // the longest in UTF-8; %XX is shorter
constexpr std::int64_t kIdBytesMax = 64;
constexpr std::int64_t kEmailBytesMax = 254;
constexpr std::int64_t kTimestampBytes = 24;
constexpr std::int64_t kNumberTextBytesMax = 40;  // 38 digits, a sign and a point
constexpr std::int64_t kNumberBytesMax = 21;
constexpr std::int64_t kBytesMax = 1'000'000'000'000;  // nobody asks how much more
constexpr std::int64_t kElementBytes = 1;  // what an element of a list or a map costs beside itself

}  // namespace

std::optional<std::int64_t> IntegerOf(const std::optional<value::Number>& number) {
  if (!number) return std::nullopt;
  const std::string text = value::NumberText(number->encoded());
  std::int64_t integer = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), integer);
  if (error != std::errc()) return std::nullopt;
  return integer;
}

std::string Thousands(std::int64_t number) { return Thousands(static_cast<double>(number)); }

std::string Thousands(double number) {
  std::string text = fmt::format("{:.0f}", number);
  for (std::size_t i = text.size(); i > 3 && text[i - 4] != '-'; i -= 3)
    text.insert(i - 3, ",");
  return text;
}

double PerSecond(const syntax::Number& number) {
  constexpr double kMax = 1e12;  // also what is not a number of a machine
  return std::min(std::strtod(number.digits.c_str(), nullptr), kMax);
}

std::optional<std::int64_t> TextBytesMax(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kId:
      return kIdBytesMax;
    case TypeKind::kEmail:
      return kEmailBytesMax;
    case TypeKind::kBool:
      return 5;
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return kNumberTextBytesMax;
    case TypeKind::kDate:
      return 10;
    case TypeKind::kTimestamp:
    case TypeKind::kMoment:
      return kTimestampBytes;
    case TypeKind::kEnum: {
      std::size_t longest = 0;
      for (const std::string& value : type.enum_values)
        longest = std::max(longest, value.size());
      return static_cast<std::int64_t>(longest);
    }
    case TypeKind::kString: {
      const auto characters = IntegerOf(type.max);
      if (!characters || *characters > INT32_MAX) return std::nullopt;
      return *characters * kCharacterBytes;
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::int64_t> ItemBytesMax(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return kNumberBytesMax;
    case TypeKind::kBool:
      return 1;
    case TypeKind::kBinary: {
      const auto bytes = IntegerOf(type.max);
      return bytes && *bytes <= INT32_MAX ? bytes : std::nullopt;
    }
    case TypeKind::kList:
    case TypeKind::kSet: {
      const auto element = ItemBytesMax(type.element.front());
      const auto count = IntegerOf(type.max);
      if (!element || !count || *count > INT32_MAX || *element > INT32_MAX) return std::nullopt;
      return std::min(*count * (*element + kElementBytes), kBytesMax);
    }
    case TypeKind::kMap: {
      std::int64_t sum = 0;
      for (const Attribute& member : type.members) {
        const auto bytes = ItemBytesMax(member.type);
        if (!bytes) return std::nullopt;
        sum = std::min(sum, kBytesMax) + *bytes + kElementBytes +
              static_cast<std::int64_t>(member.name.size());
      }
      return sum;
    }
    default:
      return TextBytesMax(type);
  }
}

}  // namespace trestle::design
