#include "engine/tags.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/utf8.h"

namespace trestle::engine {
namespace {

constexpr std::size_t kTagsMax = 50;
constexpr std::size_t kKeyLengthMax = 128;
constexpr std::size_t kValueLengthMax = 256;

// Outside ASCII the service takes letters, numbers and spaces of any script. These are the blocks
// that hold none, or nearly none: punctuation, symbols, emoji, private use.
constexpr std::pair<char32_t, char32_t> kSigns[] = {
    {0x80, 0x9f},     {0xa1, 0xa9},     {0xab, 0xb1},     {0xb4, 0xb4},       {0xb6, 0xb8},
    {0xbb, 0xbb},     {0xbf, 0xbf},     {0xd7, 0xd7},     {0xf7, 0xf7},       {0x200b, 0x2027},
    {0x202a, 0x202e}, {0x2030, 0x205e}, {0x2060, 0x206f}, {0x20a0, 0x20cf},   {0x2190, 0x245f},
    {0x2500, 0x2bff}, {0x2e00, 0x2e7f}, {0x3001, 0x3004}, {0x3008, 0x3020},   {0xe000, 0xf8ff},
    {0xfe00, 0xfe6f}, {0xff01, 0xff0f}, {0xff1a, 0xff20}, {0x1f000, 0x1faff}, {0xe0000, 0x10ffff},
};

bool IsTagCharacter(char32_t c) {
  if (c < 0x80) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != 0 &&
            std::string_view(" +-=._:/@").find(static_cast<char>(c)) != std::string_view::npos);
  }
  return std::ranges::none_of(
      kSigns, [c](const auto& signs) { return c >= signs.first && c <= signs.second; });
}

// Whether the text has so many characters at most, and no other than a tag may have.
bool IsTagText(std::string_view text, std::size_t length_max) {
  std::size_t length = 0;
  while (!text.empty()) {
    if (!IsTagCharacter(TakeCodePoint(text)) || ++length > length_max) return false;
  }
  return true;
}

bool IsReserved(std::string_view key) {
  return key.size() >= 4 &&
         std::ranges::equal(key.substr(0, 4), std::string_view("aws:"), {}, [](char c) {
           return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
         });
}

Status CheckKey(std::string_view key) {
  if (key.empty() || !IsTagText(key, kKeyLengthMax)) {
    return ValidationError(fmt::format("The Tag Key provided is invalid, Key: {}", key));
  }
  if (IsReserved(key)) {
    return ValidationError(fmt::format("Tag Key cannot be prefixed with aws:, Key: {}", key));
  }
  return Ok();
}

Status CheckCount(std::size_t count) {
  if (count <= kTagsMax) return Ok();
  return ValidationError("Number of Tags exceed the current limit for the provided ResourceArn");
}

}  // namespace

Status CheckTags(const Tags& tags) {
  std::set<std::string_view> keys;
  for (const auto& [key, value] : tags) {
    TRY(CheckKey(key));
    if (!IsTagText(value, kValueLengthMax)) {
      return ValidationError(fmt::format("The Tag Value provided is invalid, Value: {}", value));
    }
    if (!keys.insert(key).second) {
      return ValidationError(
          fmt::format("Duplicate Tag Keys provided as input: Duplicate Tag Key found {}", key));
    }
  }
  return CheckCount(tags.size());
}

Status CheckTagChange(const ChangeTagsRequest& request) {
  TRY(CheckTags(request.set));
  for (const std::string& key : request.remove)
    TRY(CheckKey(key));
  return CheckCount(request.remove.size());
}

Result<Tags> PlanTags(Tags tags, const ChangeTagsRequest& request) {
  TRY(CheckTagChange(request));
  const auto key_of = [](const auto& tag) -> const std::string& { return tag.first; };
  for (const auto& [key, value] : request.set) {
    const auto found = std::ranges::find(tags, key, key_of);
    if (found == tags.end()) {
      tags.emplace_back(key, value);
    } else {
      found->second = value;
    }
  }
  for (const std::string& key : request.remove) {
    const auto found = std::ranges::find(tags, key, key_of);
    if (found != tags.end()) tags.erase(found);
  }
  TRY(CheckCount(tags.size()));
  return tags;
}

}  // namespace trestle::engine
