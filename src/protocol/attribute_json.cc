#include "protocol/attribute_json.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/limits.h"
#include "json/tail.h"
#include "value/item_codec.h"
#include "value/item_size.h"
#include "value/number.h"

namespace trestle::protocol {
namespace {

constexpr std::string_view kJavaAttributeValue = "com.amazonaws.dynamodb.v20120810.AttributeValue";

Error InvalidParameters(std::string_view why) {
  return ValidationError(fmt::format("One or more parameter values were invalid: {}", why));
}

Error EmptyValue() {
  return ValidationError(
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

std::optional<value::Type> TypeOfName(std::string_view name) {
  using value::Type;
  if (name.size() == 1) {
    if (name == "S") return Type::kS;
    if (name == "N") return Type::kN;
    if (name == "M") return Type::kM;
    if (name == "L") return Type::kL;
    if (name == "B") return Type::kB;
    return std::nullopt;
  }
  if (name == "BOOL") return Type::kBool;
  if (name == "NULL") return Type::kNull;
  if (name == "SS") return Type::kSs;
  if (name == "NS") return Type::kNs;
  if (name == "BS") return Type::kBs;
  return std::nullopt;
}

// What the service calls a JSON scalar that stands where another type must.
std::string_view TokenName(json::Value json) {
  switch (json.type()) {
    case json::Type::BOOL:
      return bool(json) ? "TRUE_VALUE" : "FALSE_VALUE";
    case json::Type::DOUBLE:
      return "DECIMAL_VALUE";
    default:
      return "NUMBER_VALUE";
  }
}

// Why `json`, which is no string, cannot be read as a scalar of `java_class`.
Error NotAScalar(json::Value json, std::string_view java_class) {
  if (json.is_object())
    return SerializationError("Start of structure or map found where not expected");
  if (json.is_array()) {
    return SerializationError(fmt::format("Unrecognized collection type class {}", java_class));
  }
  const std::string_view simple_name = java_class.substr(java_class.rfind('.') + 1);
  return SerializationError(
      fmt::format("{} cannot be converted to {}", TokenName(json), simple_name));
}

// Why `json`, which is no array, cannot be read as a list or set.
Error NotACollection(json::Value json) {
  return SerializationError(json.is_object() ? "Start of structure or map found where not expected"
                                             : "Unexpected field type");
}

Error NotAMap(json::Value json) {
  if (!json.is_array()) return SerializationError("Unexpected field type");
  return SerializationError(fmt::format(
      "Unrecognized collection type java.util.Map<java.lang.String, {}>", kJavaAttributeValue));
}

Error NotAValue(json::Value json) {
  if (!json.is_array()) return SerializationError("Unexpected value type in payload");
  return SerializationError(
      fmt::format("Unrecognized collection type class {}", kJavaAttributeValue));
}

Result<std::string_view> StringOf(json::Value json) {
  if (!json.is_string()) return NotAScalar(json, "java.lang.String");
  return std::string_view(json);
}

Result<std::string> BinaryOf(json::Value json) {
  if (!json.is_string()) {
    if (json.is_object() || json.is_array()) return NotAScalar(json, "java.nio.ByteBuffer");
    return SerializationError("only base-64-encoded strings are convertible to bytes");
  }
  const std::string_view text(json);
  if (text.size() % 4 != 0) {
    return SerializationError(fmt::format(
        "Base64 encoded length is expected a multiple of 4 bytes but found: {}", text.size()));
  }
  std::optional<std::string> bytes = Base64Decode(text);
  // The misspelling is the service's.
  if (!bytes) return SerializationError("Invalid last non-pad Base64 character dectected");
  return *std::move(bytes);
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower_case) {
  return std::ranges::equal(text, lower_case, [](char left, char right) {
    return (left >= 'A' && left <= 'Z' ? left + 'a' - 'A' : left) == right;
  });
}

// The service takes a few words for the two JSON literals.
Result<bool> BooleanOf(json::Value json) {
  if (json.is_bool()) return bool(json);
  if (!json.is_string()) return NotAScalar(json, "java.lang.Boolean");
  const auto is = [text = std::string_view(json)](std::string_view word) {
    return EqualsIgnoringCase(text, word);
  };
  if (is("true") || is("yes") || is("1")) return true;
  if (is("false") || is("no") || is("0")) return false;
  return SerializationError("Unexpected token received from parser");
}

template <typename T>
Status Checked(const Result<T>& result) {
  if (!result.ok()) return result.error();
  return Ok();
}

// `levels` is how many lists and maps are around the value. What lies deeper than a document may
// is not looked at: AppendValue refuses it, and recursion stays within any thread's stack.
Status CheckValueTypesWithin(json::Value json, std::size_t levels);

Status CheckMapTypes(json::Value json, std::size_t levels) {
  if (!json.is_object()) return NotAMap(json);
  for (const auto& [name, value] : json::Object(json)) {
    TRY(CheckValueTypesWithin(value, levels));
  }
  return Ok();
}

Status CheckElementTypes(value::Type type, json::Value json, std::size_t levels) {
  if (!json.is_array()) return NotACollection(json);
  for (const json::Value element : json::Array(json)) {
    if (type == value::Type::kL) {
      TRY(CheckValueTypesWithin(element, levels));
    } else if (element.is_null()) {
      continue;
    } else if (type == value::Type::kBs) {
      TRY(Checked(BinaryOf(element)));
    } else {
      TRY(Checked(StringOf(element)));
    }
  }
  return Ok();
}

Status CheckMemberType(value::Type type, json::Value json, std::size_t levels) {
  switch (type) {
    case value::Type::kS:
    case value::Type::kN:
      return Checked(StringOf(json));
    case value::Type::kB:
      return Checked(BinaryOf(json));
    case value::Type::kBool:
    case value::Type::kNull:
      return Checked(BooleanOf(json));
    case value::Type::kM:
      return CheckMapTypes(json, levels + 1);
    case value::Type::kL:
    case value::Type::kSs:
    case value::Type::kNs:
    case value::Type::kBs:
      return CheckElementTypes(type, json, levels + 1);
  }
  UNREACHABLE("a type that is not in the enum");
}

Status CheckValueTypesWithin(json::Value json, std::size_t levels) {
  if (json.is_null() || levels >= kDocumentDepthMax) return Ok();
  if (!json.is_object()) return NotAValue(json);
  for (const auto& [name, member] : json::Object(json)) {
    const auto type = TypeOfName(name);
    if (type && !member.is_null()) TRY(CheckMemberType(*type, member, levels));
  }
  return Ok();
}

Status AppendValueWithin(json::Value json, std::size_t levels_left, std::string& out);

// Encodes the values of an item or map into `values`, in the order they were sent, and gives them
// to `builder`, which looks into `values` from then on.
Status EncodeMembers(json::Object json, std::size_t levels_left, std::string& values,
                     value::ItemBuilder& builder) {
  std::vector<std::pair<std::string_view, std::size_t>> names_and_ends;
  names_and_ends.reserve(json.size());
  for (const auto& [name, member] : json) {
    if (name.size() > kAttributeNameBytesMax) {
      return InvalidParameters("Attribute name is too large, must be less than 65536 bytes");
    }
    TRY(AppendValueWithin(member, levels_left, values));
    names_and_ends.emplace_back(name, values.size());
  }

  std::size_t begin = 0;
  for (const auto& [name, end] : names_and_ends) {
    builder.Add(name, std::string_view(values).substr(begin, end - begin));
    begin = end;
  }
  return Ok();
}

Error DuplicateName() { return SerializationError("Duplicate field name in a map"); }

Status AppendMap(json::Value json, std::size_t levels_left, std::string& out) {
  if (!json.is_object()) return NotAMap(json);
  const json::Object members(json);
  std::string values;
  value::ItemBuilder builder;
  TRY(EncodeMembers(members, levels_left, values, builder));

  const std::size_t start = out.size();
  builder.AppendMapTo(out);
  const value::ValueView map(std::string_view(out).substr(start));
  if (map.count() != members.size()) return DuplicateName();
  return Ok();
}

Status AppendList(json::Value json, std::size_t levels_left, std::string& out) {
  if (!json.is_array()) return NotACollection(json);
  const std::size_t place = value::BeginContainer(out, value::Type::kL);
  std::uint32_t count = 0;
  for (const json::Value element : json::Array(json)) {
    TRY(AppendValueWithin(element, levels_left, out));
    ++count;
  }
  value::EndContainer(out, place, count);
  return Ok();
}

// "[a, b]": the elements as they were sent.
std::string TextOf(json::Array elements) {
  std::string text = "[";
  for (const json::Value element : elements) {
    if (text.size() > 1) text += ", ";
    text += std::string_view(element);
  }
  return text += "]";
}

Status AppendStringSet(json::Array json, std::string& out) {
  std::vector<std::string_view> elements;
  for (const json::Value element : json) {
    elements.push_back(TRY(StringOf(element)));
  }
  if (!value::SortedUnique(elements)) {
    return InvalidParameters(fmt::format("Input collection {} contains duplicates.", TextOf(json)));
  }
  value::AppendStringSet(out, value::Type::kSs, std::move(elements));
  return Ok();
}

Status AppendBinarySet(json::Array json, std::string& out) {
  std::vector<std::string> decoded;
  for (const json::Value element : json) {
    decoded.push_back(TRY(BinaryOf(element)));
  }
  std::vector<std::string_view> elements(decoded.begin(), decoded.end());
  if (!value::SortedUnique(elements)) {
    // The missing space is the service's.
    return InvalidParameters(
        fmt::format("Input collection {}of type BS contains duplicates.", TextOf(json)));
  }
  value::AppendStringSet(out, value::Type::kBs, std::move(elements));
  return Ok();
}

Status AppendNumberSet(json::Array json, std::string& out) {
  std::vector<value::Number> elements;
  for (const json::Value element : json) {
    const std::string_view text = TRY(StringOf(element));
    elements.push_back(TRY(value::Number::Parse(text)));
  }
  if (!value::SortedUnique(elements)) {
    return ValidationError("Input collection contains duplicates");
  }
  value::AppendNumberSet(out, std::move(elements));
  return Ok();
}

// The double space is the service's.
Error EmptySet(value::Type type) {
  if (type == value::Type::kBs) return InvalidParameters("Binary sets should not be empty");
  return InvalidParameters(
      fmt::format("An {} set  may not be empty", type == value::Type::kSs ? "string" : "number"));
}

Status AppendSet(value::Type type, json::Value json, std::string& out) {
  if (!json.is_array()) return NotACollection(json);
  const json::Array elements(json);
  if (elements.size() == 0) return EmptySet(type);
  for (const json::Value element : elements) {
    if (!element.is_null()) continue;
    return InvalidParameters(type == value::Type::kSs
                                 ? "An string set may not have a null string as a member"
                                 : "Supplied set must not contain null values");
  }
  if (type == value::Type::kSs) return AppendStringSet(elements, out);
  if (type == value::Type::kNs) return AppendNumberSet(elements, out);
  return AppendBinarySet(elements, out);
}

Status AppendMember(value::Type type, json::Value json, std::size_t levels_left, std::string& out) {
  switch (type) {
    case value::Type::kS:
      value::AppendString(out, TRY(StringOf(json)));
      return Ok();
    case value::Type::kN: {
      const std::string_view text = TRY(StringOf(json));
      value::AppendNumber(out, TRY(value::Number::Parse(text)));
      return Ok();
    }
    case value::Type::kB:
      value::AppendBinary(out, TRY(BinaryOf(json)));
      return Ok();
    case value::Type::kBool:
      value::AppendBool(out, TRY(BooleanOf(json)));
      return Ok();
    case value::Type::kNull: {
      const bool is_null = TRY(BooleanOf(json));
      if (!is_null) {
        return InvalidParameters("Null attribute value types must have the value of true");
      }
      value::AppendNull(out);
      return Ok();
    }
    case value::Type::kM:
      return AppendMap(json, levels_left - 1, out);
    case value::Type::kL:
      return AppendList(json, levels_left - 1, out);
    case value::Type::kSs:
    case value::Type::kNs:
    case value::Type::kBs:
      return AppendSet(type, json, out);
  }
  UNREACHABLE("a type that is not in the enum");
}

// A wrong value is reported before a second one is: the service looks into each member first.
Status AppendValueWithin(json::Value json, std::size_t levels_left, std::string& out) {
  if (levels_left == 0) return ValidationError(std::string(value::kTooDeepText));
  if (json.is_null()) return EmptyValue();
  if (!json.is_object()) return NotAValue(json);
  int types_set = 0;
  for (const auto& [name, member] : json::Object(json)) {
    const auto type = TypeOfName(name);
    if (!type || member.is_null()) continue;
    TRY(AppendMember(*type, member, levels_left, out));
    ++types_set;
  }
  if (types_set == 0) return EmptyValue();
  if (types_set > 1) {
    return ValidationError(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  return Ok();
}

void PutJson(value::ValueView value, json::Tail& out);

// The members of a map or item, without the braces.
void PutMembers(value::AttributeRange attributes, json::Tail& out) {
  bool needs_comma = false;
  for (const value::AttributeView attribute : attributes) {
    if (needs_comma) out.Put(',');
    needs_comma = true;
    out.PutQuoted(attribute.name);
    out.Put(':');
    PutJson(attribute.value, out);
  }
}

void PutElements(value::ValueView list, json::Tail& out) {
  std::string_view rest = list.contents();
  while (!rest.empty()) {
    PutJson(value::TakeValue(rest), out);
    if (!rest.empty()) out.Put(',');
  }
}

void PutNumber(std::string_view number, json::Tail& out) {
  std::string text;
  value::AppendNumberText(number, text);
  out.Put('"');
  out.Put(text);
  out.Put('"');
}

void PutBytes(std::string_view bytes, json::Tail& out) {
  out.Put('"');
  out.Put(Base64Encode(bytes));
  out.Put('"');
}

void PutSetElements(value::ValueView set, json::Tail& out) {
  const value::Type type = set.type();
  std::string_view rest = set.contents();
  while (!rest.empty()) {
    const std::string_view element = value::TakeElement(rest, type);
    if (type == value::Type::kSs) {
      out.PutQuoted(element);
    } else if (type == value::Type::kNs) {
      PutNumber(element, out);
    } else {
      PutBytes(element, out);
    }
    if (!rest.empty()) out.Put(',');
  }
}

// Text is put together by hand here: this is most of the work of every read.
void PutJson(value::ValueView value, json::Tail& out) {
  switch (value.type()) {
    case value::Type::kS:
      out.Put("{\"S\":");
      out.PutQuoted(value.text());
      out.Put('}');
      return;
    case value::Type::kN:
      out.Put("{\"N\":");
      PutNumber(value.number(), out);
      out.Put('}');
      return;
    case value::Type::kB:
      out.Put("{\"B\":");
      PutBytes(value.text(), out);
      out.Put('}');
      return;
    case value::Type::kBool:
      out.Put(value.boolean() ? std::string_view("{\"BOOL\":true}") : "{\"BOOL\":false}");
      return;
    case value::Type::kNull:
      out.Put("{\"NULL\":true}");
      return;
    case value::Type::kM:
      out.Put("{\"M\":{");
      PutMembers(value::AttributeRange(value.contents()), out);
      out.Put("}}");
      return;
    case value::Type::kL:
      out.Put("{\"L\":[");
      PutElements(value, out);
      out.Put("]}");
      return;
    case value::Type::kSs:
    case value::Type::kNs:
    case value::Type::kBs:
      out.Put("{\"");
      out.Put(value::TypeName(value.type()));
      out.Put("\":[");
      PutSetElements(value, out);
      out.Put("]}");
      return;
  }
}

// As JSON a value takes about twice its bytes.
std::size_t JsonBytes(std::string_view value) { return 2 * value.size() + 64; }

}  // namespace

Status CheckValueTypes(json::Value json) { return CheckValueTypesWithin(json, 0); }

Status CheckItemTypes(json::Value json) {
  if (json.is_null()) return Ok();
  return CheckMapTypes(json, 0);
}

Status AppendValue(json::Value json, std::string& out, std::size_t depth_max) {
  return AppendValueWithin(json, depth_max, out);
}

Result<value::Item> ParseItem(json::Object json) {
  std::string values;
  value::ItemBuilder builder;
  TRY(EncodeMembers(json, kDocumentDepthMax, values, builder));
  value::Item item = builder.Finish();
  if (item.view().count() != json.size()) return DuplicateName();
  return item;
}

void WriteValue(json::Writer& writer, value::ValueView value) {
  writer.Raw({});
  json::Tail out(writer.out(), JsonBytes(value.bytes()));
  PutJson(value, out);
}

void WriteItem(json::Writer& writer, value::ItemView item) {
  writer.Raw("{");
  json::Tail out(writer.out(), JsonBytes(item.bytes()));
  PutMembers(item.attributes(), out);
  out.Put('}');
}

}  // namespace trestle::protocol
