#include "platform/schema_json.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

#include "platform/app.h"
#include "platform/item_json.h"
#include "value/number.h"

namespace trestle::platform {
namespace {

using design::Attribute;
using design::TypeKind;
using design::ValueType;

void WriteText(std::string_view name, std::string_view text, json::Writer& writer) {
  writer.Key(name);
  writer.String(text);
}

void WriteBound(std::string_view name, const std::optional<value::Number>& bound,
                json::Writer& writer) {
  if (!bound) return;
  writer.Key(name);
  writer.Raw(value::NumberText(bound->encoded()));
}

std::string_view SchemaType(TypeKind kind) {
  switch (kind) {
    case TypeKind::kInt:
      return "integer";
    case TypeKind::kNumber:
      return "number";
    case TypeKind::kBool:
      return "boolean";
    case TypeKind::kList:
    case TypeKind::kSet:
      return "array";
    case TypeKind::kMap:
      return "object";
    case TypeKind::kAny:
      return "";
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kTimestamp:
    case TypeKind::kMoment:
    case TypeKind::kEnum:
    case TypeKind::kBinary:
      return "string";
  }
  return "";
}

void WriteTypeName(TypeKind kind, bool is_nullable, json::Writer& writer) {
  const std::string_view type = SchemaType(kind);
  if (type.empty()) return;
  writer.Key("type");
  if (!is_nullable) return writer.String(type);
  writer.BeginArray();
  writer.String(type);
  writer.String("null");
  writer.EndArray();
}

void WriteFormat(TypeKind kind, json::Writer& writer) {
  switch (kind) {
    case TypeKind::kEmail:
      return WriteText("format", "email", writer);
    case TypeKind::kUrl:
      return WriteText("format", "uri-reference", writer);
    case TypeKind::kDate:
      return WriteText("format", "date", writer);
    case TypeKind::kTimestamp:
      return WriteText("format", "date-time", writer);
    case TypeKind::kMoment:
      return WriteText("description", "A date, or a date with a time.", writer);
    case TypeKind::kBinary:
      return WriteText("contentEncoding", "base64", writer);
    default:
      return;
  }
}

void WriteLimits(const ValueType& type, json::Writer& writer) {
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      WriteBound("minimum", type.min, writer);
      return WriteBound("maximum", type.max, writer);
    case TypeKind::kList:
    case TypeKind::kSet:
      WriteBound("minItems", type.min, writer);
      return WriteBound("maxItems", type.max, writer);
    case TypeKind::kString:
      WriteBound("minLength", type.min, writer);
      return WriteBound("maxLength", type.max, writer);
    case TypeKind::kId:
      WriteBound("minLength", value::Number::FromInteger(1), writer);
      return WriteBound("maxLength", value::Number::FromInteger(64), writer);
    default:
      return;
  }
}

// Whether a caller may give it.
bool IsGiven(const Attribute& attribute, const SchemaStyle& style) {
  return attribute.derived == design::Derived::kNo && !attribute.computed &&
         !Lists(style.read_only, attribute.name);
}

bool IsRequired(const Attribute& attribute, SchemaUse use, const SchemaStyle& style) {
  if (Lists(style.hidden, attribute.name)) return false;
  if (attribute.is_optional || use == SchemaUse::kPatch) return false;
  // Items that were written before the design had an attribute may lack it.
  if (use == SchemaUse::kShown) return false;
  const bool has_default = attribute.default_value || attribute.const_value;
  return IsGiven(attribute, style) && !has_default && attribute.type.kind != TypeKind::kMap;
}

void WriteProperties(std::span<const Attribute> attributes, SchemaUse use, const SchemaStyle& style,
                     json::Writer& writer) {
  for (const Attribute& attribute : attributes) {
    if (Lists(style.hidden, attribute.name)) continue;
    if (use != SchemaUse::kShown && !IsGiven(attribute, style)) continue;
    writer.Key(FieldName(attribute.name, style.names));
    writer.BeginObject();
    const bool is_nullable = use != SchemaUse::kShown;
    WriteTypeSchema(attribute.type, attribute.pattern, is_nullable, writer);
    if (!IsGiven(attribute, style)) {
      writer.Key("readOnly");
      writer.Bool(true);
    }
    writer.EndObject();
  }
}

void WriteRequired(const std::vector<std::string>& names, json::Writer& writer) {
  if (names.empty()) return;
  writer.Key("required");
  writer.BeginArray();
  for (const std::string& name : names)
    writer.String(name);
  writer.EndArray();
}

std::string Joined(std::string_view name, std::string_view value) {
  std::string json;
  json::AppendQuoted(json, name);
  json += ":";
  json += value;
  return json;
}

std::string ExampleNumber(const ValueType& type) {
  const value::Number one = value::Number::FromInteger(1);
  const bool is_small = type.max && *type.max < one;
  const bool is_large = type.min && *type.min > one;
  return value::NumberText((is_large ? *type.min : is_small ? *type.max : one).encoded());
}

std::string ExampleText(const ValueType& type) {
  std::string text = "text";
  if (type.max) {
    const std::string max = value::NumberText(type.max->encoded());
    if (max.size() == 1) text = text.substr(0, static_cast<std::size_t>(max[0] - '0'));
  }
  const std::size_t min =
      type.min ? std::min<std::size_t>(std::stoul(value::NumberText(type.min->encoded())), 1000)
               : 0;
  text.resize(std::max(text.size(), min), 'x');
  std::string quoted;
  json::AppendQuoted(quoted, text);
  return quoted;
}

}  // namespace

