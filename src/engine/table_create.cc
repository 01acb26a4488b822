// CreateTable's rules.

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/limits.h"
#include "engine/index_definition_internal.h"
#include "engine/table_change.h"
#include "engine/table_settings_internal.h"
#include "engine/tags.h"

namespace trestle::engine {
namespace {

Status CheckDefinitionsAreUnique(const std::vector<KeyAttribute>& definitions) {
  std::set<std::string_view> names;
  for (const KeyAttribute& definition : definitions) {
    if (!names.insert(definition.name).second) {
      return ValidationError(fmt::format("Attribute Name is duplicated: {}", definition.name));
    }
  }
  return Ok();
}

// Each name once, in the order of its first use.
void AddNames(const std::vector<KeySchemaElement>& key_schema, std::vector<std::string>& names) {
  for (const KeySchemaElement& element : key_schema) {
    if (std::ranges::find(names, element.attribute) == names.end()) {
      names.push_back(element.attribute);
    }
  }
}

// Every key attribute is defined and every definition is used. The service finds this out before
// it looks at anything else of an index.
Status CheckDefinitions(const CreateTableRequest& request) {
  std::vector<std::string> used;
  AddNames(request.key_schema, used);
  for (const auto* indexes : {&request.local_indexes, &request.global_indexes}) {
    if (!*indexes) continue;
    for (const IndexDefinition& index : **indexes) {
      TRY(CheckIsDefined(index.key_schema, request.attribute_definitions));
      AddNames(index.key_schema, used);
    }
  }
  if (used.size() == request.attribute_definitions.size()) return Ok();
  if (!request.local_indexes && !request.global_indexes) {
    return InvalidParameter(
        "Number of attributes in KeySchema does not exactly match number of attributes defined in "
        "AttributeDefinitions");
  }
  return InvalidParameter(
      fmt::format("Some AttributeDefinitions are not used. AttributeDefinitions: {}, keys used: {}",
                  ListOf(NamesOf(request.attribute_definitions)), ListOf(used)));
}

Status CheckIndexLists(const CreateTableRequest& request, const ResolvedKey& key) {
  if (request.local_indexes) {
    if (request.local_indexes->empty()) {
      return InvalidParameter("List of LocalSecondaryIndexes is empty");
    }
    if (key.sort.empty()) {
      return InvalidParameter(
          "Table KeySchema does not have a range key, which is required when specifying a "
          "LocalSecondaryIndex");
    }
  }
  if (request.global_indexes && request.global_indexes->empty()) {
    return InvalidParameter("List of GlobalSecondaryIndexes is empty");
  }
  return Ok();
}

Status AddIndexes(const std::vector<IndexDefinition>& definitions, TableSchema& schema) {
  const IndexContext context = {.definitions = schema.attribute_definitions,
                                .table_partition = schema.partition,
                                .billing_mode = schema.billing_mode,
                                .change = TableChange::kCreate};
  for (const IndexDefinition& definition : definitions) {
    IndexSchema index = TRY(ResolveIndex(definition, context));
    if (schema.FindIndex(definition.name) != nullptr) {
      return InvalidParameter(fmt::format("Duplicate index name: {}", definition.name));
    }
    schema.indexes.push_back(std::move(index));
  }
  return CheckProjectedAttributes(schema.indexes);
}

Status AddAllIndexes(const CreateTableRequest& request, TableSchema& schema) {
  if (request.local_indexes) {
    TRY(AddIndexes(*request.local_indexes, schema));
    if (request.local_indexes->size() > kLocalSecondaryIndexesMax) {
      return InvalidParameter(
          fmt::format("Number of LocalSecondaryIndexes exceeds per-table limit of {}",
                      kLocalSecondaryIndexesMax));
    }
  }
  if (request.global_indexes) {
    TRY(AddIndexes(*request.global_indexes, schema));
    if (request.global_indexes->size() > kGlobalSecondaryIndexesMax) {
      return InvalidParameter(
          fmt::format("GlobalSecondaryIndex count exceeds the per-table limit of {}",
                      kGlobalSecondaryIndexesMax));
    }
  }
  return Ok();
}

Status CheckStream(const StreamSpecification& stream) {
  if (stream.is_enabled && !stream.view_type) {
    return InvalidParameter(
        "Table is being created with a stream enabled, UpdateViewType is required");
  }
  if (!stream.is_enabled && stream.view_type) {
    return InvalidParameter(
        "Table is being created with a stream disabled, UpdateViewType should not be specified");
  }
  return Ok();
}

// What is neither key nor index, once all of it is known to be right.
void SetSettings(const CreateTableRequest& request, std::int64_t now_unix_ms, TableSchema& schema) {
  schema.created_unix_ms = now_unix_ms;
  if (schema.billing_mode == BillingMode::kPayPerRequest) {
    schema.has_billing_summary = true;
    schema.billing_changed_unix_ms = now_unix_ms;
  }
  schema.throughput = request.throughput.value_or(ProvisionedThroughput());
  if (request.on_demand) ChangeOnDemand(*request.on_demand, schema.on_demand);
  RaiseWarm(InitialWarmThroughput(schema.billing_mode, schema.throughput), schema.warm);
  if (request.warm) RaiseWarm(*request.warm, schema.warm);
  schema.table_class = request.table_class;
  schema.deletion_protection = request.deletion_protection.value_or(false);
  if (request.sse) schema.sse_kms_key = KmsKeyOf(*request.sse);
  if (request.stream && request.stream->is_enabled) {
    schema.stream = NewStream(*request.stream, now_unix_ms);
  }
  schema.tags = request.tags;
}

}  // namespace

Result<TableSchema> PlanCreate(const CreateTableRequest& request, std::int64_t now_unix_ms) {
  const BillingMode billing_mode = request.billing_mode.value_or(BillingMode::kProvisioned);
  const ThroughputOwner owner = {
      .index = "", .billing_mode = billing_mode, .change = TableChange::kCreate};
  TRY(CheckTableThroughput(request.throughput, billing_mode));
  TRY(CheckOnDemand(request.on_demand, owner));
  if (request.warm) {
    TRY(CheckWarm(
        *request.warm,
        InitialWarmThroughput(billing_mode, request.throughput.value_or(ProvisionedThroughput())),
        owner));
  }

  TRY(CheckDefinitionsAreUnique(request.attribute_definitions));
  const ResolvedKey key =
      TRY(ResolveKey(request.key_schema, request.attribute_definitions, KeyShape::kSingle));
  TRY(CheckIndexLists(request, key));
  TRY(CheckDefinitions(request));

  TableSchema schema;
  schema.name = request.table;
  schema.partition = key.partition[0];
  if (!key.sort.empty()) schema.sort = key.sort[0];
  schema.attribute_definitions = request.attribute_definitions;
  schema.billing_mode = billing_mode;
  TRY(AddAllIndexes(request, schema));
  std::ranges::sort(schema.attribute_definitions, {}, &KeyAttribute::name);

  if (request.stream) TRY(CheckStream(*request.stream));
  if (request.sse) TRY(CheckSse(*request.sse));
  TRY(CheckTags(request.tags));
  SetSettings(request, now_unix_ms, schema);
  return schema;
}

Status CheckIsActive(const TableSchema& schema) {
  const auto in_use = [&](std::string_view verb) {
    return Error(ErrorCode::kResourceInUse,
                 fmt::format("Attempt to change a resource which is still in use: Table is being "
                             "{}: {}",
                             verb, schema.name));
  };
  switch (schema.status) {
    case TableStatus::kActive:
      return Ok();
    case TableStatus::kCreating:
      return in_use("created");
    case TableStatus::kUpdating:
      return in_use("updated");
    case TableStatus::kDeleting:
      return in_use("deleted");
  }
  UNREACHABLE("a status that is not in the enum");
}

}  // namespace trestle::engine
