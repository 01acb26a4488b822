#include "design/record.h"

#include <algorithm>
#include <span>
#include <utility>

#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

// The order of two names, as std::string_view::compare says it. Most differ in their first letter.
int CompareNames(std::string_view left, std::string_view right) {
  if (left.empty() || right.empty() || left.front() == right.front()) return left.compare(right);
  return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front()) ? -1
                                                                                              : 1;
}

std::optional<ValueView> Present(std::optional<ValueView> found) {
  if (found && found->type() == Type::kNull) return std::nullopt;
  return found;
}

// A map with `value` at `path`, or without what is there when `value` is empty; made from `old`
// when that is a map.
std::string WithMember(const std::optional<ValueView>& old, std::span<const std::string> path,
                       std::string_view value) {
  value::ItemBuilder members;
  std::optional<ValueView> old_member;
  if (old && old->type() == Type::kM) {
    for (const value::AttributeView member : value::AttributeRange(old->contents())) {
      if (member.name == path.front()) {
        old_member = member.value;
      } else {
        members.Add(member.name, member.value.bytes());
      }
    }
  }
  const bool is_inner = path.size() > 1;
  const bool is_removed_inside = is_inner && value.empty() && !old_member;
  std::string inner;
  if (is_inner && !is_removed_inside) {
    inner = WithMember(old_member, path.subspan(1), value);
    value = inner;
  }
  if (!value.empty()) members.Add(path.front(), value);
  std::string map;
  members.AppendMapTo(map);
  return map;
}

}  // namespace

Record::Record(value::Item item)
    : Record(std::move(item), [](std::string_view /*name*/, std::string_view value) {
        return ValueView(value).type() != Type::kNull;
      }) {}

Record::Position Record::PositionOf(std::string_view name) const {
  // Most records are made in order.
  std::size_t first = 0;
  std::size_t last = places_.size();
  if (last == 0 || CompareNames(NameAt(places_.back()), name) < 0) return {.index = last};
  while (first < last) {
    const std::size_t middle = first + (last - first) / 2;
    const int order = CompareNames(NameAt(places_[middle]), name);
    if (order == 0) return {.index = middle, .is_there = true};
    if (order < 0) {
      first = middle + 1;
    } else {
      last = middle;
    }
  }
  return {.index = first};
}

std::uint32_t Record::Add(std::string_view bytes) {
  const std::size_t at = bytes_.size();
  bytes_.append(bytes);
  return static_cast<std::uint32_t>(at);
}

// What was replaced or removed by something longer stays where it was, until it is most of all.
void Record::DropUnused() {
  constexpr std::size_t kUnusedBytes = 4096;
  std::size_t used = 0;
  for (const Place& place : places_)
    used += place.name_size + place.value_size;
  if (bytes_.size() < 2 * used + kUnusedBytes) return;
  Record packed;
  packed.bytes_.reserve(used);
  packed.places_.reserve(places_.size());
  for (const Attribute attribute : attributes())
    packed.Append(attribute.name, attribute.value);
  *this = std::move(packed);
}

void Record::Append(std::string_view name, std::string_view value) {
  if (places_.empty()) places_.reserve(kUsualAttributes);
  const std::uint32_t name_at = Add(name);
  places_.push_back({.name_at = name_at,
                     .name_size = static_cast<std::uint32_t>(name.size()),
                     .value_at = Add(value),
                     .value_size = static_cast<std::uint32_t>(value.size())});
}

std::optional<ValueView> Record::Find(std::string_view name) const {
  const Position position = PositionOf(name);
  if (!position.is_there) return std::nullopt;
  return ValueView(ValueAt(places_[position.index]));
}

std::optional<ValueView> Record::Find(const syntax::Path& path) const {
  auto found = Find(path.parts.front());
  for (std::size_t i = 1; i < path.parts.size(); ++i) {
    if (!found || found->type() != Type::kM) return std::nullopt;
    found = found->Find(path.parts[i]);
  }
  return Present(found);
}

std::optional<std::string_view> Record::FindText(std::string_view name) const {
  const auto found = Find(name);
  if (!found || found->type() != Type::kS) return std::nullopt;
  return found->text();
}

void Record::Set(std::string_view name, std::string_view value) {
  if (ValueView(value).type() == Type::kNull) return Remove(name);
  const auto [index, is_there] = PositionOf(name);
  if (index == places_.size()) return Append(name, value);
  if (!is_there) {
    Append(name, value);
    std::rotate(places_.begin() + static_cast<std::ptrdiff_t>(index), places_.end() - 1,
                places_.end());
    return;
  }
  Place& place = places_[index];
  if (value.size() <= place.value_size) {
    bytes_.replace(place.value_at, value.size(), value);
    place.value_size = static_cast<std::uint32_t>(value.size());
    return;
  }
  place.value_size = static_cast<std::uint32_t>(value.size());
  place.value_at = Add(value);
  DropUnused();
}

void Record::Set(const syntax::Path& path, std::string_view value) {
  if (ValueView(value).type() == Type::kNull) return Remove(path);
  const std::string& name = path.parts.front();
  const std::span<const std::string> inner = std::span(path.parts).subspan(1);
  if (inner.empty()) return Set(name, value);
  Set(name, WithMember(Find(name), inner, value));
}

void Record::SetText(std::string_view name, std::string_view text) {
  std::string value;
  value::AppendString(value, text);
  Set(name, value);
}

void Record::Remove(std::string_view name) {
  const auto [index, is_there] = PositionOf(name);
  if (is_there) places_.erase(places_.begin() + static_cast<std::ptrdiff_t>(index));
}

void Record::Remove(const syntax::Path& path) {
  if (path.parts.size() == 1) return Remove(path.parts.front());
  if (!Find(path)) return;
  const std::string& name = path.parts.front();
  Set(name, WithMember(Find(name), std::span(path.parts).subspan(1), {}));
}

value::Item Record::ToItem() const {
  value::SortedItemWriter item;
  for (const Attribute attribute : attributes())
    item.Add(attribute.name, attribute.value);
  return std::move(item).Finish();
}

bool operator==(const Record& left, const Record& right) {
  return std::ranges::equal(
      left.places_, right.places_, [&](const Record::Place& one, const Record::Place& other) {
        return left.NameAt(one) == right.NameAt(other) && left.ValueAt(one) == right.ValueAt(other);
      });
}

}  // namespace trestle::design
