#include "design/record.h"

#include <algorithm>
#include <span>
#include <utility>

#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

std::optional<ValueView> Present(std::optional<ValueView> found) {
  if (found && found->type() == Type::kNull) return std::nullopt;
  return found;
}

// A map with `value` at `path`, or without what is there when `value` is empty; made from `old`
// when that is a map.
std::string WithMember(const std::optional<ValueView>& old, std::span<const std::string> path,
                       std::string value) {
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
  const std::string member = is_inner && !is_removed_inside
                                 ? WithMember(old_member, path.subspan(1), std::move(value))
                                 : std::move(value);
  if (!member.empty()) members.Add(path.front(), member);
  std::string map;
  members.AppendMapTo(map);
  return map;
}

}  // namespace

Record::Record(value::ItemView item) {
  attributes_.reserve(item.count());
  for (const value::AttributeView attribute : item.attributes())
    if (attribute.value.type() != Type::kNull)
      attributes_.emplace_back(attribute.name, attribute.value.bytes());
}

Record::Attributes::iterator Record::Place(std::string_view name) {
  // Most records are made in order.
  if (attributes_.empty() || attributes_.back().first < name) return attributes_.end();
  return std::ranges::lower_bound(attributes_, name, {}, &Attributes::value_type::first);
}

std::optional<ValueView> Record::Find(std::string_view name) const {
  const auto found =
      std::ranges::lower_bound(attributes_, name, {}, &Attributes::value_type::first);
  if (found == attributes_.end() || found->first != name) return std::nullopt;
  return ValueView(found->second);
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

void Record::Set(std::string_view name, std::string value) {
  if (ValueView(value).type() == Type::kNull) {
    Remove(name);
  } else {
    if (attributes_.empty()) attributes_.reserve(kUsualAttributes);
    const auto place = Place(name);
    if (place != attributes_.end() && place->first == name) {
      place->second = std::move(value);
    } else {
      attributes_.emplace(place, name, std::move(value));
    }
  }
}

void Record::Set(const syntax::Path& path, std::string value) {
  if (ValueView(value).type() == Type::kNull) return Remove(path);
  const std::string& name = path.parts.front();
  const std::span<const std::string> inner = std::span(path.parts).subspan(1);
  Set(name, inner.empty() ? std::move(value) : WithMember(Find(name), inner, std::move(value)));
}

void Record::SetText(std::string_view name, std::string_view text) {
  std::string value;
  value::AppendString(value, text);
  Set(name, std::move(value));
}

void Record::Remove(std::string_view name) {
  const auto place = Place(name);
  if (place != attributes_.end() && place->first == name) attributes_.erase(place);
}

void Record::Remove(const syntax::Path& path) {
  if (path.parts.size() == 1) return Remove(path.parts.front());
  if (!Find(path)) return;
  const std::string& name = path.parts.front();
  Set(name, WithMember(Find(name), std::span(path.parts).subspan(1), {}));
}

value::Item Record::ToItem() const {
  value::SortedItemWriter item;
  for (const auto& [name, value] : attributes_)
    item.Add(name, value);
  return std::move(item).Finish();
}

}  // namespace trestle::design
