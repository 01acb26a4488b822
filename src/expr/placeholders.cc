#include "expr/placeholders.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "expr/lexer.h"

namespace trestle::expr {
namespace {

using Entries = std::map<std::string, std::string, std::less<>>;
using Used = std::set<std::string, std::less<>>;

constexpr std::size_t kPlaceholderLengthMax = 255;

const std::string* Find(const Entries& entries, std::string_view placeholder, Used& used) {
  const auto found = entries.find(placeholder);
  if (found == entries.end()) return nullptr;
  if (!used.contains(placeholder)) used.emplace(placeholder);
  return &found->second;
}

Status CheckKeys(std::string_view parameter, char sign, const Entries& entries) {
  for (const auto& [key, value] : entries) {
    const bool is_well_formed = key.size() > 1 && key[0] == sign &&
                                std::all_of(key.begin() + 1, key.end(), IsNameCharacter);
    if (!is_well_formed) {
      return ValidationError(
          fmt::format("{} contains invalid key: Syntax error; key: \"{}\"", parameter, key));
    }
    if (key.size() > kPlaceholderLengthMax) {
      return ValidationError(
          fmt::format("{} contains invalid key: The expression attribute map contains a key that "
                      "is too long; key: \"{}\"",
                      parameter, key));
    }
  }
  return Ok();
}

std::size_t SizeBytes(const Entries& entries) {
  std::size_t size_bytes = 0;
  for (const auto& [key, value] : entries)
    size_bytes += key.size() + value.size();
  return size_bytes;
}

Status CheckUsed(std::string_view parameter, const Entries& entries, const Used& used) {
  if (entries.size() == used.size()) return Ok();
  std::string unused;
  for (const auto& [key, value] : entries) {
    if (used.contains(key)) continue;
    if (!unused.empty()) unused += ", ";
    unused += key;
  }
  return ValidationError(
      fmt::format("Value provided in {} unused in expressions: keys: {{{}}}", parameter, unused));
}

}  // namespace

Placeholders::Placeholders(Entries names, Entries values)
    : names_(std::move(names)), values_(std::move(values)) {}

const std::string* Placeholders::FindName(std::string_view placeholder) {
  return Find(names_, placeholder, used_names_);
}

const std::string* Placeholders::FindValue(std::string_view placeholder) {
  return Find(values_, placeholder, used_values_);
}

Status Placeholders::CheckSyntax() const {
  TRY(CheckKeys("ExpressionAttributeNames", '#', names_));
  TRY(CheckKeys("ExpressionAttributeValues", ':', values_));
  const std::size_t size_bytes = SizeBytes(names_) + SizeBytes(values_);
  if (size_bytes <= kExpressionMapBytesMax) return Ok();
  return ValidationError(
      fmt::format("The expression attribute names and values have exceeded the maximum allowed "
                  "size; size: {}",
                  size_bytes));
}

Status Placeholders::CheckAllUsed() const {
  TRY(CheckUsed("ExpressionAttributeNames", names_, used_names_));
  return CheckUsed("ExpressionAttributeValues", values_, used_values_);
}

}  // namespace trestle::expr
