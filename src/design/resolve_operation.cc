#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "design/resolve_internal.h"
#include "design/syntax/template_text.h"

// Operations: the items that their steps are about, and the types of their parameters, which follow
// from where the steps use them.

namespace trestle::design {
namespace {

// What a parameter is used as.
struct Use {
  ValueType type;
  bool is_optional = false;  // its attribute may be absent
};

// Goes through a step, with the entities that it is about. `Visitor` is told each value beside what
// it is meant to be:
//   void Value(const Scope&, const syntax::Value&, const ValueType*, bool is_optional)
//   void Shorthand(const Scope&, const Path&, const Attribute*)      { userId } for userId = userId
template <typename Visitor>
struct StepWalk {
  const Step& step;
  const Scope& scope;
  Visitor& visitor;

  void operator()(const syntax::CreateStep& create) const { Assigns(create.attributes); }
  void operator()(const syntax::UpsertStep& upsert) const { Assigns(upsert.attributes); }
  void operator()(const syntax::UpdateStep& update) const {
    Reference(update.item);
    Changes(update.changes);
  }
  void operator()(const syntax::DeleteStep& remove) const { Reference(remove.item); }
  void operator()(const syntax::IncrementStep& increment) const {
    Reference(increment.item);
    const Attribute* attribute = visitor.Attribute(scope, increment.attribute);
    Value(increment.by, attribute, false);
  }
  void operator()(const syntax::CheckStep& check) const { Reference(check.item); }
  void operator()(const syntax::EachUpdateStep& each) const {
    AccessArguments(each.access);
    Changes(each.changes);
  }
  void operator()(const syntax::EachDeleteStep& each) const { AccessArguments(each.access); }

 private:
  void Value(const syntax::Value& value, const Attribute* attribute, bool is_optional) const {
    visitor.Value(scope, value, attribute == nullptr ? nullptr : &attribute->type, is_optional);
  }

  void Reference(const syntax::ItemReference& item) const {
    if (step.entities.empty()) return;
    const Entity& entity = *step.entities.front();
    visitor.Arguments(item, entity.identity.size(), entity.identity);
    for (std::size_t i = 0; i < item.arguments.size() && i < entity.identity.size(); ++i)
      Value(item.arguments[i], entity.FindAttribute(entity.identity[i]), false);
  }

  void AccessArguments(const syntax::ItemReference& item) const {
    if (step.access == nullptr) return;
    std::vector<std::string> names;
    names.reserve(step.access->parameters.size());
    for (const Parameter& parameter : step.access->parameters)
      names.push_back(parameter.name);
    visitor.Arguments(item, names.size(), names);
    for (std::size_t i = 0; i < item.arguments.size() && i < names.size(); ++i)
      visitor.Value(scope, item.arguments[i], &step.access->parameters[i].type, false);
  }

  void Assigns(const std::vector<syntax::Assign>& assigns) const {
    for (const syntax::Assign& assign : assigns)
      Set(assign);
  }

  void Set(const syntax::Assign& assign) const {
    const Attribute* attribute = visitor.Attribute(scope, assign.attribute);
    if (assign.value) {
      Value(*assign.value, attribute, attribute != nullptr && attribute->is_optional);
    } else {
      visitor.Shorthand(scope, assign.attribute, attribute);
    }
  }

  void Changes(const std::vector<syntax::Change>& changes) const {
    for (const syntax::Change& change : changes) {
      if (const auto* assign = std::get_if<syntax::Assign>(&change)) {
        Set(*assign);
      } else if (const auto* remove = std::get_if<syntax::Remove>(&change)) {
        (void)visitor.Attribute(scope, remove->attribute);
      } else if (const auto* append = std::get_if<syntax::Append>(&change)) {
        Element(append->attribute, append->value);
      } else if (const auto* drop = std::get_if<syntax::Drop>(&change)) {
        Element(drop->attribute, drop->value);
      }
    }
  }

  void Element(const Path& path, const syntax::Value& value) const {
    const Attribute* attribute = visitor.Attribute(scope, path);
    const bool has_element = attribute != nullptr && !attribute->type.element.empty();
    visitor.Value(scope, value, has_element ? &attribute->type.element.front() : nullptr, false);
  }
};

// Finds the first use of one parameter.
struct UseFinder {
  std::string_view parameter;
  std::optional<Use> found = std::nullopt;
  bool is_used = false;  // also for what has no type

  static const design::Attribute* Attribute(const Scope& scope, const Path& path) {
    return scope.FindAttribute(path);
  }
  void Value(const Scope&, const syntax::Value& value, const ValueType* type, bool is_optional) {
    const auto* name = std::get_if<syntax::NameValue>(&value.is);
    if (name == nullptr || name->path.parts.size() != 1 || name->path.parts.front() != parameter)
      return;
    Add(type, is_optional);
  }
  void Shorthand(const Scope&, const Path& path, const design::Attribute* attribute) {
    if (path.parts.back() != parameter) return;
    Add(attribute == nullptr ? nullptr : &attribute->type,
        attribute != nullptr && attribute->is_optional);
  }
  static void Arguments(const syntax::ItemReference&, std::size_t,
                        const std::vector<std::string>&) {}

 private:
  // It may be absent when all attributes that it is for may be.
  void Add(const ValueType* type, bool is_optional) {
    is_used = true;
    if (type == nullptr) return;
    if (!found) found = Use{.type = *type, .is_optional = is_optional};
    found->is_optional = found->is_optional && is_optional;
  }
};

// Reports what has no meaning.
struct StepChecker {
  const Resolving& in;

