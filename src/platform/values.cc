#include "platform/values.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "design/values.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::platform {
namespace {

template <typename T>
std::optional<T> ParsedAs(std::optional<value::ValueView> value) {
  if (!value || value->type() != value::Type::kN) return std::nullopt;
  const std::string text = value::NumberText(value->number());
  T parsed{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), parsed);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return parsed;
}

design::Path PathOf(std::string_view name) { return {{}, {std::string(name)}}; }

std::string EncodeBool(bool is_true) {
  std::string value;
  value::AppendBool(value, is_true);
  return value;
}

bool IsOf(const design::Path& path, std::string_view name) {
  return path.parts.size() == 1 && path.parts.front() == name;
}

}  // namespace

std::optional<std::int64_t> IntegerOf(const design::Record& record, std::string_view name) {
  return ParsedAs<std::int64_t>(record.Find(name));
}

std::optional<double> NumberOf(const design::Record& record, std::string_view name) {
  return ParsedAs<double>(record.Find(name));
}

std::optional<bool> BoolOf(const design::Record& record, std::string_view name) {
  const auto value = record.Find(name);
  if (!value || value->type() != value::Type::kBool) return std::nullopt;
  return value->boolean();
}

std::string TextOf(const design::Record& record, std::string_view name) {
  return std::string(record.FindText(name).value_or(""));
}

std::vector<std::string> TextsOf(const design::Record& record, std::string_view name) {
  std::vector<std::string> texts;
  const auto value = record.Find(name);
  if (!value) return texts;
  std::string_view rest;
  if (value->type() == value::Type::kSs) {
    rest = value->contents();
    while (!rest.empty())
      texts.emplace_back(value::TakeElement(rest, value->type()));
  } else if (value->type() == value::Type::kL) {
    rest = value->contents();
    while (!rest.empty()) {
      const value::ValueView element = value::TakeValue(rest);
      if (element.type() == value::Type::kS) texts.emplace_back(element.text());
    }
  }
  return texts;
}

std::optional<std::int64_t> IntegerAt(const design::Record& record, std::string_view map,
                                      std::string_view name) {
  return ParsedAs<std::int64_t>(
      record.Find(design::Path{{}, {std::string(map), std::string(name)}}));
}

design::Record RecordAt(const design::Record& record, std::string_view name) {
  design::Record map;
  const auto value = record.Find(name);
  if (!value || value->type() != value::Type::kM) return map;
  std::string_view rest = value->contents();
  while (!rest.empty()) {
    const value::AttributeView attribute = value::TakeAttribute(rest);
    map.Set(attribute.name, std::string(attribute.value.bytes()));
  }
  return map;
}

void SetRecord(design::Record& record, std::string_view name, const design::Record& map) {
  value::ItemBuilder builder;
  for (const auto& [member, value] : map.attributes())
    builder.Add(member, value);
  std::string encoded;
  builder.AppendMapTo(encoded);
  record.Set(name, std::move(encoded));
}

void SetInteger(design::Record& record, std::string_view name, std::int64_t integer) {
  record.Set(name, design::EncodeInteger(integer));
}

void SetBool(design::Record& record, std::string_view name, bool is_true) {
  record.Set(name, EncodeBool(is_true));
}

void SetTexts(design::Record& record, std::string_view name,
              const std::vector<std::string>& texts) {
  std::string list;
  const std::size_t place = value::BeginContainer(list, value::Type::kL);
  for (const std::string& text : texts)
    value::AppendString(list, text);
  value::EndContainer(list, place, static_cast<std::uint32_t>(texts.size()));
  record.Set(name, std::move(list));
}

void SetText(design::Changes& changes, std::string_view name, std::string_view text) {
  changes.set.push_back({PathOf(name), design::EncodeText(text)});
}

void SetInteger(design::Changes& changes, std::string_view name, std::int64_t integer) {
  changes.set.push_back({PathOf(name), design::EncodeInteger(integer)});
}

void SetBool(design::Changes& changes, std::string_view name, bool is_true) {
  changes.set.push_back({PathOf(name), EncodeBool(is_true)});
}

void Remove(design::Changes& changes, std::string_view name) {
  changes.remove.push_back(PathOf(name));
}

std::optional<std::string> ValueAfter(const design::Record& now, const design::Changes& changes,
                                      std::string_view name) {
  for (auto it = changes.set.rbegin(); it != changes.set.rend(); ++it)
    if (IsOf(it->path, name)) return it->value;
  for (const design::Path& path : changes.remove)
    if (IsOf(path, name)) return std::nullopt;
  const auto value = now.Find(name);
  if (!value) return std::nullopt;
  return std::string(value->bytes());
}

design::Record RecordAfter(const design::Record& now, const design::Changes& changes) {
  design::Record next = now;
  for (const design::Path& path : changes.remove)
    next.Remove(path);
  for (const design::Changes::Set& set : changes.set)
    next.Set(set.path, set.value);
  return next;
}

}  // namespace trestle::platform
