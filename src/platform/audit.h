#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/runtime.h"
#include "json/json.h"
#include "platform/call.h"

// What administrators have done, as AuditEntry of platform.design says it.

namespace trestle::platform {

struct Act {
  std::string_view action;      // of AuditEntry
  std::string_view actor = {};  // empty: who started the server
  std::string_view target = {};
  std::span<const std::string> groups = {};
  std::string_view app = {};
  std::string_view consumer = {};
};

// For the transaction of the act itself (WriteOptions::together_with).
[[nodiscard]] Result<design::WriteOptions> WithAudit(design::Runtime& platform, const Act& act);
// Of an act that is no write.
[[nodiscard]] Status WriteAudit(design::Runtime& platform, const Act& act);

// What somebody did stays, and says no more who it was.
[[nodiscard]] Status ForgetActor(design::Runtime& platform, const std::string& sub);

// A page of what was done, or of what was done to the account that `target` of the query names,
// with the names that people have now.
[[nodiscard]] Status ListAudit(Call& call, json::Writer& reply);

}  // namespace trestle::platform
