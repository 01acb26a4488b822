#include <algorithm>

#include "design/checks/checks_internal.h"

namespace trestle::design {
namespace {

bool IsName(const Path& path, const std::string& attribute) {
  return path.parts.size() == 1 && path.parts.front() == attribute;
}

struct PresenceFinder {
  const std::string& attribute;

  bool operator()(const syntax::Presence& presence) const {
    return !presence.absent && IsName(presence.path, attribute);
  }
  bool operator()(const syntax::Comparison& comparison) const {
    return comparison.comparator != syntax::Comparator::kNotEqual &&
           IsName(comparison.path, attribute);
  }
  bool operator()(const syntax::Junction& junction) const {
    const auto implies = [&](const Condition& it) { return ImpliesPresent(it, attribute); };
    return junction.connective == syntax::Connective::kAnd
               ? std::ranges::any_of(junction.operands, implies)
               : std::ranges::all_of(junction.operands, implies);
  }
  bool operator()(const syntax::Negation& negation) const {
    const auto* presence = std::get_if<syntax::Presence>(&negation.operand->is);
    return presence != nullptr && presence->absent && IsName(presence->path, attribute);
  }
};

bool HoldsPresent(const StoredForm& form, const Attribute& attribute);

// Its copy rule fills it as soon as the child is linked.
bool IsFilledByCopy(const StoredForm& form, const Attribute& attribute) {
  for (const Relation& relation : form.entity->relations) {
    for (const Copy& copy : relation.copies) {
      if (!IsName(copy.to, attribute.name)) continue;
      const Attribute* source = relation.parents.front()->FindAttribute(copy.from);
      if (source == nullptr || source->is_optional || !relation.must_exist) continue;
      const bool is_linked = std::ranges::all_of(relation.links, [&](const Link& link) {
        const Attribute* linked = form.entity->FindAttribute(link.attribute);
        return linked != nullptr && (!linked->is_optional || HoldsPresent(form, *linked));
      });
      if (is_linked) return true;
    }
  }
  return false;
}

bool HoldsPresent(const StoredForm& form, const Attribute& attribute) {
  const auto implies = [&](const std::optional<Condition>& condition, const std::string& name) {
    return condition && ImpliesPresent(*condition, name);
  };
  const auto holds = [&](const std::string& name) {
    return implies(form.key->when, name) ||
           (form.kind.mirror != nullptr && implies(form.kind.mirror->when, name));
  };
  if (holds(attribute.name)) return true;
  // "required_when a", and a is there.
  if (!attribute.required_when) return false;
  const auto* presence = std::get_if<syntax::Presence>(&attribute.required_when->is);
  return presence != nullptr && !presence->absent && presence->path.parts.size() == 1 &&
         holds(presence->path.parts.front());
}

}  // namespace

bool ImpliesPresent(const Condition& condition, const std::string& attribute) {
  return std::visit(PresenceFinder{attribute}, condition.is);
}

bool IsPresentIn(const StoredForm& form, const Path& path) {
  Path way{.position = path.position, .parts = {}};
  for (const std::string& part : path.parts) {
    way.parts.push_back(part);
    const Attribute* attribute = form.entity->FindAttribute(way);
    if (attribute == nullptr || !attribute->is_optional) continue;
    if (!HoldsPresent(form, *attribute) && !IsFilledByCopy(form, *attribute)) return false;
  }
  return true;
}

}  // namespace trestle::design
