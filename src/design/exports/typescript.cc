#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "design/exports/exports.h"
#include "design/exports/table_words_internal.h"

namespace trestle::design {
namespace {

std::string TypeText(const ValueType& type, std::size_t indent);

std::string Members(const std::vector<Attribute>& attributes, std::size_t indent) {
  std::string out;
  for (const Attribute& it : attributes) {
    const bool is_readonly = it.is_immutable || it.is_key_only || it.const_value || it.computed ||
                             it.derived != Derived::kNo;
    out += fmt::format("{:{}}{}{}{}: {};\n", "", indent, is_readonly ? "readonly " : "", it.name,
                       it.is_optional ? "?" : "", TypeText(it.type, indent));
  }
  return out;
}

std::string TypeText(const ValueType& type, std::size_t indent) {
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kBool:
      return "boolean";
    case TypeKind::kBinary:
      return "Uint8Array";
    case TypeKind::kAny:
      return "unknown";
    case TypeKind::kTimestamp:
      return type.is_epoch_seconds ? "number" : "string";
    case TypeKind::kEnum: {
      std::string out;
      for (const std::string& value : type.enum_values)
        out += (out.empty() ? "" : " | ") + Quoted(value);
      return out;
    }
    case TypeKind::kList:
      return fmt::format("Array<{}>", TypeText(type.element.front(), indent));
    case TypeKind::kSet:
      return fmt::format("Set<{}>", TypeText(type.element.front(), indent));
    case TypeKind::kMap:
      return fmt::format("{{\n{}{:{}}}}", Members(type.members, indent + 2), "", indent);
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kMoment:
      return "string";
  }
  return "unknown";
}

std::string Interface(const Model& model, const ItemKind& kind,
                      const std::vector<Attribute>& attributes) {
  std::string out = fmt::format("export interface {} {{\n", kind.name);
  if (!model.table.discriminator.empty() && !kind.tag.empty())
    out += fmt::format("  readonly {}: {};\n", model.table.discriminator, Quoted(kind.tag));
  out += Members(attributes, 2);
  const bool has_lock =
      !model.table.lock.empty() &&
      std::ranges::find(attributes, model.table.lock, &Attribute::name) == attributes.end();
  if (has_lock) out += fmt::format("  readonly {}?: number;\n", model.table.lock);
  return out + "}\n\n";
}

}  // namespace

std::string ToTypeScript(const Model& model) {
  std::string out =
      fmt::format("// The items of the design {}, version {}.\n\n", model.name, model.version);
  std::string all;
  for (const Entity& entity : model.entities) {
    out += Interface(model, entity, entity.attributes);
    all += "\n  | " + entity.name;
  }
  for (const Mirror& mirror : model.mirrors) {
    std::vector<Attribute> included;
    for (const Attribute& attribute : mirror.of->attributes) {
      if (std::ranges::find(mirror.include, attribute.name) != mirror.include.end())
        included.push_back(attribute);
    }
    out += Interface(model, mirror, included);
    all += "\n  | " + mirror.name;
  }
  return out + fmt::format("export type {}Item ={};\n", model.name, all);
}

}  // namespace trestle::design
