#pragma once

#include <cstdint>

#include "base/result.h"
#include "engine/catalog.h"
#include "engine/request.h"
#include "storage/store.h"

// Reads of items by their keys.

namespace trestle::engine {

[[nodiscard]] Result<GetReply> ReadItem(const storage::Store& store, const Catalog& catalog,
                                        const GetRequest& request, std::int64_t now_unix_ms);

[[nodiscard]] Result<BatchGetReply> ReadBatch(const storage::Store& store, const Catalog& catalog,
                                              const BatchGetRequest& request,
                                              std::int64_t now_unix_ms);

// All items of one moment.
[[nodiscard]] Result<TransactGetReply> ReadTransaction(const storage::Store& store,
                                                       const Catalog& catalog,
                                                       const TransactGetRequest& request,
                                                       std::int64_t now_unix_ms);

}  // namespace trestle::engine
