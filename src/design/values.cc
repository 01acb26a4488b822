#include "design/values.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "base/check.h"
#include "design/syntax/template_text.h"
#include "design/time_text.h"
#include "text/unicode.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

constexpr std::int64_t kMsPerSecond = 1000;

std::int64_t Milliseconds(const syntax::Duration& duration) {
  switch (duration.unit) {
    case syntax::TimeUnit::kSeconds:
      return duration.count * kMsPerSecond;
    case syntax::TimeUnit::kMinutes:
      return duration.count * 60 * kMsPerSecond;
    case syntax::TimeUnit::kHours:
      return duration.count * 3600 * kMsPerSecond;
    case syntax::TimeUnit::kDays:
      return duration.count * 86400 * kMsPerSecond;
  }
  return 0;
}

Result<std::string> CanonicalTimestamp(ValueView value, const ValueType& type) {
  if (type.is_epoch_seconds && value.type() == Type::kN) return std::string(value.bytes());
  const auto unix_ms = value.type() == Type::kS ? ParseTimestamp(value.text()) : std::nullopt;
  if (!unix_ms) {
    return ValidationError("must be a date with a time, such as 2026-01-15T10:30:00.000Z");
  }
  if (type.is_epoch_seconds) return EncodeInteger(*unix_ms / kMsPerSecond);
  return EncodeText(TimestampText(*unix_ms, type.precision));
}

Result<std::string> CanonicalDate(ValueView value) {
  if (value.type() != Type::kS || !IsDate(value.text())) {
    return ValidationError("must be a date, such as 2026-01-15");
  }
  return std::string(value.bytes());
}

Result<std::string> CanonicalMoment(ValueView value, const ValueType& type) {
  if (value.type() == Type::kS && IsDate(value.text())) return std::string(value.bytes());
  auto timestamp = CanonicalTimestamp(value, type);
  if (timestamp.ok()) return timestamp;
  return ValidationError(
      "must be a date, such as 2026-01-15, or one with a time, such as "
      "2026-01-15T10:30:00.000Z");
}

// A list as the set that it stands for, when its elements are of one type that sets can have. An
// empty set cannot be stored; it stays an empty list, which is refused or left out.
std::string SetOf(ValueView list) {
  std::vector<std::string_view> texts;
  std::vector<value::Number> numbers;
  std::string_view rest = list.contents();
  while (!rest.empty()) {
    const ValueView element = value::TakeValue(rest);
    if (element.type() == Type::kS) texts.push_back(element.text());
    if (element.type() == Type::kN) numbers.push_back(DecodeNumber(element));
  }
  std::string set;
  if (!texts.empty() && texts.size() == list.count() && value::SortedUnique(texts)) {
    value::AppendStringSet(set, Type::kSs, std::move(texts));
  } else if (!numbers.empty() && numbers.size() == list.count() && value::SortedUnique(numbers)) {
    value::AppendNumberSet(set, std::move(numbers));
  } else {
    set = list.bytes();
  }
  return set;
}

std::string TimeValue(std::int64_t unix_ms, const ValueType& type) {
  if (type.is_epoch_seconds) return EncodeInteger(unix_ms / kMsPerSecond);
  if (type.kind == TypeKind::kDate) return EncodeText(DateText(unix_ms));
  return EncodeText(TimestampText(unix_ms, type.precision));
}

// Evaluates one form of value each.
struct Evaluator {
  const ValueType& type;
  const ValueSources& sources;

  using Value = Result<std::optional<std::string>>;

  Value operator()(const syntax::Text& text) const {
    return std::optional(TRY(Canonical(ValueView(EncodeText(text.text)), type)));
  }

  Value operator()(const syntax::Number& number) const {
    return std::optional(EncodeNumber(TRY(value::Number::Parse(number.digits))));
  }

  Value operator()(const syntax::BoolValue& boolean) const {
    std::string value;
    value::AppendBool(value, boolean.value);
    return std::optional(std::move(value));
  }

  Value operator()(const syntax::NameValue& name) const {
    const bool is_parameter = FindParameter(sources.parameters, name.path) != nullptr;
    const Record* from = is_parameter ? sources.arguments : sources.item;
    const auto found = from == nullptr ? std::nullopt : from->Find(name.path);
    if (!found) return std::optional<std::string>();
    return std::optional(TRY(Canonical(*found, type)));
  }

