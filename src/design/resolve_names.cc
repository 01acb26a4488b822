#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/spelling.h"
#include "design/syntax/template_text.h"

// What names mean, wherever they stand.

namespace trestle::design {
namespace {

using syntax::PathText;

void AddCandidates(const std::vector<Attribute>& attributes, const std::string& prefix,
                   std::vector<std::string>& out) {
  for (const Attribute& attribute : attributes) {
    out.push_back(prefix + attribute.name);
    AddCandidates(attribute.type.members, prefix + attribute.name + ".", out);
  }
}

std::vector<std::string> AttributeCandidates(const Scope& scope) {
  std::vector<std::string> candidates;
  for (const Entity* entity : scope.entities)
    AddCandidates(entity->attributes, "", candidates);
  return candidates;
}

std::vector<std::string> ParameterCandidates(const Scope& scope) {
  std::vector<std::string> candidates;
  candidates.reserve(scope.parameters.size());
  for (const Parameter& parameter : scope.parameters)
    candidates.push_back(parameter.name);
  return candidates;
}

template <typename Range>
void AddNames(const Range& range, std::vector<std::string>& out) {
  for (const auto& element : range)
    out.push_back(element.name);
}

template <typename Range>
auto* FindNamed(Range& range, std::string_view name) {
  const auto found = std::ranges::find_if(range, [&](const auto& it) { return it.name == name; });
  return found == range.end() ? nullptr : &*found;
}

bool IsText(TypeKind kind) {
  switch (kind) {
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kMoment:
    case TypeKind::kBinary:
      return true;
    default:
      return false;
  }
}

bool IsTime(TypeKind kind) {
  return kind == TypeKind::kTimestamp || kind == TypeKind::kMoment || kind == TypeKind::kDate;
}

// Why a literal is no value of a type; empty when it is one. Names are not literals.
struct Misfit {
  const ValueType& type;

  std::string operator()(const syntax::Text& text) const {
    if (type.kind == TypeKind::kEnum) {
      if (std::ranges::find(type.enum_values, text.text) != type.enum_values.end()) return {};
      return fmt::format("\"{}\" is not one of its values{}", text.text,
                         DidYouMean(text.text, type.enum_values));
    }
    return IsText(type.kind) ? "" : "a text is not of its type";
  }
  std::string operator()(const syntax::Number&) const {
    const bool fits = type.kind == TypeKind::kInt || type.kind == TypeKind::kNumber;
    return fits ? "" : "a number is not of its type";
  }
  std::string operator()(const syntax::BoolValue&) const {
    return type.kind == TypeKind::kBool ? "" : "true and false are not of its type";
  }
  std::string operator()(const syntax::NameValue&) const { return {}; }
  std::string operator()(const syntax::CallValue& call) const {
    const bool is_id =
        call.function == syntax::Function::kUuid || call.function == syntax::Function::kUlid;
    const bool fits =
        is_id ? type.kind == TypeKind::kId || type.kind == TypeKind::kString : IsTime(type.kind);
    return fits ? "" : fmt::format("{}() is not of its type", syntax::WordOf(call.function));
  }
  std::string operator()(const syntax::ListValue&) const {
    const bool fits = type.kind == TypeKind::kList || type.kind == TypeKind::kSet;
    return fits ? "" : "a list is not of its type";
  }
};

struct ConditionResolver {
  const Resolving& in;
  const Scope& scope;

