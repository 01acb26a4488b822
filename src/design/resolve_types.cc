#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "design/resolve_internal.h"

// Types of attributes and parameters, and what stands behind them.

namespace trestle::design {
namespace {

TypeKind KindOf(syntax::PlainTypeName name) {
  switch (name) {
    case syntax::PlainTypeName::kBool:
      return TypeKind::kBool;
    case syntax::PlainTypeName::kId:
      return TypeKind::kId;
    case syntax::PlainTypeName::kEmail:
      return TypeKind::kEmail;
    case syntax::PlainTypeName::kUrl:
      return TypeKind::kUrl;
    case syntax::PlainTypeName::kDate:
      return TypeKind::kDate;
    case syntax::PlainTypeName::kMoment:
      return TypeKind::kMoment;
    case syntax::PlainTypeName::kAny:
      return TypeKind::kAny;
  }
  return TypeKind::kAny;
}

TypeKind KindOf(syntax::RangedTypeName name) {
  switch (name) {
    case syntax::RangedTypeName::kString:
      return TypeKind::kString;
    case syntax::RangedTypeName::kInt:
      return TypeKind::kInt;
    case syntax::RangedTypeName::kNumber:
      return TypeKind::kNumber;
    case syntax::RangedTypeName::kBinary:
      return TypeKind::kBinary;
  }
  return TypeKind::kString;
}

std::optional<value::Number> ResolveNumber(const Resolving& in, const syntax::Number& number) {
  auto parsed = value::Number::Parse(number.digits);
  if (parsed.ok()) return *parsed;
  AddError(in.diagnostics, "N5", number.position, "a number has at most 38 digits");
  return std::nullopt;
}

void ResolveRange(const Resolving& in, const std::optional<syntax::Range>& range, ValueType& out) {
  if (!range) return;
  if (range->min) out.min = ResolveNumber(in, *range->min);
  if (range->max) out.max = ResolveNumber(in, *range->max);
  if (out.min && out.max && std::is_gt(*out.min <=> *out.max)) {
    AddError(in.diagnostics, "N5", range->min->position,
             fmt::format("the range begins at {} and ends at {}, so nothing is in it",
                         range->min->digits, range->max->digits),
             fmt::format("({}..{})", range->max->digits, range->min->digits));
  }
}

bool CanBeInSet(TypeKind kind) {
  return kind != TypeKind::kBool && kind != TypeKind::kList && kind != TypeKind::kSet &&
         kind != TypeKind::kMap && kind != TypeKind::kAny;
}

struct TypeResolver {
  const Resolving& in;
  ValueType& out;

  void operator()(const syntax::PlainType& type) const {
    out.kind = KindOf(type.name);
    out.precision = in.model.table.precision;
  }
  void operator()(const syntax::RangedType& type) const {
    out.kind = KindOf(type.name);
    ResolveRange(in, type.range, out);
  }
  void operator()(const syntax::TimestampType& type) const {
    out.kind = TypeKind::kTimestamp;
    out.precision = type.precision.value_or(in.model.table.precision);
  }
  void operator()(const syntax::EnumType& type) const {
    out.kind = TypeKind::kEnum;
    for (const syntax::Text& value : type.values) {
      if (std::ranges::find(out.enum_values, value.text) != out.enum_values.end()) {
        AddError(in.diagnostics, "N2", value.position,
                 fmt::format("\"{}\" is listed a second time", value.text));
        continue;
      }
      out.enum_values.push_back(value.text);
    }
  }
  void operator()(const syntax::ListType& type) const {
    out.kind = TypeKind::kList;
    out.element.push_back(ResolveType(in, *type.element));
    ResolveRange(in, type.range, out);
  }
  void operator()(const syntax::SetType& type) const {
    out.kind = TypeKind::kSet;
    out.element.push_back(ResolveType(in, *type.element));
    if (!CanBeInSet(out.element.front().kind)) {
      AddError(in.diagnostics, "N3", type.element->position,
               "a set is of texts, numbers or binaries", "list<...>");
    }
    ResolveRange(in, type.range, out);
  }
  void operator()(const syntax::MapType& type) const {
    out.kind = TypeKind::kMap;
    std::set<std::string> names;
    for (const auto& statement : type.attributes.statements) {
      const syntax::Attribute& member = statement.content;
      if (!names.insert(member.name.text).second) {
        AddError(in.diagnostics, "N2", member.name.position,
                 fmt::format("`{}` is declared a second time", member.name.text));
        continue;
      }
      out.members.push_back(ResolveAttributeDeclaration(in, member, member.name.position));
    }
  }
};

void SetFlag(syntax::Flag flag, Attribute& out) {
  switch (flag) {
    case syntax::Flag::kImmutable:
      out.is_immutable = true;
      return;
    case syntax::Flag::kKeyOnly:
      out.is_key_only = true;
      return;
    case syntax::Flag::kMonotonic:
      out.is_monotonic = true;
      return;
    case syntax::Flag::kExternal:
      out.is_external = true;
      return;
    case syntax::Flag::kCounter:
      out.is_counter = true;
      return;
    case syntax::Flag::kDerivedCopy:
      out.derived = Derived::kCopy;
      return;
    case syntax::Flag::kDerivedCount:
      out.derived = Derived::kCount;
      return;
    case syntax::Flag::kDerivedSum:
      out.derived = Derived::kSum;
      return;
    case syntax::Flag::kDerivedAverage:
      out.derived = Derived::kAverage;
      return;
  }
}

struct ModifierResolver {
  const Resolving& in;
  Attribute& out;

