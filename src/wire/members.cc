#include "wire/members.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace trestle::wire {
namespace {

std::int64_t Truncated(double number) {
  constexpr double kEnd = 9223372036854775808.0;
  if (std::isnan(number)) return 0;
  if (number >= kEnd) return std::numeric_limits<std::int64_t>::max();
  if (number < -kEnd) return std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(number);
}

bool IsTextOf(std::string_view text, std::string_view lower_case) {
  return std::ranges::equal(text, lower_case, {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

}  // namespace

std::optional<json::Value> FindMember(const json::Object& object, std::string_view name) {
  json::Value value;
  if (object.at_key(name).get(value) != simdjson::SUCCESS || value.is_null()) return std::nullopt;
  return value;
}

std::string_view AsString(const json::Value& value) {
  std::string_view text;
  CHECK(value.get(text) == simdjson::SUCCESS, "a string, by CheckTypes");
  return text;
}

std::int64_t AsInteger(const json::Value& value) {
  switch (value.type()) {
    case json::Type::INT64: {
      std::int64_t integer = 0;
      CHECK(value.get(integer) == simdjson::SUCCESS, "an integer");
      return integer;
    }
    case json::Type::UINT64:
      return std::numeric_limits<std::int64_t>::max();
    default: {
      double number = 0;
      CHECK(value.get(number) == simdjson::SUCCESS, "a number, by CheckTypes");
      return Truncated(number);
    }
  }
}

bool AsBool(const json::Value& value) {
  bool boolean = false;
  if (value.get(boolean) == simdjson::SUCCESS) return boolean;
  return IsTextOf(AsString(value), "true");
}

bool IsBooleanText(std::string_view text) {
  return IsTextOf(text, "true") || IsTextOf(text, "false");
}

json::Object AsObject(const json::Value& value) {
  json::Object object;
  CHECK(value.get(object) == simdjson::SUCCESS, "an object, by CheckTypes");
  return object;
}

json::Array AsArray(const json::Value& value) {
  json::Array array;
  CHECK(value.get(array) == simdjson::SUCCESS, "an array, by CheckTypes");
  return array;
}

std::optional<std::string_view> FindString(const json::Object& object, std::string_view name) {
  const auto value = FindMember(object, name);
  if (!value) return std::nullopt;
  return AsString(*value);
}

std::optional<std::int64_t> FindInteger(const json::Object& object, std::string_view name) {
  const auto value = FindMember(object, name);
  if (!value) return std::nullopt;
  return AsInteger(*value);
}

std::optional<bool> FindBool(const json::Object& object, std::string_view name) {
  const auto value = FindMember(object, name);
  if (!value) return std::nullopt;
  return AsBool(*value);
}

std::optional<json::Object> FindObject(const json::Object& object, std::string_view name) {
  const auto value = FindMember(object, name);
  if (!value) return std::nullopt;
  return AsObject(*value);
}

std::optional<json::Array> FindArray(const json::Object& object, std::string_view name) {
  const auto value = FindMember(object, name);
  if (!value) return std::nullopt;
  return AsArray(*value);
}

}  // namespace trestle::wire