  void operator()(const syntax::Presence& presence) const {
    ResolveAttribute(in, scope, presence.path);
  }
  void operator()(const syntax::Comparison& comparison) const {
    const Attribute* attribute = ResolveAttribute(in, scope, comparison.path);
    const ValueType* type = attribute == nullptr ? nullptr : &attribute->type;
    static const ValueType kSize{.kind = TypeKind::kInt};
    if (comparison.of_size) type = &kSize;
    if (type != nullptr && comparison.comparator == syntax::Comparator::kContains)
      type = type->element.empty() ? type : &type->element.front();
    ResolveValue(in, scope, comparison.value, type);
  }
  void operator()(const syntax::Junction& junction) const {
    for (const Condition& operand : junction.operands)
      ResolveCondition(in, scope, operand);
  }
  void operator()(const syntax::Negation& negation) const {
    ResolveCondition(in, scope, *negation.operand);
  }
};

}  // namespace

const Attribute* Scope::FindAttribute(const Path& path) const {
  for (const Entity* entity : entities) {
    if (const Attribute* attribute = entity->FindAttribute(path)) return attribute;
  }
  return nullptr;
}

const Parameter* Scope::FindParameter(std::string_view parameter) const {
  return FindNamed(parameters, parameter);
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& candidates) {
  const std::vector<std::string_view> views(candidates.begin(), candidates.end());
  const std::string_view closest = ClosestWord(word, views);
  return closest.empty() ? "" : fmt::format("; did you mean `{}`?", closest);
}

void AddUnknown(Diagnostics& diagnostics, std::string_view code, Position position,
                std::string_view word, std::string_view what,
                const std::vector<std::string>& candidates) {
  if (diagnostics.size() >= kDiagnosticsMax) return;
  AddError(diagnostics, code, position,
           fmt::format("`{}` is not {}{}", word, what, DidYouMean(word, candidates)));
}

const Attribute* ResolveAttribute(const Resolving& in, const Scope& scope, const Path& path) {
  const Attribute* attribute = scope.FindAttribute(path);
  if (attribute == nullptr) {
    AddUnknown(in.diagnostics, "N1", path.position, PathText(path),
               fmt::format("an attribute of {}", scope.name), AttributeCandidates(scope));
  }
  return attribute;
}

const Attribute* ResolveAttribute(const Resolving& in, const Scope& scope,
                                  const syntax::Name& name) {
  return ResolveAttribute(in, scope, Path{.position = name.position, .parts = {name.text}});
}

const Parameter* ResolveParameter(const Resolving& in, const Scope& scope,
                                  const syntax::Name& name) {
  const Parameter* parameter = scope.FindParameter(name.text);
  if (parameter == nullptr) {
    AddUnknown(in.diagnostics, "N1", name.position, name.text,
               fmt::format("a parameter of {}", scope.name), ParameterCandidates(scope));
  }
  return parameter;
}

std::vector<std::string> ResolveAttributes(const Resolving& in, const Scope& scope,
                                           std::span<const syntax::Name> names) {
  std::vector<std::string> resolved;
  for (const syntax::Name& name : names) {
    if (ResolveAttribute(in, scope, name) == nullptr) continue;
    if (std::ranges::find(resolved, name.text) != resolved.end()) {
      AddError(in.diagnostics, "N2", name.position,
               fmt::format("`{}` is listed a second time", name.text));
      continue;
    }
    resolved.push_back(name.text);
  }
  return resolved;
}

void ResolveKinds(const Resolving& in, const syntax::Name& name, std::vector<KindReference>& out) {
  const auto add = [&](KindReference reference) {
    if (std::ranges::find(out, reference) == out.end()) out.push_back(reference);
  };
  if (const Entity* entity = in.model.FindEntity(name.text)) return add({.entity = entity});
  if (const Mirror* mirror = in.model.FindMirror(name.text)) {
    if (mirror->of != nullptr) add({.mirror = mirror});  // else reported where it is declared
    return;
  }
  if (in.groups.contains(name.text)) {
    for (const Entity* entity : ResolveEntities(in, name))
      add({.entity = entity});
    return;
  }
  std::vector<std::string> candidates;
  AddNames(in.model.entities, candidates);
  AddNames(in.model.mirrors, candidates);
  for (const auto& group : in.groups)
    candidates.push_back(group.first);
  AddUnknown(in.diagnostics, "N1", name.position, name.text, "an entity, a mirror or a group",
             candidates);
}

std::vector<const Entity*> ResolveEntities(const Resolving& in, const syntax::Name& name) {
  if (const Entity* entity = in.model.FindEntity(name.text)) return {entity};
  std::vector<const Entity*> entities;
  if (const auto group = in.groups.find(name.text); group != in.groups.end()) {
    // What is wrong inside the group is reported there, once.
    for (const syntax::Name& member : group->second->entities) {
      if (const Entity* entity = in.model.FindEntity(member.text)) entities.push_back(entity);
    }
    return entities;
  }
  std::vector<std::string> candidates;
  AddNames(in.model.entities, candidates);
  for (const auto& group : in.groups)
    candidates.push_back(group.first);
  AddUnknown(in.diagnostics, "N1", name.position, name.text, "an entity or a group", candidates);
  return entities;
}

const Access* ResolveAccess(const Resolving& in, const syntax::Name& name) {
  const Access* access = in.model.FindAccess(name.text);
  if (access == nullptr) {
    std::vector<std::string> candidates;
    AddNames(in.model.accesses, candidates);
    AddUnknown(in.diagnostics, "N1", name.position, name.text, "an access", candidates);
  }
  return access;
}

void ResolveCondition(const Resolving& in, const Scope& scope, const Condition& condition) {
  std::visit(ConditionResolver{in, scope}, condition.is);
}

void ResolveValue(const Resolving& in, const Scope& scope, const syntax::Value& value,
                  const ValueType* type) {
  if (const auto* name = std::get_if<syntax::NameValue>(&value.is)) {
    const bool is_parameter =
        name->path.parts.size() == 1 && scope.FindParameter(name->path.parts.front()) != nullptr;
    if (is_parameter || scope.FindAttribute(name->path) != nullptr) return;
    std::vector<std::string> candidates = ParameterCandidates(scope);
    std::ranges::move(AttributeCandidates(scope), std::back_inserter(candidates));
    AddUnknown(in.diagnostics, "N1", value.position, PathText(name->path),
               scope.parameters.empty() ? fmt::format("an attribute of {}", scope.name)
                                        : fmt::format("a parameter of {}", scope.name),
               candidates);
    return;
  }
  if (type == nullptr || type->kind == TypeKind::kAny) return;
  const std::string misfit = std::visit(Misfit{*type}, value.is);
  if (!misfit.empty()) AddError(in.diagnostics, "N5", value.position, misfit);
  if (const auto* list = std::get_if<syntax::ListValue>(&value.is)) {
    const ValueType* element = type->element.empty() ? nullptr : &type->element.front();
    for (const syntax::Value& each : list->elements)
      ResolveValue(in, scope, each, element);
  }
}

void CheckTemplate(const Resolving& in, const Scope& scope, const KeyTemplate& key_template) {
  for (const auto& part : key_template.parts()) {
    const auto* placeholder = std::get_if<syntax::Placeholder>(&part);
    if (placeholder == nullptr || scope.FindAttribute(placeholder->path) != nullptr) continue;
    AddUnknown(in.diagnostics, "K1", placeholder->path.position, PathText(placeholder->path),
               fmt::format("an attribute of {}", scope.name), AttributeCandidates(scope));
  }
}

KeyTemplate ResolveTemplate(const Resolving& in, const Scope& scope,
                            const syntax::Template& source) {
  KeyTemplate resolved(source, in.model.table.separator);
  CheckTemplate(in, scope, resolved);
  return resolved;
}

KeyTemplate TemplateOf(const Resolving& in, std::string_view attribute, Position position) {
  syntax::Placeholder placeholder{.path = {.position = position, .parts = {std::string(attribute)}},
                                  .formats = {}};
  return {syntax::Template{.position = position, .parts = {std::move(placeholder)}},
          in.model.table.separator};
}

}  // namespace trestle::design
