#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"
#include "value/item.h"

// From what an item means to how it is stored; recognise.h is the way back.

namespace trestle::design {

// The table's key of a record, by the first form whose condition holds. kValidation names what it
// lacks.
[[nodiscard]] Result<value::Item> KeyOf(const Model& model, const ItemKind& kind,
                                        const std::vector<Attribute>& attributes,
                                        const Record& record);
[[nodiscard]] Result<value::Item> KeyOf(const Model& model, const Entity& entity,
                                        const Record& record);

// All of the item but the lock: keys of the table and of indexes, the tag, and the attributes that
// are not only in the key.
[[nodiscard]] Result<Record> StoredEntity(const Model& model, const Entity& entity,
                                          const Record& record);
// A mirror's item, or nothing when the record has none.
[[nodiscard]] Result<std::optional<Record>> StoredMirror(const Model& model, const Mirror& mirror,
                                                         const Record& record);

// An index with `shards n` spreads a partition over n: "STORY_LIST#0" to "STORY_LIST#<n-1>". An
// item keeps its shard, because its table key decides it.
[[nodiscard]] std::string ShardKey(const Model& model, std::string_view partition_key,
                                   std::int64_t shard);
[[nodiscard]] std::int64_t ShardOf(const value::Item& key, std::int64_t shards);

// What the rule keeps unique, as the key of the item that guards it; nothing when one of its
// attributes is absent.
[[nodiscard]] std::optional<value::Item> UniqueGuardKey(const Model& model, const Entity& entity,
                                                        const Unique& unique, const Record& record);
// The guard: its key, and the key of the item that it stands for as "~pk" and "~sk".
[[nodiscard]] value::Item UniqueGuard(const Model& model, const value::Item& guard_key,
                                      const value::Item& owner_key);

// The key of the parent that a child's record names; nothing when the relation does not hold for
// the child or it names none.
[[nodiscard]] std::optional<value::Item> ParentKey(const Model& model, const Relation& relation,
                                                   const Record& child);

// The table's key attributes of a stored item.
[[nodiscard]] value::Item KeyPart(const Model& model, value::ItemView item);

}  // namespace trestle::design
