#pragma once

#include <span>
#include <string>

#include "design/model.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/json_record.h"

// Items of a design as the routes of design_app.h show them.

namespace trestle::platform {

// What says of an item in a list which entity or mirror it is one of. No attribute is called so.
inline constexpr std::string_view kTypeMember = "@type";

// The entity itself, or the one that a mirror is of.
[[nodiscard]] const design::Entity& EntityOf(const design::KindReference& kind);

// An object of the attributes, and the lock's value under its own name. `names_type`: with
// kTypeMember.
void WriteItem(const design::Model& model, const design::TypedItem& item, bool names_type,
               json::Writer& writer);
[[nodiscard]] std::string ItemBody(const design::Model& model, const design::TypedItem& item);

// "/api/<design>/v1/<Entity>/<identity>…"
[[nodiscard]] std::string ItemAddress(const App& app, const design::Entity& entity,
                                      const design::Record& record);

}  // namespace trestle::platform