  void operator()(const syntax::FlagModifier& modifier) const { SetFlag(modifier.flag, out); }
  void operator()(const syntax::ConstModifier& modifier) const { out.const_value = modifier.value; }
  void operator()(const syntax::ComputedModifier& modifier) const {
    out.computed = KeyTemplate(modifier.text, in.model.table.separator);
  }
  void operator()(const syntax::NormaliseModifier& modifier) const {
    out.normalise = modifier.steps;
  }
  void operator()(const syntax::PatternModifier& modifier) const { out.pattern = modifier.regex; }
  void operator()(const syntax::RequiredWhenModifier& modifier) const {
    out.required_when = modifier.condition;
  }
  void operator()(const syntax::AbsentUnlessModifier& modifier) const {
    out.absent_unless = modifier.condition;
  }
  void operator()(const syntax::OnUpdateModifier& modifier) const {
    out.on_update = modifier.value;
  }
  void operator()(const syntax::WasModifier& modifier) const { out.was = modifier.name.text; }
};

// A computed attribute is made from stored ones, so that their order does not matter.
void CheckComputed(const Resolving& in, const Scope& scope, const KeyTemplate& computed) {
  CheckTemplate(in, scope, computed);
  for (const auto& part : computed.parts()) {
    const auto* placeholder = std::get_if<syntax::Placeholder>(&part);
    const Attribute* attribute =
        placeholder == nullptr ? nullptr : scope.FindAttribute(placeholder->path);
    if (attribute == nullptr || !attribute->computed) continue;
    AddError(in.diagnostics, "N3", placeholder->path.position,
             fmt::format("`{}` is computed itself", attribute->name));
  }
}

}  // namespace

ValueType ResolveType(const Resolving& in, const syntax::Type& type) {
  ValueType out;
  std::visit(TypeResolver{in, out}, type.is);
  return out;
}

Attribute ResolveAttributeDeclaration(const Resolving& in, const syntax::Attribute& attribute,
                                      Position position) {
  Attribute out;
  out.name = attribute.name.text;
  out.position = position;
  out.type = ResolveType(in, attribute.type);
  out.is_optional = attribute.optional;
  out.default_value = attribute.default_value;
  for (const syntax::Modifier& modifier : attribute.modifiers)
    std::visit(ModifierResolver{in, out}, modifier.is);
  return out;
}

void CheckAttributeTerms(const Resolving& in, const Scope& scope, const Attribute& attribute) {
  if (attribute.default_value) ResolveValue(in, scope, *attribute.default_value, &attribute.type);
  if (attribute.const_value) ResolveValue(in, scope, *attribute.const_value, &attribute.type);
  if (attribute.on_update) ResolveValue(in, scope, *attribute.on_update, &attribute.type);
  if (attribute.required_when) ResolveCondition(in, scope, *attribute.required_when);
  if (attribute.absent_unless) ResolveCondition(in, scope, *attribute.absent_unless);
  if (attribute.computed) CheckComputed(in, scope, *attribute.computed);
  for (const Attribute& member : attribute.type.members)
    CheckAttributeTerms(in, scope, member);
}

}  // namespace trestle::design