void WriteTypeSchema(const ValueType& type, std::string_view pattern, bool is_nullable,
                     json::Writer& writer) {
  WriteTypeName(type.kind, is_nullable, writer);
  WriteFormat(type.kind, writer);
  WriteLimits(type, writer);
  if (!pattern.empty()) WriteText("pattern", pattern, writer);
  if (type.kind == TypeKind::kEnum) {
    writer.Key("enum");
    writer.BeginArray();
    for (const std::string& value : type.enum_values)
      writer.String(value);
    if (is_nullable) writer.Null();
    writer.EndArray();
  }
  if (!type.element.empty()) {
    writer.Key("items");
    writer.BeginObject();
    WriteTypeSchema(type.element.front(), "", false, writer);
    writer.EndObject();
  }
  if (type.kind == TypeKind::kSet) {
    writer.Key("uniqueItems");
    writer.Bool(true);
  }
  if (type.kind == TypeKind::kMap) {
    writer.Key("properties");
    writer.BeginObject();
    for (const Attribute& member : type.members) {
      writer.Key(member.name);
      writer.BeginObject();
      WriteTypeSchema(member.type, member.pattern, is_nullable, writer);
      writer.EndObject();
    }
    writer.EndObject();
    writer.Key("additionalProperties");
    writer.Bool(false);
  }
  if (type.kind != TypeKind::kAny) {
    writer.Key("examples");
    writer.BeginArray();
    writer.Raw(ExampleOf(type));
    writer.EndArray();
  }
}

void WriteEntitySchema(const design::Model& model, const design::Entity& entity, SchemaUse use,
                       const SchemaStyle& style, json::Writer& writer) {
  writer.BeginObject();
  WriteText("type", "object", writer);
  writer.Key("properties");
  writer.BeginObject();
  if (use == SchemaUse::kShown) {
    writer.Key(kTypeMember);
    writer.Raw(R"({"type":"string","readOnly":true,"description":"In lists: what it is."})");
  }
  WriteProperties(entity.attributes, use, style, writer);
  const std::string& lock = model.table.lock;
  if (use == SchemaUse::kShown && !lock.empty() && entity.FindAttribute(lock) == nullptr) {
    writer.Key(FieldName(lock, style.names));
    writer.Raw(R"({"type":"integer","readOnly":true,"description":"Counts the changes."})");
  }
  writer.EndObject();
  std::vector<std::string> required;
  for (const Attribute& attribute : entity.attributes) {
    if (IsRequired(attribute, use, style)) {
      required.push_back(FieldName(attribute.name, style.names));
    }
  }
  WriteRequired(required, writer);
  writer.Key("additionalProperties");
  writer.Bool(style.is_open && use == SchemaUse::kShown);
  writer.EndObject();
}

void WriteParametersSchema(std::span<const design::Parameter> parameters, json::Writer& writer) {
  writer.BeginObject();
  WriteText("type", "object", writer);
  writer.Key("properties");
  writer.BeginObject();
  std::vector<std::string> required;
  for (const design::Parameter& parameter : parameters) {
    writer.Key(parameter.name);
    writer.BeginObject();
    WriteTypeSchema(parameter.type, "", parameter.is_optional, writer);
    writer.EndObject();
    if (!parameter.is_optional) required.emplace_back(parameter.name);
  }
  writer.EndObject();
  WriteRequired(required, writer);
  writer.Key("additionalProperties");
  writer.Bool(false);
  writer.EndObject();
}

std::string ExampleOf(const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return ExampleNumber(type);
    case TypeKind::kBool:
      return "true";
    case TypeKind::kId:
      return R"("id-1")";
    case TypeKind::kEmail:
      return R"("ann@example.com")";
    case TypeKind::kUrl:
      return R"("https://example.com/")";
    case TypeKind::kDate:
    case TypeKind::kMoment:
      return R"("2026-01-15")";
    case TypeKind::kTimestamp:
      return R"("2026-01-15T10:30:00.000Z")";
    case TypeKind::kEnum: {
      std::string quoted;
      json::AppendQuoted(quoted, type.enum_values.front());
      return quoted;
    }
    case TypeKind::kBinary:
      return R"("AA==")";
    case TypeKind::kList:
    case TypeKind::kSet:
      return "[" + ExampleOf(type.element.front()) + "]";
    case TypeKind::kMap: {
      std::string members;
      for (const Attribute& member : type.members) {
        if (!members.empty()) members += ",";
        members += Joined(member.name, ExampleOf(member.type));
      }
      return "{" + members + "}";
    }
    case TypeKind::kAny:
      return "null";
    case TypeKind::kString:
      return ExampleText(type);
  }
  return "null";
}

}  // namespace trestle::platform
