#pragma once

#include "base/result.h"
#include "json/json.h"
#include "platform/app.h"
#include "platform/call.h"
#include "platform/jobs.h"
#include "platform/live.h"
#include "platform/openapi.h"

// Routes that apps have alike, beside kLiveRoute (live.h), kJobRoute (jobs.h) and
// kOpenApiRoute (openapi.h). An app's table
// lists those that it wants.

namespace trestle::platform {

// {"items": [{"type", "score", "highlights", "item"}], "total", "didYouMean", "nextCursor"}
[[nodiscard]] Status ShowSearch(Call& call, json::Writer& reply);
inline constexpr Route kSearchRoute = {
    .method = "GET",
    .path = "/search",
    .access = Access::kSignedIn,
    .handle = ShowSearch,
    .summary = "Finds what has these words, with typos and unfinished ones",
    .query = "q : string(1..400); type : string(1..40)?; sort : string(1..40)?",
    .is_list = true};

// Everything that the app knows of the caller.
[[nodiscard]] Status ShowExport(Call& call, json::Writer& reply);
inline constexpr Route kExportRoute = {.method = "GET",
                                       .path = "/export",
                                       .access = Access::kSignedIn,
                                       .handle = ShowExport,
                                       .summary = "Everything that is kept about the caller",
                                       .query = "format : enum(\"json\", \"csv\") = \"json\"",
                                       .gives = "text/csv"};

// Removes all of it, as a job.
[[nodiscard]] Status EraseMe(Call& call, json::Writer& reply);
inline constexpr Route kEraseRoute = {
    .method = "DELETE",
    .path = "/me",
    .access = Access::kSignedIn,
    .handle = EraseMe,
    .summary = "Removes everything that is kept about the caller"};
// The kind of the job that does it; every app with AppPeople::erase has it.
inline constexpr std::string_view kEraseJob = "erase";

}  // namespace trestle::platform
