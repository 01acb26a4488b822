#include "platform/etag.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"

namespace trestle::platform {
namespace {

constexpr std::string_view kNoVersion = "0";

std::string_view Unquoted(std::string_view tag) { return tag.substr(1, tag.size() - 2); }
std::string_view VersionPart(std::string_view text) { return text.substr(0, text.find('-')); }

void SkipBlanks(std::string_view& text) {
  while (text.starts_with(' ') || text.starts_with('\t'))
    text.remove_prefix(1);
}

Error Unreadable() { return ValidationError("an entity tag stands in double quotes"); }

}  // namespace

std::string MakeEntityTag(std::optional<std::int64_t> version, std::string_view body) {
  return fmt::format("\"{}-{:016x}\"", version.value_or(0), StableHash(body));
}

Result<EntityTags> ParseEntityTags(std::string_view header) {
  EntityTags parsed;
  SkipBlanks(header);
  if (header == "*") {
    parsed.is_any = true;
    return parsed;
  }
  while (true) {
    EntityTags::Tag tag;
    if (header.starts_with("W/")) {
      tag.is_weak = true;
      header.remove_prefix(2);
    }
    const std::size_t end = header.find('"', 1);
    if (!header.starts_with('"') || end == std::string_view::npos) return Unreadable();
    tag.text = header.substr(1, end - 1);
    parsed.tags.push_back(std::move(tag));
    header.remove_prefix(end + 1);
    SkipBlanks(header);
    if (header.empty()) return parsed;
    if (!header.starts_with(',')) return Unreadable();
    header.remove_prefix(1);
    SkipBlanks(header);
  }
}

bool Contains(const EntityTags& tags, std::string_view tag) {
  const auto is_it = [&](const EntityTags::Tag& it) { return it.text == Unquoted(tag); };
  return tags.is_any || std::ranges::any_of(tags.tags, is_it);
}

bool AllowsChange(const EntityTags& tags, std::string_view tag) {
  const std::string_view text = Unquoted(tag);
  const bool has_version = VersionPart(text) != kNoVersion;
  const auto is_it = [&](const EntityTags::Tag& it) {
    if (it.is_weak) return false;
    return has_version ? VersionPart(it.text) == VersionPart(text) : it.text == text;
  };
  return tags.is_any || std::ranges::any_of(tags.tags, is_it);
}

}  // namespace trestle::platform
