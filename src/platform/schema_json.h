#pragma once

#include <span>
#include <string>

#include "design/model.h"
#include "json/json.h"

// Types of a design as JSON Schema 2020-12.

namespace trestle::platform {

// The members of a schema, into an object that is open. `is_nullable`: null removes the value.
void WriteTypeSchema(const design::ValueType& type, std::string_view pattern, bool is_nullable,
                     json::Writer& writer);

enum class SchemaUse { kShown, kNew, kPatch };

// The schema of an entity's items in one of their uses, as a whole object.
void WriteEntitySchema(const design::Model& model, const design::Entity& entity, SchemaUse use,
                       json::Writer& writer);

// The schema of an object of parameters.
void WriteParametersSchema(std::span<const design::Parameter> parameters, json::Writer& writer);

// A value of the type, as JSON.
[[nodiscard]] std::string ExampleOf(const design::ValueType& type);

}  // namespace trestle::platform