  Value operator()(const syntax::CallValue& call) const {
    const std::int64_t now = sources.now_unix_ms + (call.plus ? Milliseconds(*call.plus) : 0);
    switch (call.function) {
      case syntax::Function::kNow:
        return std::optional(TimeValue(now, type));
      case syntax::Function::kToday:
        return std::optional(EncodeText(DateText(now)));
      case syntax::Function::kUuid:
        CHECK(sources.identifiers != nullptr, "an id is made where none can be");
        return std::optional(EncodeText(sources.identifiers->Uuid(now)));
      case syntax::Function::kUlid:
        CHECK(sources.identifiers != nullptr, "an id is made where none can be");
        return std::optional(EncodeText(sources.identifiers->Ulid(now)));
    }
    UNREACHABLE("a function without its value");
  }

  Value operator()(const syntax::ListValue& list) const {
    const bool has_element_type = type.kind == TypeKind::kList || type.kind == TypeKind::kSet;
    const ValueType any{.kind = TypeKind::kAny};
    const ValueType& element_type = has_element_type ? type.element.front() : any;
    std::string value;
    const std::size_t place = value::BeginContainer(value, Type::kL);
    std::uint32_t count = 0;
    for (const syntax::Value& element : list.elements) {
      const auto evaluated = TRY(Evaluate(element, element_type, sources));
      if (!evaluated) continue;
      value += *evaluated;
      ++count;
    }
    value::EndContainer(value, place, count);
    return std::optional(TRY(Canonical(ValueView(value), type)));
  }
};

}  // namespace

const Attribute* FindAttribute(std::span<const Attribute> attributes, const Path& path) {
  const Attribute* found = nullptr;
  for (const std::string& part : path.parts) {
    const auto it = std::ranges::find(attributes, part, &Attribute::name);
    if (it == attributes.end()) return nullptr;
    found = &*it;
    attributes = found->type.members;
  }
  return found;
}

const ValueType& TypeAt(std::span<const Attribute> attributes, const Path& path) {
  static const ValueType kAny{.kind = TypeKind::kAny};
  const Attribute* attribute = FindAttribute(attributes, path);
  return attribute == nullptr ? kAny : attribute->type;
}

const Parameter* FindParameter(std::span<const Parameter> parameters, const Path& path) {
  const auto found = std::ranges::find(parameters, path.parts.front(), &Parameter::name);
  return found == parameters.end() ? nullptr : &*found;
}

Result<std::optional<std::string>> Evaluate(const syntax::Value& value, const ValueType& type,
                                            const ValueSources& sources) {
  return std::visit(Evaluator{type, sources}, value.is);
}

Result<std::string> Canonical(ValueView value, const ValueType& type) {
  switch (type.kind) {
    case TypeKind::kTimestamp:
      return CanonicalTimestamp(value, type);
    case TypeKind::kDate:
      return CanonicalDate(value);
    case TypeKind::kMoment:
      return CanonicalMoment(value, type);
    case TypeKind::kSet:
      return value.type() == Type::kL ? SetOf(value) : std::string(value.bytes());
    default:
      return std::string(value.bytes());
  }
}

Result<std::string> Normalised(ValueView value, const Attribute& attribute) {
  if (attribute.normalise.empty() || value.type() != Type::kS) {
    return Canonical(value, attribute.type);
  }
  std::string text(value.text());
  for (const syntax::Normalisation step : attribute.normalise) {
    switch (step) {
      case syntax::Normalisation::kLower:
        text = text::Lower(text);
        break;
      case syntax::Normalisation::kTrim:
        text = std::string(text::Trim(text));
        break;
      case syntax::Normalisation::kNfc:
        text = text::Nfc(text);
        break;
    }
  }
  return Canonical(ValueView(EncodeText(text)), attribute.type);
}

std::string EncodeText(std::string_view text) {
  std::string value;
  value::AppendString(value, text);
  return value;
}

std::string EncodeNumber(const value::Number& number) {
  std::string value;
  value::AppendNumber(value, number);
  return value;
}

std::string EncodeInteger(std::int64_t integer) {
  return EncodeNumber(value::Number::FromInteger(integer));
}

value::Number DecodeNumber(ValueView value) {
  std::string_view bytes = value.number();
  auto number = value::Number::Take(bytes);
  CHECK(number.ok(), "a number of an item that is none");
  return *number;
}

}  // namespace trestle::design
