// The service's list of violated constraints: "2 validation errors detected: Value 'x' at
// 'returnValues' failed to satisfy constraint: ...; Value null at 'key' failed ...".

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/hash.h"
#include "wire/members.h"
#include "wire/shape.h"

namespace trestle::wire {
namespace {

constexpr std::size_t kViolationsMax = 10;

// Where a value stands, from the inside out. Lives on the stack of the walk, so that a request
// without violations costs no text. Looks into names of the document and of the shapes.
struct PathView {
  const PathView* parent = nullptr;
  std::string_view name;  // a member's name or a map's key
  enum class Step : std::uint8_t { kMember, kElement, kMapValue } step = Step::kMember;
  std::size_t index = 0;  // of a list's element
};

// "TableName" is "tableName" in the service's messages.
std::string JavaName(std::string_view member) {
  std::string name(member);
  if (name.front() >= 'A' && name.front() <= 'Z') {
    name.front() = static_cast<char>(name.front() - 'A' + 'a');
  }
  return name;
}

void AppendPath(const PathView& path, std::string& out) {
  if (path.parent != nullptr) AppendPath(*path.parent, out);
  if (!out.empty()) out.push_back('.');
  switch (path.step) {
    case PathView::Step::kMember:
      out += JavaName(path.name);
      return;
    case PathView::Step::kElement:
      out += fmt::format("{}.member", path.index + 1);
      return;
    case PathView::Step::kMapValue:
      out += fmt::format("{}.member", path.name);
      return;
  }
}

void AppendText(const Shape* shape, const json::Value& value, std::string& out);

// KeySchemaElement(attributeName=pk, keyType=HASH)
void AppendStructure(const Shape& shape, const json::Object& object, std::string& out) {
  out += shape.name;
  std::string_view separator = "(";
  for (const Member& member : shape.members) {
    out += fmt::format("{}{}=", std::exchange(separator, ", "), JavaName(member.name));
    if (const auto value = FindMember(object, member.name)) {
      AppendText(member.shape, *value, out);
    } else {
      out += "null";
    }
  }
  out.push_back(')');
}

// A value as the service's messages print it, which is how Java prints it. An attribute's value is
// its class and a number that stands for the object; here it depends on the contents alone.
void AppendText(const Shape* shape, const json::Value& value, std::string& out) {
  switch (value.type()) {
    case json::Type::STRING:
      out += std::string_view(value);
      return;
    case json::Type::ARRAY: {
      out.push_back('[');
      std::string_view separator;
      for (const json::Value element : json::Array(value)) {
        out += std::exchange(separator, ", ");
        AppendText(shape->element, element, out);
      }
      out.push_back(']');
      return;
    }
    case json::Type::OBJECT: {
      if (shape->kind == Kind::kStructure) return AppendStructure(*shape, AsObject(value), out);
      if (shape->kind == Kind::kAttributeValue) {
        out += fmt::format("com.amazonaws.dynamodb.v20120810.AttributeValue@{:x}",
                           static_cast<std::uint32_t>(StableHash(simdjson::minify(value))));
        return;
      }
      out.push_back('{');
      std::string_view separator;
      for (const auto& field : json::Object(value)) {
        out += std::exchange(separator, ", ");
        out += fmt::format("{}=", field.key);
        AppendText(shape->element, field.value, out);
      }
      out.push_back('}');
      return;
    }
    case json::Type::INT64:
    case json::Type::UINT64:
    case json::Type::DOUBLE:
    case json::Type::BOOL:
    case json::Type::NULL_VALUE:
      out += simdjson::minify(value);
      return;
  }
}

class Walk {
 public:
  void CheckStructure(const Shape& shape, const json::Object& object, const PathView* parent) {
    std::array<std::optional<json::Value>, kMembersMax> values;
    for (const auto& field : object) {
      const auto index = FindMemberIndex(shape, field.key);
      if (index && !field.value.is_null()) values[*index] = field.value;
    }
    for (std::size_t i = 0; i < shape.members.size(); ++i) {
      const Member& member = shape.members[i];
      const PathView path = {.parent = parent, .name = member.name};
      if (values[i]) {
        CheckValue(*member.shape, *values[i], path);
      } else if (member.presence == Presence::kRequired) {
        ViolateNull(path);
      }
      if (violations_.size() >= kViolationsMax) return;
    }
  }

  void CheckValue(const Shape& shape, const json::Value& value, const PathView& path);

  [[nodiscard]] Status Finish() const;

