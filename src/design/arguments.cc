#include "design/arguments.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "design/values.h"

namespace trestle::design {
namespace {

using value::Type;
using value::ValueView;

constexpr std::size_t kIdBytesMax = 64;

bool IsControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// What is wrong with a text; nothing when it is fine.
std::optional<std::string> TextFailure(const ValueType& type, std::string_view text,
                                       std::string_view separator) {
  if (text.empty()) return "must not be empty";
  if (type.kind == TypeKind::kId &&
      (text.size() > kIdBytesMax || text.find(separator) != text.npos ||
       std::ranges::any_of(text, IsControl))) {
    return fmt::format("must be an id: 1 to {} bytes without {} and control characters",
                       kIdBytesMax, separator);
  }
  if (type.kind == TypeKind::kEnum &&
      std::ranges::find(type.enum_values, text) == type.enum_values.end()) {
    return fmt::format("must be one of {}", fmt::join(type.enum_values, ", "));
  }
  return std::nullopt;
}

std::optional<std::string> Failure(const ValueType& type, ValueView value,
                                   std::string_view separator) {
  const auto must_be = [&](Type expected, std::string_view words) {
    return value.type() == expected ? std::nullopt
                                    : std::optional(fmt::format("must be {}", words));
  };
  switch (type.kind) {
    case TypeKind::kInt:
    case TypeKind::kNumber:
      return must_be(Type::kN, "a number");
    case TypeKind::kBool:
      return must_be(Type::kBool, "true or false");
    case TypeKind::kBinary:
      return must_be(Type::kB, "binary");
    case TypeKind::kTimestamp:
      if (type.is_epoch_seconds) return must_be(Type::kN, "a time");
      [[fallthrough]];
    case TypeKind::kString:
    case TypeKind::kId:
    case TypeKind::kEmail:
    case TypeKind::kUrl:
    case TypeKind::kDate:
    case TypeKind::kMoment:
    case TypeKind::kEnum:
      if (value.type() != Type::kS) return "must be a text";
      return TextFailure(type, value.text(), separator);
    case TypeKind::kList:
    case TypeKind::kSet:
    case TypeKind::kMap:
    case TypeKind::kAny:
      return std::nullopt;
  }
  UNREACHABLE("a type without its values");
}

// The parameter's argument as it is compared and written into keys.
Result<std::string> Prepare(const Access& access, const Parameter& parameter, ValueView given,
                            std::string_view separator) {
  const Attribute* attribute = FindResultAttribute(access, parameter.name);
  const bool is_of_attribute = attribute != nullptr && attribute->type.kind == parameter.type.kind;
  std::string value =
      is_of_attribute ? TRY(Normalised(given, *attribute)) : TRY(Canonical(given, parameter.type));
  auto failure = Failure(parameter.type, ValueView(value), separator);
  if (failure) return ValidationError(*std::move(failure));
  return value;
}

}  // namespace

const Attribute* FindResultAttribute(const Access& access, std::string_view name) {
  for (const KindReference& kind : access.results) {
    const Entity& entity = kind.of();
    const auto found = std::ranges::find(entity.attributes, name, &Attribute::name);
    if (found != entity.attributes.end()) return &*found;
  }
  return nullptr;
}

Result<Record> CheckArguments(const Model& model, const Access& access, const Record& arguments) {
  Record checked;
  std::vector<FieldFailure> failures;
  for (const Parameter& parameter : access.parameters) {
    const auto given = arguments.Find(parameter.name);
    if (!given) {
      if (!parameter.is_optional) failures.push_back({parameter.name, "is missing", "required"});
      continue;
    }
    auto value = Prepare(access, parameter, *given, model.table.separator);
    if (value.ok()) {
      checked.Set(parameter.name, *std::move(value));
    } else {
      failures.push_back({parameter.name, value.error().message()});
    }
  }
  for (const auto& [name, value] : arguments.attributes())
    if (std::ranges::find(access.parameters, name, &Parameter::name) == access.parameters.end())
      failures.push_back(
          {std::string(name), fmt::format("is no parameter of {}", access.name), "unknown-field"});
  if (failures.empty()) return checked;

  std::string sentence = fmt::format("{} {}", failures.front().field, failures.front().message);
  ErrorDetails details;
  details.fields = std::move(failures);
  return Error(ErrorCode::kValidation, std::move(sentence),
               std::make_shared<const ErrorDetails>(std::move(details)));
}

}  // namespace trestle::design
