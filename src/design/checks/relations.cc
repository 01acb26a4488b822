#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/limits.h"
#include "design/checks/checks_internal.h"
#include "design/syntax/template_text.h"

// R1 to R8: whether what relations keep can be kept.

namespace trestle::design {
namespace {

using syntax::PathText;

std::string ParentNames(const Relation& relation) {
  std::vector<std::string_view> names;
  names.reserve(relation.parents.size());
  for (const Entity* parent : relation.parents)
    names.push_back(parent->name);
  return fmt::format("{}", fmt::join(names, " or "));
}

// The rule for which the children of a parent must be found; empty when there is none.
struct Need {
  std::string_view rule;
  Position position;
};

Need NeedOf(const Relation& relation) {
  switch (relation.on_delete) {
    case DeleteRule::kCascade:
      return {"on_delete cascade", relation.on_delete_position};
    case DeleteRule::kRestrict:
      return {"on_delete restrict", relation.on_delete_position};
    case DeleteRule::kDetach:
      return {"on_delete detach", relation.on_delete_position};
    case DeleteRule::kIgnore:
      break;
  }
  if (relation.on_rekey_move) return {"on_rekey move", relation.on_rekey_position};
  if (!relation.copies.empty()) return {"copy", relation.copies.front().position};
  return {};
}

bool IsGenerated(const Attribute* attribute) {
  if (attribute == nullptr || !attribute->default_value) return false;
  const auto* call = std::get_if<syntax::CallValue>(&attribute->default_value->is);
  return call != nullptr &&
         (call->function == syntax::Function::kUuid || call->function == syntax::Function::kUlid);
}

bool IsBound(const Relation& relation, const Link& link) {
  const bool is_parameter =
      std::ranges::any_of(relation.through->parameters, [&](const Parameter& parameter) {
        return parameter.name == link.attribute || parameter.name == link.parent_attribute;
      });
  return is_parameter ||
         (relation.through_filter && relation.through_filter->parts.front() == link.attribute);
}

// The first link that the path does not follow, so that it finds other parents' children; null when
// all are followed, or one that is an id of its own.
const Link* Unbound(const Relation& relation) {
  const Link* unbound = nullptr;
  for (const Link& link : relation.links) {
    const Attribute* parent = relation.parents.front()->FindAttribute(link.parent_attribute);
    if (!IsBound(relation, link)) {
      if (unbound == nullptr) unbound = &link;
    } else if (IsGenerated(parent)) {
      return nullptr;
    }
  }
  return unbound;
}

void CheckPath(const Checking& in, const Relation& relation) {
  const Need need = NeedOf(relation);
  if (need.rule.empty() && relation.through == nullptr) return;
  const std::string& child = relation.child->name;
  if (relation.through == nullptr) {
    AddError(in.diagnostics, "R1", need.position,
             fmt::format("`{}` must find every {} of a {}, and no path leads there", need.rule,
                         child, ParentNames(relation)),
             "through an access that gives them");
    return;
  }
  const Access& through = *relation.through;
  const bool gives_child = std::ranges::any_of(
      through.results, [&](const KindReference& result) { return &result.of() == relation.child; });
  if (!gives_child || !std::holds_alternative<Query>(through.action)) {
    AddError(in.diagnostics, "R1", relation.through_position,
             fmt::format("`{}` is not a query that gives {}", through.name, child),
             fmt::format("through an access that gives {}*", child));
    return;
  }
  for (const Parameter& parameter : through.parameters) {
    const bool is_linked = std::ranges::any_of(relation.links, [&](const Link& link) {
      return link.attribute == parameter.name || link.parent_attribute == parameter.name;
    });
    const bool is_of_parent = std::ranges::any_of(relation.copies, [&](const Copy& copy) {
      return PathText(copy.to) == parameter.name || PathText(copy.from) == parameter.name;
    });
    if (is_linked || is_of_parent || parameter.is_optional) continue;
    AddError(in.diagnostics, "R1", relation.through_position,
             fmt::format("`{}` needs `{}`, which a {} does not give", through.name, parameter.name,
                         ParentNames(relation)),
             "through an access by the linked attributes");
    return;
  }
  if (const Link* unbound = Unbound(relation)) {
    AddError(in.diagnostics, "R1", relation.through_position,
             fmt::format("`{}` also gives what belongs to others, whose `{}` is another",
                         through.name, unbound->attribute),
             fmt::format("through {} filter {}", through.name, unbound->attribute));
  }
}

// How many children of one parent the design says to expect.
std::optional<std::int64_t> FanOut(const Checking& in, const Entity& child) {
  for (const auto& statement : in.model.load) {
    const auto* load = std::get_if<syntax::ItemLoad>(&statement.content);
    if (load != nullptr && load->entity.text == child.name && load->per) return load->per->count;
  }
  return std::nullopt;
}

void CheckFanOut(const Checking& in, const Entity& child, Position position,
                 std::string_view action, int actions_each) {
  const auto count = FanOut(in, child);
  const auto most = static_cast<std::int64_t>(kTransactActionsMax) / actions_each;
  if (count && *count <= most) return;
  const std::string so_many = count ? fmt::format("{} of {}", Thousands(*count), child.name)
                                    : fmt::format("any number of {}", child.name);
  AddWarning(
      in.diagnostics, "R3", position,
      fmt::format("{} may be about {}, and a transaction has at most {}", action, so_many, most),
      count ? "an operation that is `eventual`, or smaller parents"
            : fmt::format("load {{ item {} 500 bytes 40 per ... }}", child.name));
}

void CheckRules(const Checking& in, const Relation& relation) {
  const Entity& child = *relation.child;
  if (relation.on_delete == DeleteRule::kCascade && child.is_append_only) {
    AddWarning(
        in.diagnostics, "R4", relation.on_delete_position,
        fmt::format("{} is append_only, but goes with its {}", child.name, ParentNames(relation)),
        "on_delete restrict");
  }
  for (const std::string& name : relation.detach) {
    const Attribute* attribute = child.FindAttribute(name);
    if (attribute == nullptr || attribute->is_optional) continue;
    AddError(in.diagnostics, "R5", relation.on_delete_position,
             fmt::format("`{}` cannot become absent: every {} has it", name, child.name),
             fmt::format("{} : ...?", name));
  }
  for (const Entity* parent : relation.parents) {
    for (const Link& link : relation.links) {
      const auto& moved = parent->rekey_on;
      if (relation.on_rekey_move ||
          std::ranges::find(moved, link.parent_attribute) == moved.end()) {
        continue;
      }
      AddError(in.diagnostics, "R6", relation.position,
               fmt::format("a {} whose `{}` changes moves, and leaves every {} behind",
                           parent->name, link.parent_attribute, child.name),
               "on_rekey move");
      return;
    }
  }
  if (relation.on_rekey_move) CheckFanOut(in, child, relation.on_rekey_position, "moving them", 2);
}

void CheckUnique(const Checking& in, const Entity& entity) {
  for (const Unique& unique : entity.uniques) {
    for (const std::string& name : unique.attributes) {
      const Attribute* attribute = entity.FindAttribute(name);
      if (attribute == nullptr || attribute->derived == Derived::kNo) continue;
      AddError(in.diagnostics, "R7", unique.position,
               fmt::format("`{}` follows from other items, so it cannot be kept unique", name),
               fmt::format("unique {} without `{}`", unique.name, name));
    }
  }
}

// Everything that a rule fills, as "Entity.path".
std::set<std::string> Filled(const Checking& in) {
  std::set<std::string> filled;
  for (const Entity& entity : in.model.entities) {
    for (const Relation& relation : entity.relations) {
      for (const Copy& copy : relation.copies)
        filled.insert(entity.name + "." + PathText(copy.to));
      for (const Entity* parent : relation.parents) {
        for (const Tally& tally : relation.tallies) {
          const std::string into = parent->name + "." + PathText(tally.into);
          filled.insert(into);
          if (tally.kind != Derived::kAverage) continue;
          filled.insert(into + "Sum");
          filled.insert(into + "Count");
        }
      }
    }
  }
  return filled;
}

void CheckSources(const Checking& in, const std::set<std::string>& filled,
                  const std::vector<Attribute>& attributes, const std::string& prefix) {
  for (const Attribute& attribute : attributes) {
    const std::string path = prefix + "." + attribute.name;
    CheckSources(in, filled, attribute.type.members, path);
    if (attribute.derived == Derived::kNo || filled.contains(path)) continue;
    AddError(in.diagnostics, "R8", attribute.position,
             fmt::format("`{}` is derived, but no rule says from what", attribute.name),
             attribute.derived == Derived::kCopy
                 ? fmt::format("copy {} = ... in a relation, or `external`", attribute.name)
                 : fmt::format("count into {} in a relation of the children", attribute.name));
  }
}

// Which values follow from which, to find circles.
class Derivations {
 public:
  void Add(const std::string& target, const std::string& source) {
    sources_[target].insert(source);
  }

