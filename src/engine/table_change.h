#pragma once

#include <cstdint>

#include "base/result.h"
#include "engine/request.h"
#include "engine/schema.h"

// What a table becomes by CreateTable and UpdateTable: the service's rules about schemas, as pure
// functions, each rule with the service's text and in the service's order. That a name is free, or
// that the table exists, is the caller's to find out.

namespace trestle::engine {

// The table that the request describes. Ids and uuid are left to the caller, and the statuses are
// ACTIVE.
[[nodiscard]] Result<TableSchema> PlanCreate(const CreateTableRequest& request,
                                             std::int64_t now_unix_ms);

// What can be wrong with the request whatever the table is. The service finds it before it finds
// that there is no such table.
[[nodiscard]] Status CheckUpdate(const UpdateTableRequest& request);

// The table after the change; a request that CheckUpdate refuses is refused here too. A new index
// is CREATING, backfilling, without an id, and the last one; an index to be deleted is DELETING
// until the caller has removed its rows and takes it out. A new stream has no id.
[[nodiscard]] Result<TableSchema> PlanUpdate(const TableSchema& current,
                                             const UpdateTableRequest& request,
                                             std::int64_t now_unix_ms);

// kResourceInUse unless the table is ACTIVE: it cannot be changed or deleted before.
[[nodiscard]] Status CheckIsActive(const TableSchema& schema);

}  // namespace trestle::engine
