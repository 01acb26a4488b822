#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include "design/exports/exports.h"

namespace trestle::design {
namespace {

// Words of C++ that an attribute may be called; others are no names of attributes that people use.
constexpr std::array<std::string_view, 40> kReserved = {
    "and",      "auto",      "bool",    "break",  "case",     "catch",  "char",    "class",
    "const",    "continue",  "default", "delete", "do",       "double", "else",    "enum",
    "explicit", "export",    "false",   "float",  "for",      "friend", "if",      "int",
    "long",     "namespace", "new",     "not",    "operator", "or",     "private", "protected",
    "public",   "register",  "return",  "short",  "signed",   "static", "struct",  "switch"};
constexpr std::array<std::string_view, 14> kMoreReserved = {
    "template", "this",  "throw",   "true", "try",      "typedef", "union",
    "unsigned", "using", "virtual", "void", "volatile", "while",   "xor"};

std::string MemberName(const std::string& name) {
  const bool is_reserved = std::ranges::find(kReserved, name) != kReserved.end() ||
                           std::ranges::find(kMoreReserved, name) != kMoreReserved.end();
  return is_reserved ? name + "_" : name;
}

std::string StructName(const std::string& attribute) {
  std::string out = attribute;
  if (out.front() >= 'a' && out.front() <= 'z') out.front() = static_cast<char>(out.front() - 32);
  return out == attribute ? out + "Map" : out;
}

// Structs of maps come before their member, inside the struct that has it.
std::string TypeText(const ValueType& type, const std::string& name) {
  switch (type.kind) {
    case TypeKind::kInt:
      return "std::int64_t";
    case TypeKind::kBool:
      return "bool";
    case TypeKind::kTimestamp:
      return type.is_epoch_seconds ? "std::int64_t" : "std::string";
    case TypeKind::kAny:
      return "trestle::embed::AttributeValue";
    case TypeKind::kList:
      return fmt::format("std::vector<{}>", TypeText(type.element.front(), name));
    case TypeKind::kSet:
      return fmt::format("std::set<{}>", TypeText(type.element.front(), name));
    case TypeKind::kMap:
      return StructName(name);
    case TypeKind::kNumber:
    case TypeKind::kBinary:
    case TypeKind::kEnum:
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kMoment:
      return "std::string";
  }
  return "std::string";
}

std::string_view Remark(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kNumber:
      return "  // an exact decimal number";
    case TypeKind::kBinary:
      return "  // bytes";
    case TypeKind::kDate:
      return "  // 2026-01-20";
    case TypeKind::kTimestamp:
      return type.is_epoch_seconds ? "  // seconds since 1970" : "";
    default:
      return "";
  }
}

const ValueType* MapIn(const ValueType& type) {
  if (type.kind == TypeKind::kMap) return &type;
  return type.element.empty() ? nullptr : MapIn(type.element.front());
}

std::string Members(const std::vector<Attribute>& attributes, std::size_t indent) {
  std::string out;
  for (const Attribute& it : attributes) {
    if (const ValueType* map = MapIn(it.type)) {
      out += fmt::format("{0:{1}}struct {2} {{\n{3}{0:{1}}}};\n", "", indent, StructName(it.name),
                         Members(map->members, indent + 2));
    }
    const std::string type = TypeText(it.type, it.name);
    out += fmt::format("{:{}}{} {}{{}};{}\n", "", indent,
                       it.is_optional ? fmt::format("std::optional<{}>", type) : type,
                       MemberName(it.name), Remark(it.type));
  }
  return out;
}

}  // namespace

std::string ToCpp(const Model& model) {
  std::string out = fmt::format(
      "// The items of the design {}, version {}.\n\n#pragma once\n\n"
      "#include <cstdint>\n#include <optional>\n#include <set>\n#include <string>\n"
      "#include <vector>\n\n",
      model.name, model.version);
  std::string structs;
  for (const Entity& entity : model.entities)
    structs += fmt::format("struct {} {{\n{}}};\n\n", entity.name, Members(entity.attributes, 2));
  const bool has_any = structs.find("trestle::embed::") != structs.npos;
  if (has_any) out += "#include \"trestle/attribute_value.h\"\n\n";
  std::string name = model.name;
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out + fmt::format("namespace {0} {{\n\n{1}}}  // namespace {0}\n", name, structs);
}

}  // namespace trestle::design
