#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "engine/request.h"
#include "trestle/items.h"
#include "trestle/result.h"

// What the engine answers, in the words of trestle/*.h.

namespace trestle::embed {

[[nodiscard]] Error ToOutput(const trestle::Error& error);

[[nodiscard]] std::optional<Item> ToOutput(const std::optional<value::Item>& item);

// Nothing for what was not asked for.
[[nodiscard]] std::optional<ConsumedCapacity> ToOutput(
    const std::optional<engine::ConsumedCapacity>& consumed, ReturnConsumedCapacity asked);
[[nodiscard]] std::vector<ConsumedCapacity> ToOutput(
    const std::vector<engine::ConsumedCapacity>& consumed, ReturnConsumedCapacity asked);

[[nodiscard]] ItemCollectionMetrics ToOutput(const engine::ItemCollectionMetrics& metrics);
// By table.
[[nodiscard]] std::map<std::string, std::vector<ItemCollectionMetrics>> ToOutput(
    const std::vector<engine::ItemCollectionMetrics>& metrics, ReturnItemCollectionMetrics asked);

}  // namespace trestle::embed
