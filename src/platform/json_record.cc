#include "platform/json_record.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/crypto.h"
#include "base/limits.h"
#include "design/time_text.h"
#include "design/values.h"
#include "platform/problem.h"
#include "text/unicode.h"
#include "value/item_codec.h"

namespace trestle::platform {
namespace {

using design::TypeKind;
using design::ValueType;
using json::Tree;
using value::Type;
using value::ValueView;

const ValueType& Any() {
  static const ValueType kAny{.kind = TypeKind::kAny};
  return kAny;
}

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
char Lowered(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// A name as a part of a JSON pointer (RFC 6901).
std::string PointerPart(std::string_view name) {
  std::string part;
  for (const char c : name) {
    if (c == '~') {
      part += "~0";
    } else if (c == '/') {
      part += "~1";
    } else {
      part.push_back(c);
    }
  }
  return part;
}

const ValueType& ElementType(const ValueType& type) {
  return type.element.empty() ? Any() : type.element.front();
}

// Texts up to so long are one line.
constexpr std::int64_t kLineCharactersMax = 300;
constexpr std::string_view kSecret = "/password";  // is never touched

bool HasControls(std::string_view text, const ValueType& type) {
  const bool is_line = type.max && *type.max <= value::Number::FromInteger(kLineCharactersMax);
  const std::string_view allowed = is_line ? "" : "\n\r\t";
  return std::ranges::any_of(text, [&](char c) {
    const auto code = static_cast<unsigned char>(c);
    return (code < 0x20 || code == 0x7f) && allowed.find(c) == std::string_view::npos;
  });
}

// Encodes JSON as values, and collects what cannot be.
class Encoder {
 public:
  explicit Encoder(const Fields& fields) : style_(fields.style()), texts_(fields.texts()) {}

  // Nothing when it failed, or stands for something absent.
  std::optional<std::string> Encode(const Tree& tree, const ValueType& type,
                                    const std::string& pointer) {
    std::string out;
    if (const auto* boolean = tree.As<bool>()) {
      value::AppendBool(out, *boolean);
    } else if (const auto* number = tree.As<Tree::Number>()) {
      const auto parsed = value::Number::Parse(number->text);
      if (!parsed.ok()) return Fail(pointer, "range", NumberFailure());
      value::AppendNumber(out, *parsed);
    } else if (const auto* text = tree.As<std::string>()) {
      if (type.kind == TypeKind::kString && texts_ == TextStyle::kPlain && pointer != kSecret) {
        const std::string plain = text::Nfc(text::Trim(*text));
        if (HasControls(plain, type)) {
          return Fail(pointer, "characters", "must have no control characters");
        }
        value::AppendString(out, plain);
      } else if (type.kind != TypeKind::kBinary) {
        value::AppendString(out, *text);
      } else if (const auto bytes = Base64Decode(*text)) {
        value::AppendBinary(out, *bytes);
      } else {
        return Fail(pointer, "type", "must be base64 with its padding");
      }
    } else if (const auto* array = tree.As<Tree::Array>()) {
      return EncodeArray(*array, type, pointer);
    } else if (const auto* object = tree.As<Tree::Object>()) {
      return EncodeObject(*object, type, pointer);
    } else {
      value::AppendNull(out);
    }
    return out;
  }

  // The field of a member, or a failure.
  const Field* Find(const Fields& fields, const std::string& name, const std::string& pointer) {
    const Field* field = fields.Find(name);
    if (field == nullptr) Fail(pointer, "unknown-field", "is not known here");
    return field;
  }

  Status Finish() && {
    if (failures_.empty()) return Ok();
    auto details = std::make_shared<ErrorDetails>();
    std::string message = fmt::format("{} {}", failures_[0].field, failures_[0].message);
    details->fields = std::move(failures_);
    return Error(ErrorCode::kValidation, std::move(message), std::move(details));
  }

 private:
  static std::string NumberFailure() {
    return fmt::format("must have at most {} digits and lie between -1E126 and 1E126",
                       value::kNumberDigitsMax);
  }

  std::optional<std::string> Fail(const std::string& pointer, std::string_view code,
                                  std::string message) {
    failures_.push_back(
        {.field = pointer, .message = std::move(message), .code = std::string(code)});
    return std::nullopt;
  }

  std::optional<std::string> EncodeArray(const Tree::Array& array, const ValueType& type,
                                         const std::string& pointer) {
    std::string out;
    const bool is_set = type.kind == TypeKind::kSet;
    if (is_set && array.empty()) {  // no set is empty: it is absent
      value::AppendNull(out);
      return out;
    }
    if (++depth_ > kDocumentDepthMax) return TooDeep(pointer);
    const std::size_t place = value::BeginContainer(out, Type::kL);
    for (std::size_t i = 0; i < array.size(); ++i) {
      const auto element = Encode(array[i], ElementType(type), fmt::format("{}/{}", pointer, i));
      if (element) out += *element;
    }
    --depth_;
    value::EndContainer(out, place, static_cast<std::uint32_t>(array.size()));
    if (is_set && ElementType(type).kind == TypeKind::kBinary && failures_.empty()) {
      return BinarySet(ValueView(out), pointer);
    }
    return out;
  }

  std::optional<std::string> BinarySet(ValueView list, const std::string& pointer) {
    std::vector<std::string_view> elements;
    elements.reserve(list.count());
    std::string_view rest = list.contents();
    while (!rest.empty())
      elements.push_back(value::TakeValue(rest).text());
    if (!value::SortedUnique(elements)) {
      return Fail(pointer, "repeated", "must not hold an element twice");
    }
    std::string set;
    value::AppendStringSet(set, Type::kBs, std::move(elements));
    return set;
  }

  std::optional<std::string> EncodeObject(const Tree::Object& object, const ValueType& type,
                                          const std::string& pointer) {
    if (++depth_ > kDocumentDepthMax) return TooDeep(pointer);
    const bool has_members = type.kind == TypeKind::kMap;
    const Fields fields(type.members, style_);
    std::vector<std::pair<std::string, std::string>> encoded;
    encoded.reserve(object.size());
    for (const json::Member& member : object) {
      const std::string at = fmt::format("{}/{}", pointer, PointerPart(member.name));
      const Field* field = has_members ? Find(fields, member.name, at) : nullptr;
      if (has_members && field == nullptr) continue;
      auto value = Encode(member.value, has_members ? *field->type : Any(), at);
      if (value && ValueView(*value).type() == Type::kNull) continue;
      if (value) encoded.emplace_back(has_members ? *field->name : member.name, *std::move(value));
    }
    --depth_;
    value::ItemBuilder map;
    for (const auto& [name, value] : encoded)
      map.Add(name, value);
    std::string out;
    map.AppendMapTo(out);
    return out;
  }

  std::optional<std::string> TooDeep(const std::string& pointer) {
    --depth_;
    return Fail(pointer, "depth", "nests too deeply");
  }

  NameStyle style_;
  TextStyle texts_;
  std::size_t depth_ = 1;
  std::vector<FieldFailure> failures_;
};

void AddChanges(const Tree::Object& body, const Fields& fields, const design::Path& parent,
                const std::string& pointer, Encoder& encoder, design::Changes& changes) {
  for (const json::Member& member : body) {
    const std::string at = fmt::format("{}/{}", pointer, PointerPart(member.name));
    const Field* field = encoder.Find(fields, member.name, at);
    if (field == nullptr) continue;
    design::Path path = parent;
    path.parts.push_back(*field->name);
    const auto* object = member.value.As<Tree::Object>();
    if (object != nullptr && field->type->kind == TypeKind::kMap) {
      AddChanges(*object, Fields(field->type->members, fields.style(), fields.texts()), path, at,
                 encoder, changes);
      continue;
    }
    auto value = encoder.Encode(member.value, *field->type, at);
    if (!value) continue;
    if (ValueView(*value).type() == Type::kNull) {
      changes.remove.push_back(std::move(path));
    } else {
      changes.set.push_back({std::move(path), *std::move(value)});
    }
  }
}

// Times that are kept as a number of seconds.
std::optional<std::string> EpochText(ValueView value, const ValueType& type) {
  if (!type.is_epoch_seconds || value.type() != Type::kN) return std::nullopt;
  const std::string digits = value::NumberText(value.number());
  constexpr std::size_t kDigitsMax = 12;  // of the year 9999: beyond, it is left a number
  if (digits.size() > kDigitsMax || digits.find_first_not_of("0123456789") != digits.npos) {
    return std::nullopt;
  }
  return design::TimestampText(std::stoll(digits) * 1000, type.precision);
}

void WriteValue(ValueView value, const ValueType& type, NameStyle style, json::Writer& writer) {
  if (const auto time = EpochText(value, type)) return writer.String(*time);
  switch (value.type()) {
    case Type::kS:
      return writer.String(value.text());
    case Type::kN:
      return writer.Raw(value::NumberText(value.number()));
    case Type::kB:
      return writer.String(Base64Encode(value.text()));
    case Type::kBool:
      return writer.Bool(value.boolean());
    case Type::kNull:
      return writer.Null();
    case Type::kM:
      writer.BeginObject();
      for (const value::AttributeView member : value::AttributeRange(value.contents())) {
        const auto known = std::ranges::find(type.members, member.name, &design::Attribute::name);
        const bool is_known = known != type.members.end();
        writer.Key(is_known ? FieldName(member.name, style) : std::string(member.name));
        WriteValue(member.value, is_known ? known->type : Any(), style, writer);
      }
      return writer.EndObject();
    case Type::kL: {
      writer.BeginArray();
      std::string_view rest = value.contents();
      while (!rest.empty())
        WriteValue(value::TakeValue(rest), ElementType(type), style, writer);
      return writer.EndArray();
    }
    case Type::kSs:
    case Type::kNs:
    case Type::kBs: {
      writer.BeginArray();
      std::string_view rest = value.contents();
      while (!rest.empty()) {
        const std::string_view element = value::TakeElement(rest, value.type());
        if (value.type() == Type::kNs) {
          writer.Raw(value::NumberText(element));
        } else {
          writer.String(value.type() == Type::kBs ? Base64Encode(element) : std::string(element));
        }
      }
      return writer.EndArray();
    }
  }
}

Result<std::string> ListFromText(std::string_view text, const ValueType& type) {
  std::string list;
  const std::size_t place = value::BeginContainer(list, Type::kL);
  std::uint32_t count = 0;
  while (!text.empty()) {
    const std::string_view element = text.substr(0, text.find(','));
    text.remove_prefix(std::min(element.size() + 1, text.size()));
    list += TRY(ValueFromText(element, ElementType(type)));
    ++count;
  }
  value::EndContainer(list, place, count);
  return list;
}

}  // namespace

std::string FieldName(std::string_view attribute, NameStyle style) {
  std::string name(attribute);
  if (style == NameStyle::kAsWritten) return name;
  // The capitals at the front, up to the one that begins the next word: OwnerName, ISBNNumber.
  for (std::size_t i = 0; i < name.size() && IsUpper(attribute[i]); ++i) {
    const bool begins_word = i > 0 && i + 1 < name.size() && IsLower(attribute[i + 1]);
    if (begins_word) break;
    name[i] = Lowered(name[i]);
  }
  return name;
}

Fields::Fields(std::span<const design::Attribute> attributes, NameStyle style, TextStyle texts)
    : style_(style), texts_(texts) {
  fields_.reserve(attributes.size());
  for (const design::Attribute& attribute : attributes)
    fields_.push_back({&attribute.name, &attribute.type});
}

Fields::Fields(std::span<const design::Parameter> parameters, NameStyle style) : style_(style) {
  fields_.reserve(parameters.size());
  for (const design::Parameter& parameter : parameters)
    fields_.push_back({&parameter.name, &parameter.type});
}

const Field* Fields::Find(std::string_view json_name) const {
  const auto found = std::ranges::find_if(fields_, [&](const Field& field) {
    return style_ == NameStyle::kAsWritten ? *field.name == json_name
                                           : FieldName(*field.name, style_) == json_name;
  });
  return found == fields_.end() ? nullptr : &*found;
}

Result<design::Record> RecordFromJson(const Tree::Object& body, const Fields& fields) {
  Encoder encoder(fields);
  design::Record record;
  for (const json::Member& member : body) {
    const std::string at = fmt::format("/{}", PointerPart(member.name));
    const Field* field = encoder.Find(fields, member.name, at);
    if (field == nullptr) continue;
    auto value = encoder.Encode(member.value, *field->type, at);
    if (value) record.Set(*field->name, *std::move(value));
  }
  TRY(std::move(encoder).Finish());
  return record;
}

Result<design::Changes> ChangesFromJson(const Tree::Object& body, const Fields& fields) {
  Encoder encoder(fields);
  design::Changes changes;
  AddChanges(body, fields, {}, "", encoder, changes);
  TRY(std::move(encoder).Finish());
  return changes;
}

Result<std::string> ValueFromText(std::string_view text, const ValueType& type) {
  std::string out;
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber: {
      const auto number = value::Number::Parse(text);
      if (!number.ok()) return ValidationError("must be a number");
      value::AppendNumber(out, *number);
      return out;
    }
    case TypeKind::kBool:
      if (text != "true" && text != "false") return ValidationError("must be true or false");
      value::AppendBool(out, text == "true");
      return out;
    case TypeKind::kBinary: {
      const auto bytes = Base64UrlDecode(text);
      if (!bytes) return ValidationError("must be base64url without padding");
      value::AppendBinary(out, *bytes);
      return out;
    }
    case TypeKind::kList:
    case TypeKind::kSet:
      return ListFromText(text, type);
    case TypeKind::kMap:
      return ValidationError("cannot be given in an address");
    default:
      value::AppendString(out, text);
      return out;
  }
}

std::string TextOfValue(ValueView value) {
  switch (value.type()) {
    case Type::kS:
      return std::string(value.text());
    case Type::kB:
      return Base64UrlEncode(value.text());
    case Type::kN:
      return value::NumberText(value.number());
    case Type::kBool:
      return value.boolean() ? "true" : "false";
    default:
      return {};
  }
}

void WriteMembers(const design::Record& record, const Fields& fields, json::Writer& writer,
                  const IsShown& is_shown) {
  for (const Field& field : fields.list()) {
    const auto value = record.Find(*field.name);
    if (!value || (is_shown && !is_shown(*field.name))) continue;
    writer.Key(FieldName(*field.name, fields.style()));
    WriteValue(*value, *field.type, fields.style(), writer);
  }
}

Error WithJsonNames(const Error& error, NameStyle style) {
  const ErrorDetails* details = error.details();
  if (style == NameStyle::kAsWritten || details == nullptr || details->fields.empty()) return error;
  auto renamed = std::make_shared<ErrorDetails>(*details);
  for (FieldFailure& failure : renamed->fields) {
    if (failure.field.empty() || failure.field.front() == '/') continue;
    std::string field;
    std::string_view rest = failure.field;
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find('.'));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      field += (field.empty() ? "" : ".") + FieldName(part, style);
    }
    failure.field = std::move(field);
  }
  return {error.code(), error.message(), std::move(renamed)};
}

}  // namespace trestle::platform
