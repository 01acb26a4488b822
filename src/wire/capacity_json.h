#pragma once

#include <optional>
#include <vector>

#include "engine/request.h"
#include "json/json.h"

// ConsumedCapacity and ItemCollectionMetrics, as members of a reply. Nothing is written for what
// was not asked for.

namespace trestle::wire {

// Of an operation on one table.
void WriteConsumedCapacity(json::Writer& body, engine::ReturnConsumedCapacity asked,
                           const std::optional<engine::ConsumedCapacity>& consumed);

// Transactions tell read and write units apart.
enum class UnitNames { kTotal, kReadAndWrite };

// Of an operation on several tables.
void WriteConsumedCapacities(json::Writer& body, engine::ReturnConsumedCapacity asked,
                             const std::vector<engine::ConsumedCapacity>& consumed,
                             UnitNames names);

void WriteItemCollectionMetrics(json::Writer& body,
                                const std::optional<engine::ItemCollectionMetrics>& metrics);
// By table; those of one table stand together.
void WriteItemCollectionMetrics(json::Writer& body, engine::ReturnItemCollectionMetrics asked,
                                const std::vector<engine::ItemCollectionMetrics>& metrics);

}  // namespace trestle::wire
