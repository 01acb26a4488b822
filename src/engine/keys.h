#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/schema.h"
#include "value/item.h"

// What a table's schema demands of keys and items, with the service's texts.

namespace trestle::engine {

// A key as GetItem, UpdateItem and DeleteItem take it: exactly the key attributes, each of its
// type, not empty, within its size.
[[nodiscard]] Status CheckKey(const TableSchema& table, value::ItemView key);

// The same, but whatever the values are.
[[nodiscard]] Status CheckKeyShape(const TableSchema& table, value::ItemView key);

// One value of a key, of the table or of an index: not empty, within its size.
[[nodiscard]] Status CheckPartitionValue(const KeyAttribute& attribute, value::ValueView key);
[[nodiscard]] Status CheckSortValue(const KeyAttribute& attribute, value::ValueView key);

// Whether a transaction fails as a whole because of this, and is not cancelled with a reason.
[[nodiscard]] bool FailsTransaction(const Error& error);

// An item as PutItem takes it: has its key attributes.
[[nodiscard]] Status CheckItemKey(const TableSchema& table, value::ItemView item);

// Key attributes of indexes, where an item has them, are of the index's type and not empty.
// `is_update` chooses the text that UpdateItem gives.
[[nodiscard]] Status CheckIndexKeys(const TableSchema& table, value::ItemView item, bool is_update);

// The key attributes of an item, alone.
[[nodiscard]] value::Item KeyOf(const TableSchema& table, value::ItemView item);

// The key attributes of an item in an index: the index's own and the table's.
[[nodiscard]] value::Item KeyOf(const TableSchema& table, const IndexSchema& index,
                                value::ItemView item);

}  // namespace trestle::engine