 private:
  void CheckElement(const Shape& shape, const json::Value& value, const PathView& path);
  void CheckText(const Shape& shape, const json::Value& value, const PathView& path);
  void CheckRange(const Shape& shape, const json::Value& value, const PathView& path);
  void CheckLength(const Shape& shape, const json::Value& value, std::size_t length,
                   const PathView& path);
  void CheckList(const Shape& shape, const json::Value& value, const PathView& path);
  void CheckMap(const Shape& shape, const json::Value& value, const PathView& path);

  void Violate(const Shape& shape, const json::Value& value, const PathView& path,
               std::string_view constraint);
  void ViolateNull(const PathView& path);

  std::vector<std::string> violations_;
};

void Walk::Violate(const Shape& shape, const json::Value& value, const PathView& path,
                   std::string_view constraint) {
  if (violations_.size() >= kViolationsMax) return;
  std::string text;
  AppendText(&shape, value, text);
  std::string where;
  AppendPath(path, where);
  violations_.push_back(
      fmt::format("Value '{}' at '{}' failed to satisfy constraint: {}", text, where, constraint));
}

void Walk::ViolateNull(const PathView& path) {
  std::string where;
  AppendPath(path, where);
  violations_.push_back(fmt::format(
      "Value null at '{}' failed to satisfy constraint: Member must not be null", where));
}

bool IsOneOf(std::span<const std::string_view> values, std::string_view text) {
  for (const std::string_view value : values) {
    if (value == text) return true;
  }
  return false;
}

// The service counts characters as Java does: two for those beyond the basic plane.
std::size_t Utf16Length(std::string_view text) {
  std::size_t length = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte & 0xc0) != 0x80) length += byte >= 0xf0 ? 2 : 1;
  }
  return length;
}

bool HasLength(const Shape& shape, std::size_t length) {
  const auto signed_length = static_cast<std::int64_t>(length);
  return signed_length >= shape.min && signed_length <= shape.max;
}

// The same of a text. A unit of its length takes one to three bytes, so most need no counting.
bool HasLength(const Shape& shape, std::string_view text) {
  const auto bytes = static_cast<std::int64_t>(text.size());
  return (bytes / 3 >= shape.min && bytes <= shape.max) || HasLength(shape, Utf16Length(text));
}

bool IsArn(std::string_view text) { return text.starts_with("arn:"); }

// Whether a text, or a value, keeps to what DescribeInner says of its shape.
bool IsAllowed(const Shape& shape, std::string_view text) {
  if (shape.table_name != TableNameRule::kNone && IsArn(text)) return true;
  return HasLength(shape, text) && (shape.pattern == nullptr || shape.pattern->matches(text));
}

bool IsAllowed(const Shape& shape, const json::Value& value) {
  if (value.is_null()) return true;
  return value.is_array() ? HasLength(shape, AsArray(value).size())
                          : IsAllowed(shape, AsString(value));
}

bool HasLimits(const Shape& shape) { return shape.min > 0; }

// What a list or map says of its elements or keys as a whole.
std::string DescribeInner(const Shape& shape) {
  std::string text = fmt::format(
      "[Member must have length less than or equal to {}, "
      "Member must have length greater than or equal to {}",
      shape.max, shape.min);
  if (shape.pattern != nullptr) {
    text +=
        fmt::format(", Member must satisfy regular expression pattern: {}", shape.pattern->text);
  }
  text.push_back(']');
  return text;
}

void Walk::CheckText(const Shape& shape, const json::Value& value, const PathView& path) {
  const std::string_view text = value;
  if (shape.table_name != TableNameRule::kNone && IsArn(text)) return;
  if (!shape.values.empty() && !IsOneOf(shape.values, text)) {
    Violate(shape, value, path,
            fmt::format("Member must satisfy enum value set: [{}]", fmt::join(shape.values, ", ")));
  }
  if (shape.pattern != nullptr && !shape.pattern->matches(text)) {
    Violate(shape, value, path,
            fmt::format("Member must satisfy regular expression pattern: {}", shape.pattern->text));
  }
  if (!HasLength(shape, text)) CheckLength(shape, value, Utf16Length(text), path);
}

void Walk::CheckLength(const Shape& shape, const json::Value& value, std::size_t length,
                       const PathView& path) {
  const auto signed_length = static_cast<std::int64_t>(length);
  if (signed_length < shape.min) {
    Violate(shape, value, path,
            fmt::format("Member must have length greater than or equal to {}", shape.min));
  }
  if (signed_length > shape.max) {
    Violate(shape, value, path,
            fmt::format("Member must have length less than or equal to {}", shape.max));
  }
}

void Walk::CheckRange(const Shape& shape, const json::Value& value, const PathView& path) {
  const std::int64_t number = AsInteger(value);
  if (number < shape.min) {
    Violate(shape, value, path,
            fmt::format("Member must have value greater than or equal to {}", shape.min));
  }
  if (number > shape.max) {
    Violate(shape, value, path,
            fmt::format("Member must have value less than or equal to {}", shape.max));
  }
}

