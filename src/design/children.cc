#include "design/children.h"

#include <algorithm>
#include <string>
#include <utility>

namespace trestle::design {

Record ChildArguments(const Relation& relation, const Record& parent) {
  Record arguments;
  for (const Parameter& parameter : relation.through->parameters) {
    const auto by_child = std::ranges::find(relation.links, parameter.name, &Link::attribute);
    const std::string& name =
        by_child == relation.links.end() ? parameter.name : by_child->parent_attribute;
    const auto value = parent.Find(name);
    if (value) arguments.Set(parameter.name, std::string(value->bytes()));
  }
  return arguments;
}

bool IsChildOf(const Relation& relation, const Record& parent, const TypedItem& found) {
  if (&found.kind.of() != relation.child) return false;
  return std::ranges::all_of(relation.links, [&](const Link& link) {
    const auto own = found.record.Find(link.attribute);
    // A mirror need not hold every link; `through` has asked for the others.
    if (!own) return found.kind.mirror != nullptr;
    const auto theirs = parent.Find(link.parent_attribute);
    return theirs && *own == *theirs;
  });
}

Result<std::vector<TypedItem>> FindChildren(const QueryPlace& place, const Relation& relation,
                                            const Record& parent, std::size_t children_max) {
  std::vector<TypedItem> children;
  const Query* query =
      relation.through == nullptr ? nullptr : std::get_if<Query>(&relation.through->action);
  if (query == nullptr) return children;
  const Record arguments = ChildArguments(relation, parent);
  PageOptions options{.limit = 100};
  do {
    TypedPage page = TRY(RunQuery(place, *relation.through, *query, arguments, options));
    for (TypedItem& item : page.items) {
      if (children.size() == children_max) return children;
      if (IsChildOf(relation, parent, item)) children.push_back(std::move(item));
    }
    options.cursor = std::move(page.cursor);
  } while (!options.cursor.empty());
  return children;
}

}  // namespace trestle::design
