#pragma once

#include <string>
#include <string_view>

#include "design/model.h"
#include "design/runtime.h"
#include "json/json.h"

// Items of a design as the routes of design_app.h show them.

namespace trestle::platform {

// What says of an item in a list which entity or mirror it is one of. No attribute is called so.
inline constexpr std::string_view kTypeMember = "@type";

// An object of the attributes as the design writes them, with kTypeMember and the lock.
void WriteTypedItem(const design::Model& model, const design::TypedItem& item,
                    json::Writer& writer);

// Where the item of an entity is below its design's app: "/<Entity>/<identity>…"
[[nodiscard]] std::string ItemPath(const design::Entity& entity, const design::Record& record);

}  // namespace trestle::platform
