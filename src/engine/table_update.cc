// UpdateTable's rules.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "engine/index_definition_internal.h"
#include "engine/table_change.h"
#include "engine/table_settings_internal.h"

namespace trestle::engine {
namespace {

bool CreatesIndex(const UpdateTableRequest& request) {
  return request.global_index_updates &&
         std::ranges::any_of(*request.global_index_updates,
                             [](const auto& update) { return update.create.has_value(); });
}

bool CreatesOrDeletesIndex(const UpdateTableRequest& request) {
  return request.global_index_updates &&
         std::ranges::any_of(*request.global_index_updates,
                             [](const auto& update) { return update.create || update.remove; });
}

// How many kinds of change the request asks for.
int CountChanges(const UpdateTableRequest& request) {
  const bool changes_indexes =
      request.global_index_updates && !request.global_index_updates->empty();
  return request.throughput.has_value() + request.billing_mode.has_value() +
         request.stream.has_value() + request.sse.has_value() + HasLimits(request.on_demand) +
         request.warm.has_value() + request.table_class.has_value() +
         request.deletion_protection.has_value() + changes_indexes;
}

// What the service does not do together.
Status CheckCombination(const UpdateTableRequest& request) {
  if (CountChanges(request) > 1) {
    const auto alone = [](std::string_view what) {
      return InvalidParameter(fmt::format("{} must be the only operation in the request", what));
    };
    if (request.sse) return alone("Server-Side Encryption modification");
    if (request.table_class) return alone("TableClass modification");
    if (request.deletion_protection) return alone("DeletionProtection modification");
    if (request.warm && CreatesIndex(request)) {
      return InvalidParameter(
          "Create global secondary index cannot be specified when updating WarmThroughput");
    }
    if (request.warm) return alone("WarmThroughput");
    const int with_billing_mode = request.billing_mode ? 2 : 1;
    if (HasLimits(request.on_demand) && CountChanges(request) > with_billing_mode) {
      return InvalidParameter(
          "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request");
    }
  }
  if (request.throughput && request.stream) {
    return InvalidParameter("You cannot modify stream status while updating table IOPS");
  }
  if (request.throughput && CreatesOrDeletesIndex(request)) {
    return InvalidParameter("You cannot create or delete index while updating table IOPS");
  }
  if (request.stream && CreatesOrDeletesIndex(request)) {
    return InvalidParameter("You cannot create or delete index while changing stream status");
  }
  return Ok();
}

Status CheckStream(const StreamSpecification& stream) {
  if (stream.is_enabled && !stream.view_type) {
    return InvalidParameter("If stream is being enabled then UpdateViewType is required");
  }
  if (!stream.is_enabled && stream.view_type) {
    return InvalidParameter(
        "If stream is being disabled, then UpdateViewType must not be specified");
  }
  return Ok();
}

void SwitchToPayPerRequest(std::int64_t now_unix_ms, TableSchema& schema) {
  schema.billing_mode = BillingMode::kPayPerRequest;
  schema.has_billing_summary = true;
  schema.billing_changed_unix_ms = now_unix_ms;
  // Counts as a decrease of the indexes, not of the table.
  schema.throughput.read_capacity_units = 0;
  schema.throughput.write_capacity_units = 0;
  const WarmThroughput initial = InitialWarmThroughput(schema.billing_mode, {});
  RaiseWarm(initial, schema.warm);
  for (IndexSchema& index : schema.indexes) {
    if (!index.is_global) continue;
    ChangeThroughput({}, now_unix_ms, index.throughput);
    RaiseWarm(initial, index.warm);
  }
}

bool GivesThroughput(const UpdateTableRequest& request, std::string_view index) {
  return request.global_index_updates &&
         std::ranges::any_of(*request.global_index_updates, [&](const GlobalIndexUpdate& update) {
           return update.update && update.update->name == index && update.update->throughput;
         });
}

Status SwitchToProvisioned(const UpdateTableRequest& request, TableSchema& schema) {
  if (!request.throughput) {
    return InvalidParameter(
        "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  for (IndexSchema& index : schema.indexes) {
    if (!index.is_global) continue;
    if (index.status != IndexStatus::kDeleting && !GivesThroughput(request, index.name)) {
      return InvalidParameter(
          fmt::format("ProvisionedThroughput must be specified for index: {}", index.name));
    }
    index.on_demand.reset();
  }
  schema.billing_mode = BillingMode::kProvisioned;
  schema.on_demand.reset();
  return Ok();
}

Status ChangeBilling(const UpdateTableRequest& request, std::int64_t now_unix_ms,
                     TableSchema& schema) {
  const BillingMode billing_mode = request.billing_mode.value_or(schema.billing_mode);
  if (request.throughput) TRY(CheckTableThroughput(request.throughput, billing_mode));
  if (billing_mode != schema.billing_mode) {
    if (billing_mode == BillingMode::kPayPerRequest) {
      SwitchToPayPerRequest(now_unix_ms, schema);
    } else {
      TRY(SwitchToProvisioned(request, schema));
    }
  }
  if (!request.throughput) return Ok();
  if (IsSame(*request.throughput, schema.throughput)) {
    return WillNotChange(schema.throughput, "table", "");
  }
  ChangeThroughput(*request.throughput, now_unix_ms, schema.throughput);
  RaiseWarm(InitialWarmThroughput(billing_mode, schema.throughput), schema.warm);
  return Ok();
}

Status ChangeTableLimits(const UpdateTableRequest& request, TableSchema& schema) {
  const ThroughputOwner owner = {
      .index = "", .billing_mode = schema.billing_mode, .change = TableChange::kUpdate};
  TRY(CheckOnDemand(request.on_demand, owner));
  if (request.on_demand) ChangeOnDemand(*request.on_demand, schema.on_demand);
  if (!request.warm) return Ok();
  TRY(CheckWarm(*request.warm, schema.warm.value_or(WarmThroughput()), owner));
  RaiseWarm(*request.warm, schema.warm);
  return Ok();
}

Status ChangeStream(const StreamSpecification& stream, std::int64_t now_unix_ms,
                    TableSchema& schema) {
  const bool is_enabled = schema.stream && schema.stream->is_enabled;
  if (stream.is_enabled && is_enabled) {
    return ValidationError(
        fmt::format("Table already has an enabled stream: TableName: {}", schema.name));
  }
  if (!stream.is_enabled && !is_enabled) {
    return ValidationError(
        fmt::format("Table has no stream to disable: TableName: {}", schema.name));
  }
  if (stream.is_enabled) {
    schema.stream = NewStream(stream, now_unix_ms);
  } else {
    schema.stream->is_enabled = false;
  }
  return Ok();
}

Status ChangeSse(const SseSpecification& sse, TableSchema& schema) {
  std::optional<std::string> key = KmsKeyOf(sse);
  const bool is_own_key = key && !key->empty();  // and not the one that the service manages
  if (key == schema.sse_kms_key && (is_own_key || !key)) {
    return InvalidParameter(key ? "Table is already encrypted with given KMSMasterKeyId. Use "
                                  "KMSMasterKeyId parameter if you want to change Master Key"
                                : "Table is already encrypted by default");
  }
  schema.sse_kms_key = std::move(key);
  return Ok();
}

}  // namespace

Status CheckUpdate(const UpdateTableRequest& request) {
  if (CountChanges(request) == 0) {
    return ValidationError(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
  if (request.throughput) {
    TRY(CheckTableThroughput(request.throughput,
                             request.billing_mode.value_or(BillingMode::kProvisioned)));
  }
  if (request.global_index_updates) TRY(CheckIndexUpdates(request));
  TRY(CheckCombination(request));
  if (request.stream) TRY(CheckStream(*request.stream));
  if (request.sse) TRY(CheckSse(*request.sse));
  if (request.warm && !HasUnits(*request.warm)) {
    return InvalidParameter(
        "WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond "
        "specified");
  }
  return Ok();
}

Result<TableSchema> PlanUpdate(const TableSchema& current, const UpdateTableRequest& request,
                               std::int64_t now_unix_ms) {
  TRY(CheckUpdate(request));
  TRY(CheckIsActive(current));
  TableSchema schema = current;
  TRY(ChangeBilling(request, now_unix_ms, schema));
  TRY(ChangeTableLimits(request, schema));
  TRY(ChangeIndexes(request, now_unix_ms, schema));
  if (request.stream) TRY(ChangeStream(*request.stream, now_unix_ms, schema));
  if (request.sse) TRY(ChangeSse(*request.sse, schema));
  // A table that never had a class has the standard one already, and goes on saying nothing.
  if (request.table_class && (schema.table_class || request.table_class != TableClass::kStandard)) {
    schema.table_class = request.table_class;
    schema.table_class_changed_unix_ms = now_unix_ms;
  }
  if (request.deletion_protection) schema.deletion_protection = *request.deletion_protection;
  return schema;
}

}  // namespace trestle::engine