void Walk::CheckList(const Shape& shape, const json::Value& value, const PathView& path) {
  const json::Array array = AsArray(value);
  CheckLength(shape, value, array.size(), path);
  const bool limits_texts = shape.element->kind == Kind::kString && HasLimits(*shape.element);
  bool elements_are_allowed = true;
  std::size_t index = 0;
  for (const json::Value element : array) {
    const PathView inner = {
        .parent = &path, .name = {}, .step = PathView::Step::kElement, .index = index++};
    if (limits_texts && !element.is_null()) {
      if (!IsAllowed(*shape.element, element)) elements_are_allowed = false;
    } else {
      CheckElement(*shape.element, element, inner);
    }
    if (violations_.size() >= kViolationsMax) return;
  }
  if (!elements_are_allowed) {
    Violate(shape, value, path,
            fmt::format("Member must satisfy constraint: {}", DescribeInner(*shape.element)));
  }
}

void Walk::CheckMap(const Shape& shape, const json::Value& value, const PathView& path) {
  const json::Object object = AsObject(value);
  CheckLength(shape, value, object.size(), path);
  bool keys_are_allowed = true;
  bool values_are_allowed = true;
  for (const auto& field : object) {
    if (shape.key != nullptr && !IsAllowed(*shape.key, field.key)) keys_are_allowed = false;
    if (HasLimits(*shape.element) && !IsAllowed(*shape.element, field.value)) {
      values_are_allowed = false;
    }
  }
  if (!keys_are_allowed) {
    Violate(shape, value, path,
            fmt::format("Map keys must satisfy constraint: {}", DescribeInner(*shape.key)));
  }
  if (!values_are_allowed) {
    Violate(shape, value, path,
            fmt::format("Map value must satisfy constraint: {}", DescribeInner(*shape.element)));
    return;
  }
  for (const auto& field : object) {
    const PathView inner = {
        .parent = &path, .name = field.key, .step = PathView::Step::kMapValue, .index = 0};
    CheckElement(*shape.element, field.value, inner);
    if (violations_.size() >= kViolationsMax) return;
  }
}

// Inside lists and maps nothing may be null, so that Parse meets values only.
void Walk::CheckElement(const Shape& shape, const json::Value& value, const PathView& path) {
  if (value.is_null()) {
    ViolateNull(path);
  } else {
    CheckValue(shape, value, path);
  }
}

void Walk::CheckValue(const Shape& shape, const json::Value& value, const PathView& path) {
  switch (shape.kind) {
    case Kind::kString:
      CheckText(shape, value, path);
      return;
    case Kind::kInteger:
    case Kind::kLong:
      CheckRange(shape, value, path);
      return;
    case Kind::kList:
      CheckList(shape, value, path);
      return;
    case Kind::kMap:
      // Items are read by protocol/attribute_json.h, which has its own rules.
      if (shape.element->kind != Kind::kAttributeValue) CheckMap(shape, value, path);
      return;
    case Kind::kStructure:
      CheckStructure(shape, AsObject(value), &path);
      return;
    case Kind::kBoolean:
    case Kind::kAttributeValue:
      return;
  }
}

Status Walk::Finish() const {
  if (violations_.empty()) return Ok();
  return ValidationError(fmt::format("{} validation error{} detected: {}", violations_.size(),
                                     violations_.size() == 1 ? "" : "s",
                                     fmt::join(violations_, "; ")));
}

// A table's name on its own, before the rest of the request is looked at.
Status CheckTableName(const Member& member, const json::Object& body) {
  const auto value = FindMember(body, member.name);
  const TableNameRule rule = member.shape->table_name;
  if (!value) {
    if (rule == TableNameRule::kConstraints) return Ok();
    return ValidationError(fmt::format(
        "The parameter '{}' is required but was not present in the request", member.name));
  }
  const std::string_view text = AsString(*value);
  if (rule == TableNameRule::kSentences && !IsArn(text) &&
      !HasLength(*member.shape, Utf16Length(text))) {
    return ValidationError(
        fmt::format("{} must be at least {} characters long and at most {} characters long",
                    member.name, member.shape->min, member.shape->max));
  }
  Walk walk;
  walk.CheckValue(*member.shape, *value, {.parent = nullptr, .name = member.name});
  return walk.Finish();
}

}  // namespace

Status CheckConstraints(const Shape& shape, const json::Object& body) {
  for (const Member& member : shape.members) {
    if (member.shape->table_name != TableNameRule::kNone) TRY(CheckTableName(member, body));
  }
  Walk walk;
  walk.CheckStructure(shape, body, nullptr);
  return walk.Finish();
}

}  // namespace trestle::wire
