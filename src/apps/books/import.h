#pragma once

#include <string_view>

#include "base/result.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"
#include "platform/jobs.h"

namespace trestle::apps::books {

// Books out of tables and files of this and other trackers.
[[nodiscard]] Status PostImport(platform::Call& call, json::Writer& reply);
[[nodiscard]] Result<platform::JobStep> ImportSome(const platform::Mount& mount,
                                                   platform::JobState& job);
inline constexpr std::string_view kImportJob = "import";

}  // namespace trestle::apps::books
