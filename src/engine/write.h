#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "engine/group.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "engine/stream.h"
#include "value/item.h"

// The one write path. PutItem, UpdateItem, DeleteItem and the actions of batches and transactions
// differ only in how the new item is made from the old one.

namespace trestle::engine {

// What an action will do, decided but not yet part of the group.
struct Decision {
  std::shared_ptr<const TableSchema> table;
  std::string row;
  std::optional<value::Item> old_item;
  std::optional<value::Item> new_item;
  StreamEvent removal = StreamEvent::kRemove;  // what streams call it when the item goes
};

// What only the request and the schema can get wrong; nothing is read.
[[nodiscard]] Status CheckAction(const TableSchema& table, const WriteAction& action);

// Reads the item and decides. Fails with kConditionalCheckFailed when the condition does.
[[nodiscard]] Result<Decision> Decide(std::shared_ptr<const TableSchema> table,
                                      const WriteAction& action, const Group& group);

struct Applied {
  ConsumedCapacity consumed;                      // of one plain write
  std::uint64_t size_bytes = 0;                   // of the larger of the old and the new item
  std::optional<std::uint64_t> collection_bytes;  // of the item's collection, after the write
};

// Puts what was decided into the group: item, index rows, stream record, counters.
[[nodiscard]] Result<Applied> Apply(const Decision& decision, std::int64_t now_unix_ms,
                                    Group& group);

// Adds the row of an item that a new index holds; for the backfill.
void AddIndexRow(const TableSchema& table, const IndexSchema& index, value::ItemView item,
                 Group& group);

// The metrics of the collection that `item` (or its key) belongs to.
[[nodiscard]] ItemCollectionMetrics MetricsOf(const TableSchema& table, value::ItemView item,
                                              std::uint64_t size_bytes);

}  // namespace trestle::engine
