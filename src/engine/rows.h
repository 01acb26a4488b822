#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/schema.h"
#include "value/item.h"

// Where things lie in the store. A row's key begins with its kind and, for most, an id.
//
//   'c' table id                          a table's schema (schema.h)
//   'd' expiry id, number, hash, key      when an item expires (ttl.h)
//   'e' time u64be, token                 when a client token ends
//   'g' kind, id u32be                    rows that are to be removed: of a dropped table or index
//   'h' stream id                         a stream and its shards (stream_shards.h)
//   'i' table id, hash, key               an item
//   'm' name                              the next free id; the key of shard iterators
//   'n' table id                          a table's counters (counters.h)
//   's' stream id, sequence u64be         a stream record (stream.h)
//   't' token                             what a client token stood for (client_token.h)
//   'x' index id, hash, index key, key    an index row: the projected item
//   'z' table id, hash, partition         the size of an item collection
//
//   key    := partition component, sort component or nothing       (value/key_codec.h)
//   hash   := u64be, XXH3 of the partition components
//   number := the value of the TTL attribute, as it is stored       (value/number.h)
//
// An item's sort component is the row's last and has no end mark; in an index row the table's own
// sort component is. A released layout never changes; see docs/formats/keys.md.

namespace trestle::engine {

enum class RowKind : char {
  kCatalog = 'c',
  kExpiry = 'd',
  kTokenExpiry = 'e',
  kGarbage = 'g',
  kStreamState = 'h',
  kItem = 'i',
  kMeta = 'm',
  kCounters = 'n',
  kStream = 's',
  kToken = 't',
  kIndex = 'x',
  kCollection = 'z',
};

// Kind and id: what the rows of one table, index or stream begin with.
[[nodiscard]] std::string RowPrefix(RowKind kind, std::uint32_t id);
[[nodiscard]] inline std::string RowPrefix(RowKind kind, TableId id) {
  return RowPrefix(kind, static_cast<std::uint32_t>(id));
}
[[nodiscard]] inline std::string RowPrefix(RowKind kind, IndexId id) {
  return RowPrefix(kind, static_cast<std::uint32_t>(id));
}
[[nodiscard]] inline std::string RowPrefix(RowKind kind, ExpiryId id) {
  return RowPrefix(kind, static_cast<std::uint32_t>(id));
}

// The row of an item, from the item or its key. The key attributes have been checked.
[[nodiscard]] std::string ItemRow(const TableSchema& table, value::ItemView item);

// What all items of one partition begin with, from encoded partition key values.
[[nodiscard]] std::string PartitionPrefix(RowKind kind, std::uint32_t id,
                                          std::span<const value::ValueView> partition);

// The row that holds the size of the item's collection.
[[nodiscard]] std::string CollectionRow(const TableSchema& table, value::ItemView item);

// Whether the index holds this item: every key attribute present, of the index's type and not
// empty.
[[nodiscard]] bool IsIndexed(const IndexSchema& index, value::ItemView item);

// The index's row for an item that it holds.
[[nodiscard]] std::string IndexRow(const TableSchema& table, const IndexSchema& index,
                                   value::ItemView item);

// Whether the index keeps this attribute of the items that it holds.
[[nodiscard]] bool IsProjected(const TableSchema& table, const IndexSchema& index,
                               std::string_view attribute);

// What the index keeps of an item: its own and the table's keys, and what it projects.
[[nodiscard]] value::Item ProjectForIndex(const TableSchema& table, const IndexSchema& index,
                                          value::ItemView item);

// The row that says when an item expires. Nothing when it never does: its attribute is no number.
[[nodiscard]] std::optional<std::string> ExpiryRow(const TimeToLive& time_to_live,
                                                   std::string_view item_row, value::ItemView item);

// The first expiry row of items that expire at this second or later.
[[nodiscard]] std::string FirstExpiryRow(ExpiryId id, std::int64_t second);

// The row of the item that an expiry row speaks of.
[[nodiscard]] Result<std::string> ItemRowOf(const TableSchema& table, std::string_view expiry_row);

// The hash in the key of an item or index row.
[[nodiscard]] std::uint64_t RowHash(std::string_view row);

}  // namespace trestle::engine
