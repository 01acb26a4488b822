#pragma once

#include <span>
#include <string>
#include <string_view>

#include "design/model.h"
#include "json/json.h"
#include "platform/json_record.h"

// Types of a design as JSON Schema 2020-12.

namespace trestle::platform {

// The members of a schema, into an object that is open. `is_nullable`: null removes the value.
void WriteTypeSchema(const design::ValueType& type, std::string_view pattern, bool is_nullable,
                     json::Writer& writer);

enum class SchemaUse { kShown, kNew, kPatch };

// How an app shows an entity (ItemView).
struct SchemaStyle {
  NameStyle names = NameStyle::kAsWritten;
  std::string_view hidden = {};
  std::string_view read_only = {};
  bool is_open = false;  // there are members that are computed
};

// The schema of an entity's items in one of their uses, as a whole object.
void WriteEntitySchema(const design::Model& model, const design::Entity& entity, SchemaUse use,
                       const SchemaStyle& style, json::Writer& writer);

// The schema of an object of parameters.
void WriteParametersSchema(std::span<const design::Parameter> parameters, json::Writer& writer);

// A value of the type, as JSON.
[[nodiscard]] std::string ExampleOf(const design::ValueType& type);

}  // namespace trestle::platform
