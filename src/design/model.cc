#include "design/model.h"

#include <algorithm>
#include <iterator>

#include "base/check.h"
#include "design/name_head.h"

namespace trestle::design {
namespace {

template <typename Range>
auto FindByName(const Range& range, std::string_view name) -> decltype(&*range.begin()) {
  const auto found =
      std::ranges::find_if(range, [&](const auto& element) { return element.name == name; });
  return found == range.end() ? nullptr : &*found;
}

// A time may have been written in another form than ours, and a set as a list.
bool IsAsStored(const Attribute& attribute) {
  const TypeKind kind = attribute.type.kind;
  return !attribute.is_key_only && attribute.type.members.empty() && kind != TypeKind::kTimestamp &&
         kind != TypeKind::kMoment && kind != TypeKind::kSet;
}

bool HasAverage(const Attribute& attribute) {
  return attribute.derived == Derived::kAverage ||
         std::ranges::any_of(attribute.type.members, HasAverage);
}

}  // namespace

const Attribute* Entity::FindAttribute(std::string_view attribute) const {
  return FindByName(attributes, attribute);
}

const Attribute* Entity::FindAttribute(const Path& path) const {
  const std::vector<Attribute>* members = &attributes;
  const Attribute* found = nullptr;
  for (const std::string& part : path.parts) {
    found = FindByName(*members, part);
    if (found == nullptr) return nullptr;
    members = &found->type.members;
  }
  return found;
}

void Entity::IndexAttributes() {
  for (const KeyForm& key : keys) {
    std::vector<std::string> names = key.partition_key.Attributes();
    if (key.sort_key) std::ranges::copy(key.sort_key->Attributes(), std::back_inserter(names));
    for (Attribute& attribute : attributes)
      if (std::ranges::find(names, attribute.name) != names.end()) attribute.is_in_key = true;
  }
  readings.clear();
  for (const Attribute& attribute : attributes)
    readings.push_back({.name = attribute.name,
                        .head = NameHead(attribute.name, attribute.name.size()),
                        .attribute = &attribute,
                        .is_as_stored = IsAsStored(attribute),
                        .is_absent_unstored = attribute.is_optional && !attribute.is_in_key &&
                                              !attribute.computed && attribute.was.empty()});
  std::ranges::sort(readings, {}, &Reading::name);
  has_average = std::ranges::any_of(attributes, HasAverage);
}

const ItemKind& KindReference::kind() const {
  if (entity != nullptr) return *entity;
  CHECK(mirror != nullptr, "a reference to a kind of item is never empty");
  return *mirror;
}

const Entity* Model::FindEntity(std::string_view entity) const {
  return FindByName(entities, entity);
}

const Mirror* Model::FindMirror(std::string_view mirror) const {
  return FindByName(mirrors, mirror);
}

const Access* Model::FindAccess(std::string_view access) const {
  return FindByName(accesses, access);
}

const Operation* Model::FindOperation(std::string_view operation) const {
  return FindByName(operations, operation);
}

}  // namespace trestle::design
