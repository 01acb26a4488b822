// What UpdateTable does to global indexes.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.h"
#include "engine/index_definition_internal.h"
#include "engine/table_settings_internal.h"

namespace trestle::engine {
namespace {

Error OnlyOneIndex() {
  return {ErrorCode::kLimitExceeded,
          "Subscriber limit exceeded: Only 1 online index can be created or deleted "
          "simultaneously per table"};
}

const std::string& NameOf(const GlobalIndexUpdate& update) {
  if (update.create) return update.create->name;
  if (update.update) return update.update->name;
  return *update.remove;
}

Status CheckIndexUpdate(const GlobalIndexUpdate& update) {
  const int action_count =
      update.create.has_value() + update.update.has_value() + update.remove.has_value();
  if (action_count == 0) {
    return InvalidParameter(
        "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
        "GlobalSecondaryIndexUpdate.Delete must not be null");
  }
  if (action_count > 1) {
    return InvalidParameter(
        "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
  }
  if (update.update && update.update->warm && !HasUnits(*update.update->warm)) {
    return InvalidParameter(fmt::format(
        "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
        "specified for index: {}",
        update.update->name));
  }
  return Ok();
}

Result<IndexSchema*> FindGlobalIndex(std::string_view name, std::string_view verb,
                                     TableSchema& schema) {
  const auto found = std::ranges::find(schema.indexes, name, &IndexSchema::name);
  if (found == schema.indexes.end()) {
    return Error(
        ErrorCode::kResourceNotFound,
        fmt::format("Requested resource not found: Index {} for table {}", name, schema.name));
  }
  if (!found->is_global) {
    return ValidationError(
        fmt::format("Cannot {} an index that is not a GlobalSecondaryIndex: {}", verb, name));
  }
  return &*found;
}

// Definitions that the indexes need join those that the table has; the others are of no interest.
void MergeDefinitions(const IndexSchema& index, TableSchema& schema) {
  for (const auto* attributes : {&index.partition, &index.sort}) {
    for (const KeyAttribute& attribute : *attributes) {
      const auto known =
          std::ranges::find(schema.attribute_definitions, attribute.name, &KeyAttribute::name);
      if (known == schema.attribute_definitions.end()) {
        schema.attribute_definitions.push_back(attribute);
      }
    }
  }
  std::ranges::sort(schema.attribute_definitions, {}, &KeyAttribute::name);
}

bool IsUsed(const KeyAttribute& definition, const TableSchema& schema) {
  if (schema.IsKeyAttribute(definition.name)) return true;
  return std::ranges::any_of(schema.indexes, [&](const IndexSchema& index) {
    return index.status != IndexStatus::kDeleting &&
           (std::ranges::find(index.partition, definition) != index.partition.end() ||
            std::ranges::find(index.sort, definition) != index.sort.end());
  });
}

Status CheckNoIndexIsOnline(const TableSchema& schema) {
  const bool is_online = std::ranges::any_of(schema.indexes, [](const IndexSchema& index) {
    return index.status == IndexStatus::kCreating || index.status == IndexStatus::kDeleting;
  });
  if (is_online) return OnlyOneIndex();
  return Ok();
}

std::string TextOf(std::span<const KeyAttribute> partition, std::span<const KeyAttribute> sort) {
  std::vector<std::string> elements;
  const auto add = [&](const KeyAttribute& attribute, std::string_view role) {
    elements.push_back(fmt::format("SchemaElement: key{{{}:{}:{}}}", attribute.name,
                                   value::TypeName(attribute.type), role));
  };
  for (const KeyAttribute& attribute : partition)
    add(attribute, "HASH");
  for (const KeyAttribute& attribute : sort)
    add(attribute, "RANGE");
  return fmt::format("Schema:[{}]", fmt::join(elements, ", "));
}

// An attribute that is part of a key has one type, in the table and all of its indexes.
Status CheckNotRedefined(const IndexSchema& index, const TableSchema& schema) {
  const auto is_redefined = [&](const KeyAttribute& attribute) {
    const auto known =
        std::ranges::find(schema.attribute_definitions, attribute.name, &KeyAttribute::name);
    return known != schema.attribute_definitions.end() && known->type != attribute.type;
  };
  if (std::ranges::none_of(index.partition, is_redefined) &&
      std::ranges::none_of(index.sort, is_redefined)) {
    return Ok();
  }
  std::vector<KeyAttribute> sort;
  if (schema.sort) sort.push_back(*schema.sort);
  return InvalidParameter(
      fmt::format("Attributes cannot be redefined. Please check that your attribute has the same "
                  "type as previously defined. Existing schema: {} New schema: {}",
                  TextOf({&schema.partition, 1}, sort), TextOf(index.partition, index.sort)));
}

Status CreateIndex(const IndexDefinition& definition, const UpdateTableRequest& request,
                   TableSchema& schema) {
  if (schema.FindIndex(definition.name) != nullptr) {
    return ValidationError("Attempting to create an index which already exists");
  }
  TRY(CheckNoIndexIsOnline(schema));
  const std::vector<KeyAttribute>& definitions = *request.attribute_definitions;
  TRY(CheckIsDefined(definition.key_schema, definitions));
  IndexSchema index = TRY(ResolveIndex(definition, {.definitions = definitions,
                                                    .table_partition = schema.partition,
                                                    .billing_mode = schema.billing_mode,
                                                    .change = TableChange::kUpdate}));
  TRY(CheckNotRedefined(index, schema));
  const auto global_count = std::ranges::count(schema.indexes, true, &IndexSchema::is_global);
  if (static_cast<std::size_t>(global_count) >= kGlobalSecondaryIndexesMax) {
    return Error(ErrorCode::kLimitExceeded,
                 fmt::format("Subscriber limit exceeded: Number of global secondary indexes "
                             "exceeds per-table limit of {}",
                             kGlobalSecondaryIndexesMax));
  }
  index.status = IndexStatus::kCreating;
  index.is_backfilling = true;
  MergeDefinitions(index, schema);
  schema.indexes.push_back(std::move(index));
  return CheckProjectedAttributes(schema.indexes);
}

Status DeleteIndex(const std::string& name, TableSchema& schema) {
  IndexSchema* index = TRY(FindGlobalIndex(name, "delete", schema));
  TRY(CheckNoIndexIsOnline(schema));
  index->status = IndexStatus::kDeleting;
  index->is_backfilling = false;
  std::erase_if(schema.attribute_definitions,
                [&](const KeyAttribute& definition) { return !IsUsed(definition, schema); });
  return Ok();
}

Status ChangeIndexThroughput(const ProvisionedThroughput& requested, std::int64_t now_unix_ms,
                             IndexSchema& index) {
  TRY(CheckCapacityUnits(requested, index.name));
  if (IsSame(requested, index.throughput)) {
    return WillNotChange(index.throughput, "index", " " + index.name);
  }
  ChangeThroughput(requested, now_unix_ms, index.throughput);
  RaiseWarm(InitialWarmThroughput(BillingMode::kProvisioned, index.throughput), index.warm);
  return Ok();
}

Status ChangeIndex(const GlobalIndexUpdate::Change& change, std::int64_t now_unix_ms,
                   TableSchema& schema) {
  IndexSchema* index = TRY(FindGlobalIndex(change.name, "update", schema));
  const bool is_on_demand = schema.billing_mode == BillingMode::kPayPerRequest;
  if (is_on_demand && !HasLimits(change.on_demand) && !change.warm) {
    return InvalidParameter(
        fmt::format("The only Updates for index: {} when TableThroughputMode is PAY_PER_REQUEST "
                    "can be to OnDemandThroughput, WarmThroughput",
                    change.name));
  }
  const ThroughputOwner owner = {
      .index = change.name, .billing_mode = schema.billing_mode, .change = TableChange::kUpdate};
  if (change.throughput || (!HasLimits(change.on_demand) && !change.warm)) {
    TRY(CheckIndexThroughput(change.throughput, owner));
    TRY(ChangeIndexThroughput(*change.throughput, now_unix_ms, *index));
  }
  TRY(CheckOnDemand(change.on_demand, owner));
  if (change.on_demand) ChangeOnDemand(*change.on_demand, index->on_demand);
  if (!change.warm) return Ok();
  TRY(CheckWarm(*change.warm, index->warm.value_or(WarmThroughput()), owner));
  RaiseWarm(*change.warm, index->warm);
  return Ok();
}

}  // namespace

Status CheckIndexUpdates(const UpdateTableRequest& request) {
  if (request.global_index_updates->empty()) {
    return InvalidParameter("List of GlobalSecondaryIndexUpdates is empty");
  }
  std::set<std::string> names;
  std::size_t online_count = 0;
  for (const GlobalIndexUpdate& update : *request.global_index_updates) {
    TRY(CheckIndexUpdate(update));
    if (!names.insert(NameOf(update)).second) {
      return InvalidParameter(fmt::format(
          "Only one global secondary index update per index is allowed simultaneously. Index: {}",
          NameOf(update)));
    }
    if (update.create && !request.attribute_definitions) {
      return InvalidParameter(
          fmt::format("AttributeDefinitions is not specified for index: {}", NameOf(update)));
    }
    if (!update.update) ++online_count;
  }
  if (online_count > 1) return OnlyOneIndex();
  return Ok();
}

Status ChangeIndexes(const UpdateTableRequest& request, std::int64_t now_unix_ms,
                     TableSchema& schema) {
  if (!request.global_index_updates) return Ok();
  for (const GlobalIndexUpdate& update : *request.global_index_updates) {
    if (update.create) TRY(CreateIndex(*update.create, request, schema));
    if (update.update) TRY(ChangeIndex(*update.update, now_unix_ms, schema));
    if (update.remove) TRY(DeleteIndex(*update.remove, schema));
  }
  return Ok();
}

}  // namespace trestle::engine
