#include "expr/placeholders.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "expr/lexer.h"

namespace trestle::expr {
namespace {

using Entries = Placeholders::Entries;

constexpr std::size_t kPlaceholderLengthMax = 255;

Entries Ordered(Entries entries) {
  const auto not_before = [](const auto& left, const auto& right) { return left.key >= right.key; };
  if (std::ranges::adjacent_find(entries, not_before) == entries.end()) return entries;
  std::ranges::stable_sort(entries, {}, &Placeholders::Entry::key);
  // From the end, so that of equal keys the last one stays.
  const auto kept =
      std::unique(entries.rbegin(), entries.rend(),
                  [](const auto& left, const auto& right) { return left.key == right.key; });
  entries.erase(entries.begin(), kept.base());
  return entries;
}

const std::string* Find(Entries& entries, std::string_view placeholder) {
  const auto found = std::ranges::lower_bound(
      entries, placeholder, {}, [](const auto& entry) { return std::string_view(entry.key); });
  if (found == entries.end() || found->key != placeholder) return nullptr;
  found->is_used = true;
  return &found->text;
}

Status CheckKeys(std::string_view parameter, char sign, const Entries& entries) {
  for (const auto& [key, text, is_used] : entries) {
    if (key.size() > kPlaceholderLengthMax) {
      // The service says how long the key of a name is, and not that of a value.
      return ValidationError(
          fmt::format("{} contains invalid key: The expression attribute map contains a key that "
                      "is too long;{}",
                      parameter, sign == '#' ? fmt::format(" size of key: {}", key.size()) : ""));
    }
    const bool is_well_formed = key.size() > 1 && key[0] == sign &&
                                std::all_of(key.begin() + 1, key.end(), IsNameCharacter);
    if (!is_well_formed) {
      return ValidationError(
          fmt::format("{} contains invalid key: Syntax error; key: \"{}\"", parameter, key));
    }
  }
  return Ok();
}

Status CheckNames(const Entries& names) {
  for (const auto& [key, text, is_used] : names) {
    std::string_view fault;
    if (text.empty()) fault = "Empty attribute name";
    if (text.size() > kAttributeNameBytesMax) {
      fault = "Attribute name is too large, must be less than 65536 bytes";
    }
    if (fault.empty()) continue;
    return ValidationError(
        fmt::format("ExpressionAttributeNames contains invalid value: {} for key {}", fault, key));
  }
  return Ok();
}

std::size_t SizeBytes(const Entries& entries) {
  std::size_t size_bytes = 0;
  for (const auto& [key, text, is_used] : entries)
    size_bytes += key.size() + text.size();
  return size_bytes;
}

Status CheckUsed(std::string_view parameter, const Entries& entries) {
  std::string unused;
  for (const auto& [key, text, is_used] : entries) {
    if (is_used) continue;
    if (!unused.empty()) unused += ", ";
    unused += key;
  }
  if (unused.empty()) return Ok();
  return ValidationError(
      fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", parameter, unused));
}

}  // namespace

Placeholders::Placeholders(Entries names, Entries values)
    : names_(Ordered(std::move(names))), values_(Ordered(std::move(values))) {}

const std::string* Placeholders::FindName(std::string_view placeholder) {
  return Find(names_, placeholder);
}

const std::string* Placeholders::FindValue(std::string_view placeholder) {
  return Find(values_, placeholder);
}

Status Placeholders::CheckSyntax() const {
  TRY(CheckKeys("ExpressionAttributeNames", '#', names_));
  TRY(CheckNames(names_));
  TRY(CheckKeys("ExpressionAttributeValues", ':', values_));
  const std::size_t size_bytes = SizeBytes(names_) + SizeBytes(values_);
  if (size_bytes <= kExpressionMapBytesMax) return Ok();
  return ValidationError(
      fmt::format("The expression attribute names and values have exceeded the maximum allowed "
                  "size; size: {}",
                  size_bytes));
}

Status Placeholders::CheckAllUsed() const {
  TRY(CheckUsed("ExpressionAttributeNames", names_));
  return CheckUsed("ExpressionAttributeValues", values_);
}

}  // namespace trestle::expr
