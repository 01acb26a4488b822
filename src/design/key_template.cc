#include "design/key_template.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/syntax/template_text.h"
#include "text/unicode.h"
#include "value/number.h"

namespace trestle::design {
namespace {

using syntax::Format;
using syntax::Placeholder;
using syntax::Transform;
using syntax::ZeroPad;
using value::Type;

constexpr std::size_t kDayBytes = 10;   // 2026-01-20
constexpr std::size_t kHourBytes = 13;  // 2026-01-20T10

template <typename IsEncoded>
std::string PercentEncode(std::string_view text, IsEncoded is_encoded) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '%' || is_encoded(c)) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Nothing when a % is followed by something that PercentEncode does not write.
std::optional<std::string> PercentDecode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (text.size() - i < 3) return std::nullopt;
    const auto high = HexDigit(text[i + 1]);
    const auto low = HexDigit(text[i + 2]);
    if (!high || !low) return std::nullopt;
    out += static_cast<char>(*high * 16 + *low);
    i += 2;
  }
  return out;
}

std::string Apply(Transform transform, std::string text, std::string_view separator) {
  const auto is_separator = [&](char c) { return separator.find(c) != separator.npos; };
  switch (transform) {
    case Transform::kEscape:
      return PercentEncode(text, is_separator);
    case Transform::kCluster:
      return PercentEncode(text, [&](char c) {
        return is_separator(c) ||
               static_cast<unsigned char>(c) < static_cast<unsigned char>(separator.front());
      });
    case Transform::kFold:
      return text::Fold(text);
    case Transform::kLower:
      return text::Lower(text);
    case Transform::kDay:
      return text.substr(0, kDayBytes);
    case Transform::kHour:
      return text.substr(0, kHourBytes);
  }
  return text;
}

Result<std::string> ValueText(const Placeholder& placeholder, value::ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return std::string(value.text());
    case Type::kN:
      return value::NumberText(value.number());
    case Type::kBool:
      return std::string(value.boolean() ? "true" : "false");
    default:
      return ValidationError(fmt::format("{} cannot be part of a key: it is of type {}",
                                         PathText(placeholder.path), TypeName(value.type())));
  }
}

Result<std::string> Pad(const Placeholder& placeholder, std::string text, syntax::Count width) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (!std::ranges::all_of(text, is_digit) || text.size() > static_cast<std::size_t>(width)) {
    return ValidationError(fmt::format("{} must be a whole number of at most {} digits, not {}",
                                       PathText(placeholder.path), width, text));
  }
  return std::string(static_cast<std::size_t>(width) - text.size(), '0') + text;
}

Result<std::string> Write(const Placeholder& placeholder, value::ValueView value,
                          std::string_view separator) {
  std::string text = TRY(ValueText(placeholder, value));
  for (const Format& format : placeholder.formats) {
    if (const auto* pad = std::get_if<ZeroPad>(&format)) {
      text = TRY(Pad(placeholder, std::move(text), pad->width));
    } else {
      text = Apply(std::get<Transform>(format), std::move(text), separator);
    }
  }
  return text;
}

// The text of a value from the text in a key.
std::optional<std::string> Read(const Placeholder& placeholder, std::string_view text) {
  if (text.empty()) return std::nullopt;
  std::string out(text);
  for (const Format& format : placeholder.formats) {
    if (const auto* pad = std::get_if<ZeroPad>(&format)) {
      if (out.size() != static_cast<std::size_t>(pad->width)) return std::nullopt;
      const std::size_t first = out.find_first_not_of('0');
      out = first == out.npos ? "0" : out.substr(first);
    } else if (const auto transform = std::get<Transform>(format);
               transform == Transform::kEscape || transform == Transform::kCluster) {
      auto decoded = PercentDecode(out);
      if (!decoded) return std::nullopt;
      out = *std::move(decoded);
    }
  }
  return out;
}

}  // namespace

KeyTemplate::KeyTemplate(syntax::Template source, std::string separator)
    : source_(std::move(source)), separator_(std::move(separator)) {}

std::vector<std::string> KeyTemplate::Attributes() const {
  std::vector<std::string> names;
  for (const auto& part : parts()) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder == nullptr) continue;
    const std::string& name = placeholder->path.parts.front();
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<KeyTemplate::Prefix> KeyTemplate::ComposePrefix(const Record& values) const {
  Prefix prefix;
  for (const auto& part : parts()) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      prefix.text += *text;
      continue;
    }
    const auto& placeholder = std::get<Placeholder>(part);
    const auto value = values.Find(placeholder.path);
    if (!value) return prefix;
    prefix.text += TRY(Write(placeholder, *value, separator_));
  }
  prefix.is_whole = true;
  return prefix;
}

Result<std::string> KeyTemplate::Compose(const Record& values) const {
  Prefix prefix = TRY(ComposePrefix(values));
  if (prefix.is_whole) return std::move(prefix.text);
  for (const auto& part : parts()) {
    const auto* placeholder = std::get_if<Placeholder>(&part);
    if (placeholder != nullptr && !values.Find(placeholder->path)) {
      return ValidationError(
          fmt::format("{} is absent, and a key is made from it", PathText(placeholder->path)));
    }
  }
  return std::move(prefix.text);
}

std::optional<std::vector<std::string>> KeyTemplate::Match(std::string_view text) const {
  std::vector<std::string> values;
  for (std::size_t i = 0; i < parts().size(); ++i) {
    if (const auto* literal = std::get_if<std::string>(&parts()[i])) {
      if (!text.starts_with(*literal)) return std::nullopt;
      text.remove_prefix(literal->size());
      continue;
    }
    const auto* next = i + 1 < parts().size() ? std::get_if<std::string>(&parts()[i + 1]) : nullptr;
    const bool is_last = i + 1 == parts().size();
    const std::size_t end = is_last ? text.size() : next == nullptr ? text.npos : text.find(*next);
    if (end == text.npos) return std::nullopt;
    auto value = Read(std::get<Placeholder>(parts()[i]), text.substr(0, end));
    if (!value) return std::nullopt;
    values.push_back(*std::move(value));
    text.remove_prefix(end);
  }
  if (!text.empty()) return std::nullopt;
  return values;
}

}  // namespace trestle::design
