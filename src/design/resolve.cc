#include "design/resolve.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/syntax/parser.h"

namespace trestle::design {
namespace {

// Every name that is declared, so that none is taken twice.
class Declared {
 public:
  explicit Declared(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  bool Add(const syntax::Name& name) {
    if (names_.insert(name.text).second) return true;
    AddError(diagnostics_, "N2", name.position,
             fmt::format("`{}` is declared a second time", name.text));
    return false;
  }

 private:
  Diagnostics& diagnostics_;
  std::set<std::string> names_;
};

template <typename Element>
void AddNamed(std::deque<Element>& elements, const syntax::Name& name, Position position) {
  Element& element = elements.emplace_back();
  element.name = name.text;
  element.position = position;
}

// Entities, mirrors, groups and shapes share one set of names; accesses and operations another.
struct Declarer {
  Resolving& in;
  Position position;
  Declared& kinds;
  Declared& calls;
  Declared& parameters;

  void operator()(const syntax::Entity& entity) const {
    if (kinds.Add(entity.name)) AddNamed(in.model.entities, entity.name, entity.name.position);
  }
  void operator()(const syntax::Mirror& mirror) const {
    if (kinds.Add(mirror.name)) AddNamed(in.model.mirrors, mirror.name, mirror.name.position);
  }
  void operator()(const syntax::Shape& shape) const {
    if (kinds.Add(shape.name)) in.shapes[shape.name.text] = &shape;
  }
  void operator()(const syntax::Group& group) const {
    if (kinds.Add(group.name)) in.groups[group.name.text] = &group;
  }
  void operator()(const syntax::Access& access) const {
    if (calls.Add(access.name)) AddNamed(in.model.accesses, access.name, access.name.position);
  }
  void operator()(const syntax::ExternalAccess& access) const {
    if (calls.Add(access.name)) AddNamed(in.model.accesses, access.name, access.name.position);
  }
  void operator()(const syntax::Operation& operation) const {
    if (calls.Add(operation.name))
      AddNamed(in.model.operations, operation.name, operation.name.position);
  }
  void operator()(const syntax::DesignParameter& parameter) const {
    if (!parameters.Add(parameter.name)) return;
    in.model.parameters.push_back({.name = parameter.name.text,
                                   .position = parameter.name.position,
                                   .default_value = parameter.default_value.text});
  }
  void operator()(const syntax::Tenant& tenant) const {
    if (!in.model.tenant.empty())
      AddError(in.diagnostics, "N2", position, "the tenant is declared a second time");
    in.model.tenant = tenant.attribute.text;
  }
  void operator()(const syntax::Table&) const {}
  void operator()(const syntax::Load&) const {}
};

// A group is of entities, each once.
void CheckGroups(const Resolving& in) {
  for (const auto& [name, group] : in.groups) {
    Declared members(in.diagnostics);
    for (const syntax::Name& member : group->entities) {
      members.Add(member);
      if (in.groups.contains(member.text)) {
        AddError(in.diagnostics, "N3", member.position,
                 fmt::format("`{}` is a group, and groups are of entities", member.text));
      } else {
        (void)ResolveEntities(in, member);
      }
    }
  }
}

void CheckTenant(const Resolving& in) {
  for (const auto* statement : StatementsOf<syntax::Tenant>(in.tree)) {
    const auto& name = std::get<syntax::Tenant>(statement->content).attribute;
    std::vector<std::string> candidates;
    bool is_known = false;
    for (const Entity& entity : in.model.entities) {
      is_known = is_known || entity.FindAttribute(name.text) != nullptr;
      for (const Attribute& attribute : entity.attributes)
        candidates.push_back(attribute.name);
    }
    if (!is_known) {
      AddUnknown(in.diagnostics, "N1", name.position, name.text, "an attribute of any entity",
                 candidates);
    }
  }
}

void DeclareNames(Resolving& in) {
  in.model.name = in.tree.header.content.name.text;
  in.model.version = in.tree.header.content.version;
  in.model.position = in.tree.header.position;
  Declared kinds(in.diagnostics);
  Declared calls(in.diagnostics);
  Declared parameters(in.diagnostics);
  for (const auto& statement : in.tree.declarations.statements) {
    std::visit(Declarer{in, statement.position, kinds, calls, parameters}, statement.content);
  }
  CheckGroups(in);
}

// Fills the model as far as names have a meaning. False when there is no table, without which
// nothing has one.
bool ResolveNames(const syntax::Design& design, Model& model, Diagnostics& diagnostics) {
  Resolving in{
      .tree = design, .model = model, .diagnostics = diagnostics, .shapes = {}, .groups = {}};
  DeclareNames(in);
  if (!ResolveTable(in)) return false;
  ResolveEntityAttributes(in);
  AddAverageParts(in);
  ResolveMirrors(in);
  ResolveEntityKeys(in);
  ResolveEntityMembers(in);
  ResolveRelations(in);
  ResolveAccesses(in);
  ResolveOperations(in);
  ResolveLoad(in);
  CheckTenant(in);
  for (Entity& entity : model.entities)
    entity.IndexAttributes();
  SortDiagnostics(diagnostics);
  return true;
}

}  // namespace

ResolvedDesign Resolve(const syntax::Design& design) {
  ResolvedDesign resolved;
  auto model = std::make_unique<Model>();
  ResolveNames(design, *model, resolved.diagnostics);
  if (!HasErrors(resolved.diagnostics)) resolved.model = std::move(model);
  return resolved;
}

ResolvedDesign Compile(std::string_view text, Target target) {
  ResolvedDesign compiled;
  const syntax::ParsedDesign parsed = syntax::ParseDesign(text);
  compiled.diagnostics = parsed.diagnostics;
  if (!compiled.diagnostics.empty()) return compiled;
  auto model = std::make_unique<Model>();
  // The checks go on where names have no meaning, so that one run finds all mistakes.
  if (ResolveNames(parsed.design, *model, compiled.diagnostics))
    Check(parsed.design, *model, target, compiled.diagnostics);
  if (!HasErrors(compiled.diagnostics)) compiled.model = std::move(model);
  return compiled;
}

}  // namespace trestle::design
