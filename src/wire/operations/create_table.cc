// CreateTable: a new table with its indexes, stream and settings.

#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/table_json.h"
#include "wire/table_shapes.h"
#include "wire/tag_json.h"

namespace trestle::wire {
namespace {

constexpr Member kLocalIndexMembers[] = {
    {"IndexName", &kIndexNameShape, Presence::kRequired},
    {"KeySchema", &kKeySchemaShape, Presence::kRequired},
    {"Projection", &kProjectionShape, Presence::kRequired},
};
constexpr Shape kLocalIndex = {
    .kind = Kind::kStructure, .name = "LocalSecondaryIndex", .members = kLocalIndexMembers};
constexpr Shape kLocalIndexes = {.kind = Kind::kList, .element = &kLocalIndex};

constexpr Member kGlobalIndexMembers[] = {
    {"IndexName", &kIndexNameShape, Presence::kRequired},
    {"KeySchema", &kGlobalKeySchemaShape, Presence::kRequired},
    {"Projection", &kProjectionShape, Presence::kRequired},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"WarmThroughput", &kWarmThroughputShape},
};
constexpr Shape kGlobalIndex = {
    .kind = Kind::kStructure, .name = "GlobalSecondaryIndex", .members = kGlobalIndexMembers};
constexpr Shape kGlobalIndexes = {.kind = Kind::kList, .element = &kGlobalIndex};

constexpr Member kMembers[] = {
    {"AttributeDefinitions", &kAttributeDefinitionsShape, Presence::kRequired},
    {"TableName", &kNeededTableNameShape, Presence::kRequired},
    {"BillingMode", &kBillingModeShape},
    {"TableThroughputMode", &kBillingModeShape},
    {"ProvisionedThroughput", &kProvisionedThroughputShape},
    {"KeySchema", &kKeySchemaShape, Presence::kRequired},
    {"LocalSecondaryIndexes", &kLocalIndexes},
    {"GlobalSecondaryIndexes", &kGlobalIndexes},
    {"StreamSpecification", &kStreamSpecificationShape},
    {"SSESpecification", &kSseSpecificationShape},
    {"Tags", &kTagsShape},
    {"TableClass", &kStringShape},
    {"DeletionProtectionEnabled", &kBooleanShape},
    {"WarmThroughput", &kWarmThroughputShape},
    {"OnDemandThroughput", &kOnDemandThroughputShape},
    {"ResourcePolicy", &kStringShape},
};
constexpr Shape kInput = {
    .kind = Kind::kStructure, .name = "CreateTableInput", .members = kMembers};

std::optional<std::vector<engine::IndexDefinition>> ParseIndexes(const json::Object& body,
                                                                 std::string_view member,
                                                                 IndexKind kind) {
  const auto array = FindArray(body, member);
  if (!array) return std::nullopt;
  std::vector<engine::IndexDefinition> indexes;
  for (const json::Value element : *array) {
    indexes.push_back(ParseIndex(AsObject(element), kind));
  }
  return indexes;
}

Result<engine::CreateTableRequest> Parse(const json::Object& body, const CallContext& context) {
  engine::CreateTableRequest request;
  request.table = TRY(ParseTableName(body, context));
  if (FindMember(body, "ResourcePolicy")) {
    return ValidationError("ResourcePolicy is not supported by this server");
  }
  request.attribute_definitions =
      ParseAttributeDefinitions(AsArray(*FindMember(body, "AttributeDefinitions")));
  request.key_schema = ParseKeySchema(AsArray(*FindMember(body, "KeySchema")));
  request.local_indexes = ParseIndexes(body, "LocalSecondaryIndexes", IndexKind::kLocal);
  request.global_indexes = ParseIndexes(body, "GlobalSecondaryIndexes", IndexKind::kGlobal);
  request.billing_mode = ParseBillingMode(body);
  request.throughput = ParseProvisionedThroughput(body);
  request.on_demand = ParseOnDemandThroughput(body);
  request.warm = ParseWarmThroughput(body);
  request.table_class = TRY(ParseTableClass(body));
  request.deletion_protection = FindBool(body, "DeletionProtectionEnabled");
  request.sse = ParseSseSpecification(body);
  request.stream = ParseStreamSpecification(body);
  request.tags = TRY(ParseTags(body));
  return request;
}

void Render(const CallContext& context, const engine::CreateTableRequest& request,
            const engine::TableReply& reply, json::Writer& body) {
  body.Key("TableDescription");
  RenderTable(context, reply.description, body, request.warm.has_value());
}

}  // namespace

constinit const Operation kCreateTable =
    MakeOperation<engine::CreateTableRequest, engine::TableReply, Parse, Render>("CreateTable",
                                                                                 kInput);

}  // namespace trestle::wire