  // Whether a value follows from itself.
  [[nodiscard]] bool IsCircular(const std::string& target) const {
    std::set<std::string> seen;
    std::vector<std::string> open = {target};
    while (!open.empty()) {
      const std::string at = open.back();
      open.pop_back();
      const auto found = sources_.find(at);
      if (found == sources_.end()) continue;
      for (const std::string& source : found->second) {
        if (source == target) return true;
        if (seen.insert(source).second) open.push_back(source);
      }
    }
    return false;
  }

 private:
  std::map<std::string, std::set<std::string>> sources_;
};

void AddConditionSources(const Condition& condition, const std::string& entity,
                         const std::string& target, Derivations& out) {
  if (const auto* presence = std::get_if<syntax::Presence>(&condition.is)) {
    out.Add(target, entity + "." + PathText(presence->path));
  } else if (const auto* comparison = std::get_if<syntax::Comparison>(&condition.is)) {
    out.Add(target, entity + "." + PathText(comparison->path));
  } else if (const auto* junction = std::get_if<syntax::Junction>(&condition.is)) {
    for (const Condition& operand : junction->operands)
      AddConditionSources(operand, entity, target, out);
  } else if (const auto* negation = std::get_if<syntax::Negation>(&condition.is)) {
    AddConditionSources(*negation->operand, entity, target, out);
  }
}

Derivations DerivationsOf(const Model& model) {
  Derivations derivations;
  for (const Entity& entity : model.entities) {
    for (const Relation& relation : entity.relations) {
      for (const Entity* parent : relation.parents) {
        for (const Copy& copy : relation.copies) {
          derivations.Add(entity.name + "." + PathText(copy.to),
                          parent->name + "." + PathText(copy.from));
        }
        for (const Tally& tally : relation.tallies) {
          const std::string target = parent->name + "." + PathText(tally.into);
          if (tally.attribute)
            derivations.Add(target, entity.name + "." + PathText(*tally.attribute));
          if (tally.when) AddConditionSources(*tally.when, entity.name, target, derivations);
        }
      }
    }
  }
  return derivations;
}

void CheckCircles(const Checking& in) {
  const Derivations derivations = DerivationsOf(in.model);
  for (const Entity& entity : in.model.entities) {
    for (const Relation& relation : entity.relations) {
      for (const Copy& copy : relation.copies) {
        if (!derivations.IsCircular(entity.name + "." + PathText(copy.to))) continue;
        AddError(in.diagnostics, "R2", copy.position,
                 fmt::format("`{}` would follow from itself", PathText(copy.to)),
                 "copy from where the value is first written");
      }
      for (const Tally& tally : relation.tallies) {
        const std::string target = relation.parents.front()->name + "." + PathText(tally.into);
        if (!derivations.IsCircular(target)) continue;
        AddError(in.diagnostics, "R2", tally.position,
                 fmt::format("`{}` would follow from itself", PathText(tally.into)),
                 "remove one of the rules in the circle");
      }
    }
  }
}

bool IsInKey(const Entity& entity, const std::string& attribute) {
  const auto holds = [&](const KeyTemplate& key_template) {
    const auto names = key_template.Attributes();
    return std::ranges::find(names, attribute) != names.end();
  };
  return std::ranges::any_of(entity.keys, [&](const KeyForm& key) {
    return holds(key.partition_key) || (key.sort_key && holds(*key.sort_key));
  });
}

// R6 of operations: a part of a key changes only where the item may move.
void CheckMoves(const Checking& in, const Step& step) {
  const auto* update = std::get_if<syntax::UpdateStep>(&step.is);
  if (update == nullptr) return;
  for (const syntax::Change& change : update->changes) {
    const auto* assign = std::get_if<syntax::Assign>(&change);
    const auto* remove = std::get_if<syntax::Remove>(&change);
    if (assign == nullptr && remove == nullptr) continue;
    const Path& path = assign != nullptr ? assign->attribute : remove->attribute;
    for (const Entity* entity : step.entities) {
      const std::string& name = path.parts.front();
      if (!IsInKey(*entity, name) ||
          std::ranges::find(entity->rekey_on, name) != entity->rekey_on.end()) {
        continue;
      }
      AddError(
          in.diagnostics, "R6", path.position,
          fmt::format("`{}` is part of the key of {}, which does not move", name, entity->name),
          fmt::format("rekey on ({}) in {}", name, entity->name));
    }
  }
}

// An operation is one transaction unless it is eventual.
void CheckOperations(const Checking& in) {
  for (const Operation& operation : in.model.operations) {
    for (const Step& step : operation.steps) {
      CheckMoves(in, step);
      if (step.access == nullptr || operation.is_eventual) continue;
      for (const KindReference& result : step.access->results)
        CheckFanOut(in, result.of(), step.position, "`each`", 1);
    }
  }
}

}  // namespace

void CheckRelations(const Checking& in) {
  const std::set<std::string> filled = Filled(in);
  for (const Entity& entity : in.model.entities) {
    for (const Relation& relation : entity.relations) {
      CheckPath(in, relation);
      CheckRules(in, relation);
    }
    CheckUnique(in, entity);
    CheckSources(in, filled, entity.attributes, entity.name);
  }
  CheckCircles(in);
  CheckOperations(in);
}

}  // namespace trestle::design
