// Which JSON types can be read as which shapes, and the service's words for those that cannot.

#include <bitset>
#include <string>

#include <fmt/format.h>

#include "protocol/attribute_json.h"
#include "wire/members.h"
#include "wire/shape.h"

namespace trestle::wire {
namespace {

constexpr std::string_view kPackage = "com.amazonaws.dynamodb.v20120810.";
constexpr std::string_view kCastError =
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class "
    "java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and "
    "java.lang.Class are in module java.base of loader 'bootstrap')";

// Where a value stands: a structure's member, or inside a list or map.
enum class Place { kMember, kElement };

enum class Depth { kPassOverAttributeValues, kWhole };

// What the service calls a JSON token.
std::string_view TokenName(const json::Value& value) {
  switch (value.type()) {
    case json::Type::INT64:
    case json::Type::UINT64:
      return "NUMBER_VALUE";
    case json::Type::DOUBLE:
      return "DECIMAL_VALUE";
    case json::Type::STRING:
      return "STRING_VALUE";
    case json::Type::BOOL:
      return bool(value) ? "TRUE_VALUE" : "FALSE_VALUE";
    case json::Type::NULL_VALUE:
    case json::Type::ARRAY:
    case json::Type::OBJECT:
      break;
  }
  UNREACHABLE("a scalar");
}

// What the service calls the type that it wanted to read.
std::string TypeName(const Shape& shape) {
  switch (shape.kind) {
    case Kind::kString:
      return "java.lang.String";
    case Kind::kInteger:
      return "java.lang.Integer";
    case Kind::kLong:
      return "java.lang.Long";
    case Kind::kBoolean:
      return "java.lang.Boolean";
    case Kind::kList:
      return fmt::format("java.util.List<{}>", TypeName(*shape.element));
    case Kind::kMap:
      return fmt::format("java.util.Map<java.lang.String, {}>", TypeName(*shape.element));
    case Kind::kStructure:
      return fmt::format("{}{}", kPackage, shape.name);
    case Kind::kAttributeValue:
      return fmt::format("{}AttributeValue", kPackage);
  }
  UNREACHABLE("a kind that is not in the enum");
}

Error ArrayError(const Shape& shape) {
  const std::string_view prefix = shape.kind == Kind::kMap ? "" : "class ";
  return SerializationError(
      fmt::format("Unrecognized collection type {}{}", prefix, TypeName(shape)));
}

Error ObjectError() {
  return SerializationError("Start of structure or map found where not expected");
}

Error ConversionError(const json::Value& value, std::string_view wanted) {
  return SerializationError(fmt::format("{} cannot be converted to {}", TokenName(value), wanted));
}

Status CheckScalar(const Shape& shape, const json::Value& value) {
  if (value.is_array()) return ArrayError(shape);
  if (value.is_object()) return ObjectError();
  switch (shape.kind) {
    case Kind::kString:
      if (!value.is_string()) return ConversionError(value, "String");
      return Ok();
    case Kind::kInteger:
      if (!value.is_number()) return ConversionError(value, "Integer");
      return Ok();
    case Kind::kLong:
      if (!value.is_number()) return ConversionError(value, "Long");
      return Ok();
    case Kind::kBoolean:
      if (value.is_bool()) return Ok();
      if (!value.is_string()) return ConversionError(value, "Boolean");
      if (!IsBooleanText(value)) {
        return SerializationError("Unexpected token received from parser");
      }
      return Ok();
    case Kind::kList:
    case Kind::kMap:
    case Kind::kStructure:
    case Kind::kAttributeValue:
      break;
  }
  UNREACHABLE("a scalar");
}

Error UnexpectedScalar(const Shape& shape, Place place) {
  if (place == Place::kMember) return SerializationError("Unexpected field type");
  const bool is_parameterized = shape.kind == Kind::kList || shape.kind == Kind::kMap;
  return SerializationError(
      std::string(is_parameterized ? kCastError : "Unexpected value type in payload"));
}

Status CheckValue(const Shape& shape, const json::Value& value, Place place, Depth depth);

Status CheckStructure(const Shape& shape, const json::Object& object, Depth depth) {
  std::bitset<kMembersMax> seen;
  for (const auto& field : object) {
    const auto index = FindMemberIndex(shape, field.key);
    if (!index) continue;
    // Which of two a reader would take is not certain, so neither is taken.
    if (seen[*index]) return SerializationError("Duplicate field in structure");
    seen.set(*index);
    TRY(CheckValue(*shape.members[*index].shape, field.value, Place::kMember, depth));
  }
  return Ok();
}

Status CheckValue(const Shape& shape, const json::Value& value, Place place, Depth depth) {
  if (value.is_null()) return Ok();
  switch (shape.kind) {
    case Kind::kString:
    case Kind::kInteger:
    case Kind::kLong:
    case Kind::kBoolean:
      return CheckScalar(shape, value);
    case Kind::kList: {
      if (value.is_object()) return ObjectError();
      if (!value.is_array()) return UnexpectedScalar(shape, place);
      for (const json::Value element : json::Array(value)) {
        TRY(CheckValue(*shape.element, element, Place::kElement, depth));
      }
      return Ok();
    }
    case Kind::kMap: {
      if (value.is_array()) return ArrayError(shape);
      if (!value.is_object()) return UnexpectedScalar(shape, place);
      if (shape.element->kind == Kind::kAttributeValue &&
          depth == Depth::kPassOverAttributeValues) {
        return Ok();
      }
      for (const auto& field : json::Object(value)) {
        TRY(CheckValue(*shape.element, field.value, Place::kElement, depth));
      }
      return Ok();
    }
    case Kind::kStructure: {
      if (value.is_array()) return ArrayError(shape);
      if (!value.is_object()) return UnexpectedScalar(shape, place);
      return CheckStructure(shape, json::Object(value), depth);
    }
    case Kind::kAttributeValue: {
      if (value.is_array()) return ArrayError(shape);
      if (!value.is_object()) return UnexpectedScalar(shape, place);
      if (depth == Depth::kPassOverAttributeValues) return Ok();
      return protocol::CheckValueTypes(value);
    }
  }
  UNREACHABLE("a kind that is not in the enum");
}

}  // namespace

Status CheckTypes(const Shape& shape, const json::Object& body) {
  return CheckStructure(shape, body, Depth::kPassOverAttributeValues);
}

Status CheckAllTypes(const Shape& shape, const json::Object& body) {
  return CheckStructure(shape, body, Depth::kWhole);
}

}  // namespace trestle::wire
