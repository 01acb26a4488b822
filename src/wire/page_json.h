#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/operation.h"

// What Query and Scan have in common.

namespace trestle::wire {

// Select together with the other parameters that choose attributes.
[[nodiscard]] Status ParseSelect(const json::Object& body, engine::PageRequest& request);

// ExclusiveStartKey.
[[nodiscard]] Status ParseStartKey(const json::Object& body, engine::PageRequest& request);

// Everything that is read without a way to fail, and the table's name.
[[nodiscard]] Status ParsePageOptions(const json::Object& body, const CallContext& context,
                                      engine::PageRequest& request);

void RenderPage(const CallContext& context, const engine::PageRequest& request,
                const engine::PageReply& reply, json::Writer& body);

}  // namespace trestle::wire
