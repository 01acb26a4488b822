#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "engine/request.h"
#include "engine/schema.h"
#include "engine/table_settings_internal.h"

// Key schemas and index definitions, which CreateTable and UpdateTable judge alike; for
// table_create.cc and table_update.cc alone.

namespace trestle::engine {

// "[a, b]", as the service lists names in its messages.
[[nodiscard]] std::string ListOf(const std::vector<std::string>& names);
[[nodiscard]] std::vector<std::string> NamesOf(std::span<const KeyAttribute> attributes);

struct ResolvedKey {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;
};

// How many attributes a key may have of each role.
enum class KeyShape { kSingle, kMultiple };

// Whether every attribute of the key is defined.
[[nodiscard]] Status CheckIsDefined(std::span<const KeySchemaElement> key_schema,
                                    std::span<const KeyAttribute> definitions);

// The key that a key schema names, with the types that the definitions give.
[[nodiscard]] Result<ResolvedKey> ResolveKey(std::span<const KeySchemaElement> key_schema,
                                             std::span<const KeyAttribute> definitions,
                                             KeyShape shape);

struct IndexContext {
  const std::vector<KeyAttribute>& definitions;
  const KeyAttribute& table_partition;
  BillingMode billing_mode;
  TableChange change;
};

// The index that one definition describes, ACTIVE and without an id.
[[nodiscard]] Result<IndexSchema> ResolveIndex(const IndexDefinition& definition,
                                               const IndexContext& context);

// Refuses indexes that together project more attributes than a table's may.
[[nodiscard]] Status CheckProjectedAttributes(std::span<const IndexSchema> indexes);

// The global index updates of an UpdateTable request: what is wrong with them whatever the table
// is, and what becomes of its indexes.
[[nodiscard]] Status CheckIndexUpdates(const UpdateTableRequest& request);
[[nodiscard]] Status ChangeIndexes(const UpdateTableRequest& request, std::int64_t now_unix_ms,
                                   TableSchema& schema);

}  // namespace trestle::engine
