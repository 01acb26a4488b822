#include <variant>

#include "design/exports/table_words_internal.h"
#include "design/syntax/template_text.h"

namespace trestle::design {

std::string Quoted(std::string_view text) {
  std::string out;
  json::AppendQuoted(out, text);
  return out;
}

std::string_view TypeWord(KeyType type) {
  switch (type) {
    case KeyType::kString:
      return "S";
    case KeyType::kNumber:
      return "N";
    case KeyType::kBinary:
      return "B";
  }
  return "S";
}

std::string_view ViewTypeWord(StreamImages images) {
  switch (images) {
    case StreamImages::kNone:
      return "";
    case StreamImages::kKeys:
      return "KEYS_ONLY";
    case StreamImages::kOld:
      return "OLD_IMAGE";
    case StreamImages::kNew:
      return "NEW_IMAGE";
    case StreamImages::kNewAndOld:
      return "NEW_AND_OLD_IMAGES";
  }
  return "";
}

std::string_view ProjectionWord(IndexSettings::Projection projection) {
  switch (projection) {
    case IndexSettings::Projection::kAll:
      return "ALL";
    case IndexSettings::Projection::kKeys:
      return "KEYS_ONLY";
    case IndexSettings::Projection::kInclude:
      return "INCLUDE";
  }
  return "ALL";
}

std::string WithParameters(const KeyTemplate& text, std::string_view open, std::string_view close) {
  std::string out;
  for (const auto& part : text.parts()) {
    if (const auto* literal = std::get_if<std::string>(&part)) {
      out += *literal;
    } else {
      const auto& path = std::get<syntax::Placeholder>(part).path;
      out.append(open).append(syntax::PathText(path)).append(close);
    }
  }
  return out;
}

void WriteKeyTypes(const TableSettings& settings, json::Writer& json) {
  json.BeginArray();
  for (const auto& [name, type] : settings.key_types) {
    json.BeginObject();
    json.Key("AttributeName");
    json.String(name);
    json.Key("AttributeType");
    json.String(TypeWord(type));
    json.EndObject();
  }
  json.EndArray();
}

void WriteProjection(const IndexSettings& index, json::Writer& json) {
  json.BeginObject();
  json.Key("ProjectionType");
  json.String(ProjectionWord(index.projection));
  if (index.projection == IndexSettings::Projection::kInclude) {
    json.Key("NonKeyAttributes");
    json.BeginArray();
    for (const std::string& name : index.include)
      json.String(name);
    json.EndArray();
  }
  json.EndObject();
}

}  // namespace trestle::design
