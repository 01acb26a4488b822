#include "embed/constraints.h"

#include <algorithm>

#include <fmt/format.h>

namespace trestle::embed {
namespace {

constexpr std::size_t kViolationsMax = 10;
constexpr std::string_view kNamePattern = "[a-zA-Z0-9_.-]+";

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-';
}

bool MatchesNamePattern(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, IsNameCharacter);
}

bool IsWithin(std::size_t length, Bounds bounds) {
  const auto signed_length = static_cast<std::int64_t>(length);
  return signed_length >= bounds.min && signed_length <= bounds.max;
}

// The service counts characters as Java does: two for those beyond the basic plane.
std::size_t Utf16Length(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}

}  // namespace

bool IsName(std::string_view name) {
  return MatchesNamePattern(name) && IsWithin(name.size(), kNameLength);
}

std::string DescribeNames() {
  return fmt::format(
      "[Member must have length less than or equal to {}, Member must have length greater than or "
      "equal to {}, Member must satisfy regular expression pattern: {}]",
      kNameLength.max, kNameLength.min, kNamePattern);
}

std::string ListText(std::string_view structure, std::size_t count) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) {
    text +=
        fmt::format("{}com.amazonaws.dynamodb.v20120810.{}@{:x}", i == 0 ? "" : ", ", structure, i);
  }
  return text += "]";
}

void Constraints::CheckName(std::string_view path, std::string_view name) {
  if (IsName(name)) return;
  if (!MatchesNamePattern(name)) {
    Violate(path, name,
            fmt::format("Member must satisfy regular expression pattern: {}", kNamePattern));
  }
  CheckLength(path, name, kNameLength);
}

void Constraints::CheckLength(std::string_view path, std::string_view text, Bounds bounds) {
  CheckLengthOf(path, text, Utf16Length(text), bounds);
}

void Constraints::CheckCount(std::string_view path, std::string_view structure, std::size_t count,
                             Bounds bounds) {
  if (IsWithin(count, bounds)) return;
  CheckLengthOf(path, ListText(structure, count), count, bounds);
}

void Constraints::CheckLengthOf(std::string_view path, std::string_view value, std::size_t length,
                                Bounds bounds) {
  if (IsWithin(length, bounds)) return;
  Violate(path, value,
          static_cast<std::int64_t>(length) < bounds.min
              ? fmt::format("Member must have length greater than or equal to {}", bounds.min)
              : fmt::format("Member must have length less than or equal to {}", bounds.max));
}

void Constraints::CheckRange(std::string_view path, std::int64_t number, Bounds bounds) {
  if (number >= bounds.min && number <= bounds.max) return;
  Violate(path, std::to_string(number),
          number < bounds.min
              ? fmt::format("Member must have value greater than or equal to {}", bounds.min)
              : fmt::format("Member must have value less than or equal to {}", bounds.max));
}

void Constraints::Violate(std::string_view path, std::string_view value,
                          std::string_view constraint) {
  if (violations_.size() >= kViolationsMax) return;
  violations_.push_back(
      fmt::format("Value '{}' at '{}' failed to satisfy constraint: {}", value, path, constraint));
}

Status Constraints::Finish() const {
  if (violations_.empty()) return Ok();
  return ValidationError(fmt::format("{} validation error{} detected: {}", violations_.size(),
                                     violations_.size() == 1 ? "" : "s",
                                     fmt::join(violations_, "; ")));
}

Status CheckTableName(std::string_view name) {
  Constraints constraints;
  constraints.CheckName("tableName", name);
  return constraints.Finish();
}

}  // namespace trestle::embed
