#pragma once

#include "design/model.h"
#include "json/json.h"
#include "platform/app.h"

namespace trestle::platform {

// The routes of an app over a design as OpenAPI 3.1: a path for each, and three schemas for each
// entity: what is shown (Note), what creates one (Note.New) and what changes one (Note.Patch).
void WriteOpenApi(const App& app, const design::Model& model, json::Writer& writer);

}  // namespace trestle::platform
