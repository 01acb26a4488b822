#pragma once

#include <string>
#include <string_view>

#include "design/backend.h"
#include "design/key_template.h"
#include "json/json.h"

// What the exports have in common: quoted texts, DynamoDB's words and JSON forms.

namespace trestle::design {

// In double quotes, as JSON and TypeScript write a text.
[[nodiscard]] std::string Quoted(std::string_view text);

// "S", "N" or "B".
[[nodiscard]] std::string_view TypeWord(KeyType type);
// "NEW_AND_OLD_IMAGES" and so on.
[[nodiscard]] std::string_view ViewTypeWord(StreamImages images);
// "ALL", "KEYS_ONLY" or "INCLUDE".
[[nodiscard]] std::string_view ProjectionWord(IndexSettings::Projection projection);

// The template's text with each placeholder's name between `open` and `close`.
[[nodiscard]] std::string WithParameters(const KeyTemplate& text, std::string_view open,
                                         std::string_view close);

// [{"AttributeName":"PK","AttributeType":"S"}, …]
void WriteKeyTypes(const TableSettings& settings, json::Writer& json);
// {"ProjectionType":"INCLUDE","NonKeyAttributes":["a"]}
void WriteProjection(const IndexSettings& index, json::Writer& json);

}  // namespace trestle::design