  [[nodiscard]] const design::Attribute* Attribute(const Scope& scope, const Path& path) const {
    return ResolveAttribute(in, scope, path);
  }
  void Value(const Scope& scope, const syntax::Value& value, const ValueType* type, bool) const {
    ResolveValue(in, scope, value, type);
  }
  void Shorthand(const Scope& scope, const Path& path, const design::Attribute*) const {
    ResolveParameter(in, scope, {.position = path.position, .text = path.parts.back()});
  }
  void Arguments(const syntax::ItemReference& item, std::size_t expected,
                 const std::vector<std::string>& names) const {
    if (item.arguments.size() == expected) return;
    AddError(in.diagnostics, "N3", item.entity.position,
             fmt::format("{} is named by {} values, not {}", item.entity.text, expected,
                         item.arguments.size()),
             fmt::format("{}({})", item.entity.text, fmt::join(names, ", ")));
  }
};

const syntax::Name& SubjectOf(const syntax::OperationStep& step) {
  return std::visit(
      [](const auto& it) -> const syntax::Name& {
        if constexpr (requires { it.item; }) {
          return it.item.entity;
        } else if constexpr (requires { it.access; }) {
          return it.access.entity;
        } else {
          return it.entity;
        }
      },
      step);
}

const Condition* WhereOf(const syntax::OperationStep& step) {
  if (const auto* check = std::get_if<syntax::CheckStep>(&step)) return &check->where;
  return std::visit(
      [](const auto& it) -> const Condition* {
        if constexpr (requires { it.where.has_value(); }) {
          return it.where ? &*it.where : nullptr;
        } else {
          return nullptr;
        }
      },
      step);
}

Step MakeStep(const Resolving& in, const syntax::OperationStep& tree, Position position) {
  Step step{.position = position, .entities = {}, .access = nullptr, .is = tree};
  const bool is_each = std::holds_alternative<syntax::EachUpdateStep>(tree) ||
                       std::holds_alternative<syntax::EachDeleteStep>(tree);
  if (is_each) {
    step.access = ResolveAccess(in, SubjectOf(tree));
  } else {
    step.entities = ResolveEntities(in, SubjectOf(tree));
  }
  const bool makes_item = std::holds_alternative<syntax::CreateStep>(tree) ||
                          std::holds_alternative<syntax::UpsertStep>(tree);
  if (makes_item && step.entities.size() > 1) {
    AddError(in.diagnostics, "N3", SubjectOf(tree).position,
             fmt::format("`{}` is a group, and a new item is of one entity", SubjectOf(tree).text));
  }
  return step;
}

Scope ScopeOf(const Operation& operation, const Step& step) {
  Scope scope{.entities = step.entities,
              .parameters = operation.parameters,
              .name = SubjectOf(step.is).text};
  if (step.access == nullptr) return scope;
  for (const KindReference& result : step.access->results) {
    const Entity* entity = result.entity != nullptr ? result.entity : result.mirror->of;
    if (entity != nullptr) scope.entities.push_back(entity);
  }
  return scope;
}

Parameter ResolveParameterOf(const Resolving& in, const Operation& operation,
                             const syntax::Parameter& tree) {
  Parameter parameter{
      .name = tree.name.text, .position = tree.name.position, .type = {}, .is_optional = false};
  UseFinder finder{.parameter = parameter.name};
  for (const Step& step : operation.steps) {
    const Scope scope = ScopeOf(operation, step);
    std::visit(StepWalk<UseFinder>{step, scope, finder}, step.is);
  }
  if (tree.type) {
    parameter.type = ResolveType(in, *tree.type);
  } else if (finder.found) {
    parameter.type = finder.found->type;
    parameter.is_optional = finder.found->is_optional;
  } else if (!finder.is_used) {
    AddError(in.diagnostics, "N4", tree.name.position,
             fmt::format("`{}` has no type: no step uses it for an attribute", parameter.name),
             fmt::format("{}: string", parameter.name));
  }
  return parameter;
}

void FillOperation(const Resolving& in, const syntax::Operation& tree, Operation& operation) {
  operation.is_eventual = tree.eventual;
  for (const auto& step : tree.steps.statements)
    operation.steps.push_back(MakeStep(in, step.content, step.position));
  for (const syntax::Parameter& parameter : tree.parameters) {
    if (std::ranges::find(operation.parameters, parameter.name.text, &Parameter::name) !=
        operation.parameters.end()) {
      AddError(in.diagnostics, "N2", parameter.name.position,
               fmt::format("`{}` is declared a second time", parameter.name.text));
      continue;
    }
    operation.parameters.push_back(ResolveParameterOf(in, operation, parameter));
  }
  StepChecker checker{in};
  for (const Step& step : operation.steps) {
    const Scope scope = ScopeOf(operation, step);
    if (scope.entities.empty()) continue;  // reported already
    std::visit(StepWalk<StepChecker>{step, scope, checker}, step.is);
    if (const Condition* where = WhereOf(step.is)) ResolveCondition(in, scope, *where);
  }
}

}  // namespace

void ResolveOperations(const Resolving& in) {
  std::size_t next = 0;
  for (const auto* statement : StatementsOf<syntax::Operation>(in.tree)) {
    const auto& tree = std::get<syntax::Operation>(statement->content);
    if (next == in.model.operations.size()) return;
    if (tree.name.text != in.model.operations[next].name) continue;
    FillOperation(in, tree, in.model.operations[next++]);
  }
}

}  // namespace trestle::design
