#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/utf8.h"
#include "design/value_check_internal.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

constexpr std::size_t kIdBytesMax = 64;
constexpr std::size_t kEmailBytesMax = 254;
constexpr std::size_t kUrlBytesMax = 2048;

// What is wrong with a value; nothing when it is right.
struct Wrong {
  std::string message;
  std::string_view code;
};
using MaybeWrong = std::optional<Wrong>;

std::size_t CountCharacters(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins));
}

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
bool IsBlankOrControl(char c) { return c == ' ' || IsControl(c); }

std::string NumberWords(const value::Number& number) { return value::NumberText(number.encoded()); }

// "must have 1 to 300 characters", when the length is out of range.
MaybeWrong LengthFailure(std::size_t length, const ValueType& type, std::string_view unit) {
  const auto number = value::Number::FromInteger(static_cast<std::int64_t>(length));
  const bool is_short = type.min && number < *type.min;
  if (!is_short && !(type.max && number > *type.max)) return std::nullopt;
  const value::Number zero;
  const bool has_min = type.min && *type.min > zero;
  if (has_min && type.max && *type.min == *type.max) {
    return Wrong{fmt::format("must have {} {}", NumberWords(*type.min), unit), "range"};
  }
  if (has_min && type.max) {
    return Wrong{
        fmt::format("must have {} to {} {}", NumberWords(*type.min), NumberWords(*type.max), unit),
        "range"};
  }
  if (has_min)
    return Wrong{fmt::format("must have at least {} {}", NumberWords(*type.min), unit), "range"};
  return Wrong{fmt::format("must have at most {} {}", NumberWords(*type.max), unit), "range"};
}

MaybeWrong RangeFailure(const value::Number& number, const ValueType& type) {
  const bool is_small = type.min && number < *type.min;
  if (!is_small && !(type.max && number > *type.max)) return std::nullopt;
  if (type.min && type.max) {
    return Wrong{
        fmt::format("must be from {} to {}", NumberWords(*type.min), NumberWords(*type.max)),
        "range"};
  }
  if (type.min) return Wrong{fmt::format("must be at least {}", NumberWords(*type.min)), "range"};
  return Wrong{fmt::format("must be at most {}", NumberWords(*type.max)), "range"};
}

bool IsEmail(std::string_view text) {
  const std::size_t at = text.rfind('@');
  if (at == text.npos || at == 0 || at > 64 || text.size() > kEmailBytesMax) return false;
  const std::string_view domain = text.substr(at + 1);
  return std::ranges::none_of(text, IsBlankOrControl) && text.find('@') == at &&
         domain.find('.') != domain.npos && domain.front() != '.' && domain.back() != '.' &&
         domain.find("..") == domain.npos;
}

// A path of our own is one too: "/files/…". "//host" is not: it names another host.
bool IsUrl(std::string_view text) {
  if (text.size() > kUrlBytesMax || std::ranges::any_of(text, IsBlankOrControl)) return false;
  if (text.starts_with('/')) return !text.starts_with("//");
  for (const std::string_view scheme : {"https://", "http://"})
    if (text.starts_with(scheme)) return text.size() > scheme.size();
  return false;
}

MaybeWrong TextFailure(std::string_view text, const ValueType& type, std::string_view separator) {
  switch (type.kind) {
    case TypeKind::kId: {
      const auto is_wrong = [&](char c) {
        return IsControl(c) || separator.find(c) != separator.npos;
      };
      if (!text.empty() && text.size() <= kIdBytesMax && std::ranges::none_of(text, is_wrong)) {
        return std::nullopt;
      }
      return Wrong{fmt::format("must be an id: 1 to {} bytes, without {} and control characters",
                               kIdBytesMax, separator),
                   "format"};
    }
    case TypeKind::kEmail:
      if (IsEmail(text)) return std::nullopt;
      return Wrong{"must be an e-mail address", "format"};
    case TypeKind::kUrl:
      if (IsUrl(text)) return std::nullopt;
      return Wrong{"must be a web address that begins with https:// or http://", "format"};
    case TypeKind::kEnum:
      if (std::ranges::find(type.enum_values, text) != type.enum_values.end()) return std::nullopt;
      return Wrong{fmt::format("must be one of {}", fmt::join(type.enum_values, ", ")), "enum"};
    default:
      return LengthFailure(CountCharacters(text), type, "characters");
  }
}

MaybeWrong NumberFailure(ValueView value, const ValueType& type) {
  const value::Number number = DecodeNumber(value);
  const bool is_whole = NumberWords(number).find('.') == std::string::npos;
  if (type.kind == TypeKind::kInt && !is_whole) return Wrong{"must be a whole number", "type"};
  return RangeFailure(number, type);
}

struct Expected {
  Type type;
  std::string_view message;
};

// What a value of this kind is encoded as; times, sets and `any` have more than one form.
std::optional<Expected> ExpectedOf(TypeKind kind) {
  switch (kind) {
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kEnum:
      return Expected{Type::kS, "must be a text"};
    case TypeKind::kInt:
      return Expected{Type::kN, "must be a whole number"};
    case TypeKind::kNumber:
      return Expected{Type::kN, "must be a number"};
    case TypeKind::kBool:
      return Expected{Type::kBool, "must be true or false"};
    case TypeKind::kList:
      return Expected{Type::kL, "must be a list"};
    case TypeKind::kMap:
      return Expected{Type::kM, "must be a group of named values"};
    case TypeKind::kBinary:
      return Expected{Type::kB, "must be binary data"};
    default:
      return std::nullopt;
  }
}

