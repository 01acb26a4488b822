// UpdateTable: changes the throughput, billing, stream or settings of a table, or its global
// indexes.

#include "engine/table_change.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/table_json.h"
#include "wire/table_shapes.h"

namespace trestle::wire {
namespace {

constexpr Member kUpdateMembers[] = {
    {"IndexName", &kIndexNameShape, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
};
constexpr Shape kUpdate = {.kind = Kind::kStructure,
                           .name = "UpdateGlobalSecondaryIndexAction",
                           .members = kUpdateMembers};
constexpr Member kCreateMembers[] = {
    {"Projection", &kProjectionShape, Presence::kRequired},
    {"IndexName", &kIndexNameShape, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"KeySchema", &kGlobalKeySchemaShape, Presence::kRequired},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
};
constexpr Shape kCreate = {.kind = Kind::kStructure,
                           .name = "CreateGlobalSecondaryIndexAction",
                           .members = kCreateMembers};
constexpr Member kDeleteMembers[] = {
    {"IndexName", &kIndexNameShape, Presence::kRequired},
};
constexpr Shape kDelete = {.kind = Kind::kStructure,
                           .name = "DeleteGlobalSecondaryIndexAction",
                           .members = kDeleteMembers};
constexpr Member kIndexUpdateMembers[] = {
    {"Update", &kUpdate},
    {"Create", &kCreate},
    {"Delete", &kDelete},
};
constexpr Shape kIndexUpdate = {
    .kind = Kind::kStructure, .name = "GlobalSecondaryIndexUpdate", .members = kIndexUpdateMembers};
constexpr Shape kIndexUpdates = {.kind = Kind::kList, .element = &kIndexUpdate};

// What is inside does not matter: these are refused as a whole.
constexpr Shape kReplicaUpdate = {.kind = Kind::kStructure, .name = "ReplicationGroupUpdate"};
constexpr Shape kReplicaUpdates = {.kind = Kind::kList, .min = 1, .element = &kReplicaUpdate};
constexpr Shape kWitnessUpdate = {.kind = Kind::kStructure,
                                  .name = "GlobalTableWitnessGroupUpdate"};
constexpr Shape kWitnessUpdates = {.kind = Kind::kList, .min = 1, .element = &kWitnessUpdate};
constexpr std::string_view kMultiRegionConsistencyValues[] = {"EVENTUAL", "STRONG"};
constexpr Shape kMultiRegionConsistency = {.kind = Kind::kString,
                                           .values = kMultiRegionConsistencyValues};

constexpr Member kMembers[] = {
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"AttributeDefinitions", &kAttributeDefinitionsShape},
    {"TableName", &kNeededTableNameShape, Presence::kRequired},
    {"BillingMode", &kBillingModeShape},
    {"TableThroughputMode", &kBillingModeShape},
    {"GlobalSecondaryIndexUpdates", &kIndexUpdates},
    {"StreamSpecification", &kStreamSpecificationShape},
    {"SSESpecification", &kSseSpecificationShape},
    {"ReplicaUpdates", &kReplicaUpdates},
    {"TableClass", &kStringShape},
    {"DeletionProtectionEnabled", &kBooleanShape},
    {"MultiRegionConsistency", &kMultiRegionConsistency},
    {"GlobalTableWitnessUpdates", &kWitnessUpdates},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "UpdateTableInput", .members = kMembers};

engine::GlobalIndexUpdate ParseIndexUpdate(const json::Object& object) {
  engine::GlobalIndexUpdate result;
  if (const auto create = FindObject(object, "Create")) {
    result.create = ParseIndex(*create, IndexKind::kGlobal);
  }
  if (const auto update = FindObject(object, "Update")) {
    result.update = {.name = std::string(FindString(*update, "IndexName").value_or("")),
                     .throughput = ParseProvisionedThroughput(*update),
                     .on_demand = ParseOnDemandThroughput(*update),
                     .warm = ParseWarmThroughput(*update)};
  }
  if (const auto remove = FindObject(object, "Delete")) {
    result.remove = FindString(*remove, "IndexName").value_or("");
  }
  return result;
}

// Tables live in one place here.
Status RefuseGlobalTables(const json::Object& body) {
  for (const std::string_view member :
       {"ReplicaUpdates", "MultiRegionConsistency", "GlobalTableWitnessUpdates"}) {
    if (FindMember(body, member)) {
      return ValidationError(std::string(member) +
                             " is not supported by this server: it has no global tables");
    }
  }
  return Ok();
}

Result<engine::UpdateTableRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::UpdateTableRequest request;
  request.table = TRY(ParseTableName(body, context));
  TRY(RefuseGlobalTables(body));
  if (const auto definitions = FindArray(body, "AttributeDefinitions")) {
    request.attribute_definitions = ParseAttributeDefinitions(*definitions);
  }
  if (const auto updates = FindArray(body, "GlobalSecondaryIndexUpdates")) {
    request.global_index_updates.emplace();
    for (const json::Value update : *updates) {
      request.global_index_updates->push_back(ParseIndexUpdate(AsObject(update)));
    }
  }
  request.billing_mode = ParseBillingMode(body);
  request.throughput = ParseProvisionedThroughput(body);
  request.on_demand = ParseOnDemandThroughput(body);
  request.warm = ParseWarmThroughput(body);
  request.table_class = TRY(ParseTableClass(body));
  request.deletion_protection = FindBool(body, "DeletionProtectionEnabled");
  request.sse = ParseSseSpecification(body);
  request.stream = ParseStreamSpecification(body);
  TRY(engine::CheckUpdate(request));
  return request;
}

void Render(const CallContext& context, const engine::UpdateTableRequest& /*request*/,
            const engine::TableReply& reply, json::Writer& body) {
  body.Key("TableDescription");
  RenderTable(context, reply.description, body);
}

}  // namespace

constinit const Operation kUpdateTable =
    MakeOperation<engine::UpdateTableRequest, engine::TableReply, Parse, Render>("UpdateTable",
                                                                                 kInput);

}  // namespace trestle::wire
