#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "json/json.h"

// Reads members of a JSON object that has passed CheckTypes (shape.h), so that a member is of its
// type or absent. Null counts as absent.

namespace trestle::wire {

[[nodiscard]] std::optional<json::Value> FindMember(const json::Object& object,
                                                    std::string_view name);

[[nodiscard]] std::optional<std::string_view> FindString(const json::Object& object,
                                                         std::string_view name);
// Decimals lose their fraction and what is out of range stops at its end.
[[nodiscard]] std::optional<std::int64_t> FindInteger(const json::Object& object,
                                                      std::string_view name);
// The texts "true" and "false" count as booleans, in any case.
[[nodiscard]] std::optional<bool> FindBool(const json::Object& object, std::string_view name);
[[nodiscard]] std::optional<json::Object> FindObject(const json::Object& object,
                                                     std::string_view name);
[[nodiscard]] std::optional<json::Array> FindArray(const json::Object& object,
                                                   std::string_view name);

// The conversions themselves, for elements of lists and maps.
[[nodiscard]] std::string_view AsString(const json::Value& value);
[[nodiscard]] std::int64_t AsInteger(const json::Value& value);
[[nodiscard]] bool AsBool(const json::Value& value);
[[nodiscard]] bool IsBooleanText(std::string_view text);
[[nodiscard]] json::Object AsObject(const json::Value& value);
[[nodiscard]] json::Array AsArray(const json::Value& value);

}  // namespace trestle::wire