MaybeWrong SetFailure(ValueView value, const ValueType& type) {
  const bool is_set =
      value.type() == Type::kSs || value.type() == Type::kNs || value.type() == Type::kBs;
  if (!is_set) return Wrong{"must be a set: different values of one kind, at least one", "type"};
  return LengthFailure(value.count(), type, "elements");
}

// A scalar against its type; nothing is wrong with it when there is no sentence.
MaybeWrong ScalarFailure(ValueView value, const ValueType& type, std::string_view separator) {
  switch (type.kind) {
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kEnum:
      return TextFailure(value.text(), type, separator);
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return NumberFailure(value, type);
    case TypeKind::kBinary:
      return LengthFailure(value.text().size(), type, "bytes");
    case TypeKind::kSet:
      return SetFailure(value, type);
    default:
      return std::nullopt;
  }
}

std::optional<std::string> CheckList(const ValueCheck& check, ValueView value,
                                     const ValueType& type, const std::string& field) {
  std::string list;
  const std::size_t place = value::BeginContainer(list, Type::kL);
  std::string_view rest = value.contents();
  bool is_right = true;
  for (std::uint32_t i = 0; i < value.count(); ++i) {
    const auto element =
        check.Check(value::TakeValue(rest), type.element.front(), fmt::format("{}[{}]", field, i));
    if (element) list += *element;
    is_right = is_right && element;
  }
  if (!is_right) return std::nullopt;
  value::EndContainer(list, place, value.count());
  return list;
}

}  // namespace

Error Failures::ToError() && {
  std::string message;
  for (const FieldFailure& failure : list_)
    message += fmt::format("{}{} {}", message.empty() ? "" : "; ", failure.field, failure.message);
  auto details = std::make_shared<ErrorDetails>();
  details->fields = std::move(list_);
  return {ErrorCode::kValidation, std::move(message), std::move(details)};
}

std::optional<std::string> ValueCheck::Check(ValueView value, const ValueType& type,
                                             const std::string& field) const {
  const auto expected = ExpectedOf(type.kind);
  if (expected && value.type() != expected->type) {
    failures.Add(field, std::string(expected->message), "type");
    return std::nullopt;
  }
  if (type.kind == TypeKind::kMap) return CheckMap(value, type, field);
  auto canonical = Canonical(value, type);
  auto failure = canonical.ok() ? ScalarFailure(ValueView(*canonical), type, separator)
                                : Wrong{canonical.error().message(), "format"};
  if (!failure && type.kind == TypeKind::kList) {
    failure = LengthFailure(value.count(), type, "elements");
  }
  if (failure) {
    failures.Add(field, failure->message, failure->code);
    return std::nullopt;
  }
  if (type.kind == TypeKind::kList) return CheckList(*this, value, type, field);
  return *std::move(canonical);
}

std::optional<std::string> ValueCheck::Check(ValueView value, const Attribute& attribute,
                                             const std::string& field) const {
  std::string normalised(value.bytes());
  if (!attribute.normalise.empty()) {
    auto result = Normalised(value, attribute);
    if (result.ok()) normalised = *std::move(result);
  }
  auto checked = Check(ValueView(normalised), attribute.type, field);
  const auto pattern = patterns.find(&attribute);
  if (!checked || attribute.pattern.empty()) return checked;
  const ValueView text(*checked);
  if (text.type() == Type::kS && pattern != patterns.end() && pattern->second.Finds(text.text())) {
    return checked;
  }
  failures.Add(field, fmt::format("must match {}", attribute.pattern), "pattern");
  return std::nullopt;
}

std::optional<std::string> ValueCheck::CheckMap(const std::optional<ValueView>& given,
                                                const ValueType& type,
                                                const std::string& field) const {
  const std::size_t failures_before = failures.size();
  std::map<std::string_view, std::string> members;
  for (const Attribute& member : type.members) {
    const std::string name = fmt::format("{}.{}", field, member.name);
    auto found = given ? given->Find(member.name) : std::nullopt;
    if (found && found->type() == Type::kNull) found.reset();
    auto value = found ? Check(*found, member, name) : Default(member, name);
    if (value) {
      members.emplace(member.name, *std::move(value));
    } else if (!found && !member.is_optional && member.derived == Derived::kNo) {
      failures.Add(name, "is required", "required");
    }
  }
  if (given) {
    for (const value::AttributeView it : value::AttributeRange(given->contents())) {
      const bool is_known = std::ranges::any_of(
          type.members, [&](const Attribute& member) { return member.name == it.name; });
      if (!is_known) {
        failures.Add(fmt::format("{}.{}", field, it.name), "is not known here", "unknown-field");
      }
    }
  }
  if (failures.size() != failures_before) return std::nullopt;
  value::ItemBuilder map;
  for (const auto& [name, value] : members)
    map.Add(name, value);
  std::string encoded;
  map.AppendMapTo(encoded);
  return encoded;
}

std::optional<std::string> ValueCheck::Default(const Attribute& attribute,
                                               const std::string& field) const {
  const auto& value = attribute.const_value ? attribute.const_value : attribute.default_value;
  if (value) {
    auto evaluated = Evaluate(*value, attribute.type, sources);
    if (evaluated.ok()) return *std::move(evaluated);
    failures.Add(field, evaluated.error().message(), "format");
    return std::nullopt;
  }
  if (attribute.type.kind != TypeKind::kMap || attribute.is_optional) return std::nullopt;
  // Counters need their map from the beginning. One whose members are required is not made up.
  Failures inside;
  const ValueCheck quiet{patterns, separator, sources, inside};
  return quiet.CheckMap(std::nullopt, attribute.type, field);
}

}  // namespace trestle::design
