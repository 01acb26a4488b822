#pragma once

#include "base/result.h"
#include "design/model.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"

namespace trestle::platform {

// The routes of an app over a design as OpenAPI 3.1: a path for each, and three schemas for each
// entity: what is shown (Note), what creates one (Note.New) and what changes one (Note.Patch).
void WriteOpenApi(const App& app, const design::Model& model, json::Writer& writer);

[[nodiscard]] Status ShowOpenApi(Call& call, json::Writer& reply);
inline constexpr Route kOpenApiRoute = {.method = "GET",
                                        .path = "/openapi.json",
                                        .access = Access::kPublic,
                                        .handle = ShowOpenApi,
                                        .summary = "This description"};

}  // namespace trestle::platform
