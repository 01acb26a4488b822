#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/request.h"
#include "json/json.h"
#include "wire/operation.h"

// PutItem and DeleteItem: both write a whole item, and can only answer with the old one.

namespace trestle::wire {

// `member` is where the item stands, or its key.
[[nodiscard]] Result<engine::WriteRequest> ParseWholeItemWrite(const json::Object& body,
                                                               const CallContext& context,
                                                               engine::WriteKind kind,
                                                               std::string_view member);

void RenderWholeItemWrite(const CallContext& context, const engine::WriteRequest& request,
                          const engine::WriteReply& reply, json::Writer& body);

}  // namespace trestle::wire
