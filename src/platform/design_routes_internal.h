#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "design/model.h"
#include "json/json.h"
#include "platform/call.h"

// The handlers of design_app.h. Those of entities, accesses and operations find theirs in the
// route's subject.

namespace trestle::platform {

[[nodiscard]] Status ShowDesign(Call& call, json::Writer& reply);

[[nodiscard]] Status PostEntity(Call& call, json::Writer& reply);
[[nodiscard]] Status GetEntity(Call& call, json::Writer& reply);
[[nodiscard]] Status PutEntity(Call& call, json::Writer& reply);
[[nodiscard]] Status PatchEntity(Call& call, json::Writer& reply);
[[nodiscard]] Status DeleteEntity(Call& call, json::Writer& reply);

[[nodiscard]] Status GetAccess(Call& call, json::Writer& reply);
[[nodiscard]] Status PostOperation(Call& call, json::Writer& reply);

// The name of `limit`, `cursor` or `order` in the query of an access: with a _ in front when the
// access has a parameter of that name.
[[nodiscard]] std::string PageParameter(const design::Access& access, std::string_view name);

// The error of a request without a body: what it says of fields it says of parameters.
[[nodiscard]] Error OfParameters(const Error& error);

// Refuses parameters of the query that are not `known`.
[[nodiscard]] Status CheckQuery(const Call& call, std::span<const std::string_view> known);

}  // namespace trestle::platform
