#include "wire/table_json.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "base/check.h"
#include "protocol/arn.h"
#include "wire/members.h"
#include "wire/stream_json.h"

namespace trestle::wire {
namespace {

// The names of enumerators, in the order of their enum.
constexpr std::array<std::string_view, 4> kStatusNames = {"CREATING", "UPDATING", "ACTIVE",
                                                          "DELETING"};
constexpr std::array<std::string_view, 2> kBillingModeNames = {"PROVISIONED", "PAY_PER_REQUEST"};
constexpr std::array<std::string_view, 2> kTableClassNames = {"STANDARD",
                                                              "STANDARD_INFREQUENT_ACCESS"};
constexpr std::array<std::string_view, 3> kProjectionTypeNames = {"ALL", "KEYS_ONLY", "INCLUDE"};

template <typename E, std::size_t kCount>
std::optional<E> FindEnum(const json::Object& object, std::string_view member,
                          const std::array<std::string_view, kCount>& names) {
  const auto text = FindString(object, member);
  if (!text) return std::nullopt;
  const auto found = std::ranges::find(names, *text);
  CHECK(found != names.end(), "the shape's values are the enum's names");
  return static_cast<E>(found - names.begin());
}

template <typename E, std::size_t kCount>
std::string_view NameOf(E enumerator, const std::array<std::string_view, kCount>& names) {
  return names.at(static_cast<std::size_t>(enumerator));
}

value::Type ParseAttributeType(std::string_view text) {
  if (text == "S") return value::Type::kS;
  return text == "N" ? value::Type::kN : value::Type::kB;
}

std::string TextOf(const json::Object& object, std::string_view member) {
  return std::string(FindString(object, member).value_or(""));
}

void RenderString(json::Writer& writer, std::string_view member, std::string_view text) {
  writer.Key(member);
  writer.String(text);
}

void RenderInteger(json::Writer& writer, std::string_view member, std::int64_t integer) {
  writer.Key(member);
  writer.Integer(integer);
}

void RenderTime(json::Writer& writer, std::string_view member, std::int64_t unix_ms) {
  writer.Key(member);
  writer.Double(static_cast<double>(unix_ms) / 1000.0);
}

void RenderKeyElements(json::Writer& writer, const std::vector<engine::KeyAttribute>& attributes,
                       std::string_view key_type) {
  for (const engine::KeyAttribute& attribute : attributes) {
    writer.BeginObject();
    RenderString(writer, "AttributeName", attribute.name);
    RenderString(writer, "KeyType", key_type);
    writer.EndObject();
  }
}

void RenderKeySchema(json::Writer& writer, const std::vector<engine::KeyAttribute>& partition,
                     const std::vector<engine::KeyAttribute>& sort) {
  writer.Key("KeySchema");
  writer.BeginArray();
  RenderKeyElements(writer, partition, "HASH");
  RenderKeyElements(writer, sort, "RANGE");
  writer.EndArray();
}

void RenderAttributeDefinitions(json::Writer& writer, const engine::TableSchema& schema) {
  writer.Key("AttributeDefinitions");
  writer.BeginArray();
  for (const engine::KeyAttribute& attribute : schema.attribute_definitions) {
    writer.BeginObject();
    RenderString(writer, "AttributeName", attribute.name);
    RenderString(writer, "AttributeType", value::TypeName(attribute.type));
    writer.EndObject();
  }
  writer.EndArray();
}

void RenderThroughput(json::Writer& writer, const engine::ProvisionedThroughput& throughput) {
  writer.Key("ProvisionedThroughput");
  writer.BeginObject();
  if (throughput.last_increase_unix_ms != 0) {
    RenderTime(writer, "LastIncreaseDateTime", throughput.last_increase_unix_ms);
  }
  if (throughput.last_decrease_unix_ms != 0) {
    RenderTime(writer, "LastDecreaseDateTime", throughput.last_decrease_unix_ms);
  }
  RenderInteger(writer, "NumberOfDecreasesToday", throughput.decreases_today);
  RenderInteger(writer, "ReadCapacityUnits", throughput.read_capacity_units);
  RenderInteger(writer, "WriteCapacityUnits", throughput.write_capacity_units);
  writer.EndObject();
}

void RenderOptional(json::Writer& writer, std::string_view member,
                    std::optional<std::int64_t> integer) {
  if (integer) RenderInteger(writer, member, *integer);
}

void RenderOnDemand(json::Writer& writer,
                    const std::optional<engine::OnDemandThroughput>& on_demand) {
  if (!on_demand) return;
  writer.Key("OnDemandThroughput");
  writer.BeginObject();
  RenderOptional(writer, "MaxReadRequestUnits", on_demand->max_read_request_units);
  RenderOptional(writer, "MaxWriteRequestUnits", on_demand->max_write_request_units);
  writer.EndObject();
}

void RenderWarm(json::Writer& writer, const std::optional<engine::WarmThroughput>& warm,
                std::string_view status) {
  if (!warm) return;
  writer.Key("WarmThroughput");
  writer.BeginObject();
  RenderOptional(writer, "ReadUnitsPerSecond", warm->read_units_per_second);
  RenderOptional(writer, "WriteUnitsPerSecond", warm->write_units_per_second);
  RenderString(writer, "Status", status);
  writer.EndObject();
}

void RenderCounters(json::Writer& writer, const engine::IndexCounters& counters,
                    std::string_view size_member) {
  RenderInteger(writer, "ItemCount", static_cast<std::int64_t>(counters.item_count));
  RenderInteger(writer, size_member, static_cast<std::int64_t>(counters.size_bytes));
}

void RenderProjection(json::Writer& writer, const engine::IndexSchema& index) {
  writer.Key("Projection");
  writer.BeginObject();
  RenderString(writer, "ProjectionType", NameOf(index.projection, kProjectionTypeNames));
  if (!index.non_key_attributes.empty()) {
    writer.Key("NonKeyAttributes");
    writer.BeginArray();
    for (const std::string& name : index.non_key_attributes)
      writer.String(name);
    writer.EndArray();
  }
  writer.EndObject();
}

// An index that is created with its table is neither backfilled nor warm yet. A later one is given
// its resources first, while the table is UPDATING, and is filled then.
void RenderGlobalMembers(json::Writer& writer, const engine::TableSchema& schema,
                         const engine::IndexSchema& index) {
  const bool is_creating = index.status == engine::IndexStatus::kCreating;
  const bool is_table_new = schema.status == engine::TableStatus::kCreating;
  RenderString(writer, "IndexStatus", NameOf(index.status, kStatusNames));
  if (is_creating && !is_table_new) {
    writer.Key("Backfilling");
    writer.Bool(schema.status != engine::TableStatus::kUpdating);
  }
  RenderThroughput(writer, index.throughput);
  RenderOnDemand(writer, index.on_demand);
  if (!is_table_new) RenderWarm(writer, index.warm, is_creating ? "UPDATING" : "ACTIVE");
}

void RenderIndexes(const CallContext& context, const engine::TableDescription& description,
                   IndexKind kind, json::Writer& writer) {
  const engine::TableSchema& schema = *description.schema;
  const bool is_global = kind == IndexKind::kGlobal;
  if (std::ranges::count(schema.indexes, is_global, &engine::IndexSchema::is_global) == 0) return;
  writer.Key(is_global ? "GlobalSecondaryIndexes" : "LocalSecondaryIndexes");
  writer.BeginArray();
  for (std::size_t i = 0; i < schema.indexes.size(); ++i) {
    const engine::IndexSchema& index = schema.indexes[i];
    if (index.is_global != is_global) continue;
    writer.BeginObject();
    RenderString(writer, "IndexName", index.name);
    RenderString(writer, "IndexArn",
                 protocol::IndexArn({.region = context.region, .account_id = context.account_id},
                                    schema.name, index.name));
    RenderKeySchema(writer, index.partition, index.sort);
    RenderProjection(writer, index);
    RenderCounters(writer, description.indexes.at(i), "IndexSizeBytes");
    if (is_global) RenderGlobalMembers(writer, schema, index);
    writer.EndObject();
  }
  writer.EndArray();
}

void RenderStream(const CallContext& context, const engine::TableSchema& schema,
                  json::Writer& writer) {
  if (!schema.stream) return;
  if (schema.stream->is_enabled) {
    writer.Key("StreamSpecification");
    writer.BeginObject();
    writer.Key("StreamEnabled");
    writer.Bool(true);
    RenderString(writer, "StreamViewType", StreamViewTypeName(schema.stream->view_type));
    writer.EndObject();
  }
  const std::string label = StreamLabel(schema.stream->created_unix_ms);
  RenderString(writer, "LatestStreamLabel", label);
  RenderString(writer, "LatestStreamArn",
               protocol::StreamArn({.region = context.region, .account_id = context.account_id},
                                   schema.name, label));
}

// The service says it twice; the SDKs know the first name only.
void RenderBillingMode(json::Writer& writer, const engine::TableSchema& schema) {
  if (!schema.has_billing_summary) return;
  for (const std::string_view name : {"BillingMode", "TableThroughputMode"}) {
    writer.Key(fmt::format("{}Summary", name));
    writer.BeginObject();
    RenderString(writer, name, NameOf(schema.billing_mode, kBillingModeNames));
    if (schema.billing_changed_unix_ms != 0 && schema.status != engine::TableStatus::kCreating) {
      RenderTime(writer, "LastUpdateToPayPerRequestDateTime", schema.billing_changed_unix_ms);
    }
    writer.EndObject();
  }
}

void RenderTableClass(json::Writer& writer, const engine::TableSchema& schema) {
  if (!schema.table_class) return;
  writer.Key("TableClassSummary");
  writer.BeginObject();
  RenderString(writer, "TableClass", NameOf(*schema.table_class, kTableClassNames));
  if (schema.table_class_changed_unix_ms != 0) {
    RenderTime(writer, "LastUpdateDateTime", schema.table_class_changed_unix_ms);
  }
  writer.EndObject();
}

void RenderSse(const CallContext& context, const engine::TableSchema& schema,
               json::Writer& writer) {
  if (!schema.sse_kms_key) return;
  writer.Key("SSEDescription");
  writer.BeginObject();
  RenderString(writer, "Status", "ENABLED");
  RenderString(writer, "SSEType", "KMS");
  const std::string& key = *schema.sse_kms_key;
  const std::string resource = key.empty()                 ? "alias/aws/dynamodb"
                               : key.starts_with("alias/") ? key
                                                           : fmt::format("key/{}", key);
  RenderString(writer, "KMSMasterKeyArn",
               key.starts_with("arn:") ? key
                                       : fmt::format("arn:aws:kms:{}:{}:{}", context.region,
                                                     context.account_id, resource));
  writer.EndObject();
}

// What every description of a table has.
void RenderIdentity(const CallContext& context, const engine::TableDescription& description,
                    json::Writer& writer) {
  const engine::TableSchema& schema = *description.schema;
  RenderString(writer, "TableName", schema.name);
  RenderString(writer, "TableStatus", NameOf(schema.status, kStatusNames));
  RenderString(writer, "TableArn",
               protocol::TableArn({.region = context.region, .account_id = context.account_id},
                                  schema.name));
  RenderString(writer, "TableId", schema.uuid);
  RenderCounters(writer, description.table, "TableSizeBytes");
  RenderThroughput(writer, schema.throughput);
  RenderBillingMode(writer, schema);
  RenderOnDemand(writer, schema.on_demand);
  RenderTableClass(writer, schema);
  writer.Key("DeletionProtectionEnabled");
  writer.Bool(schema.deletion_protection);
  RenderSse(context, schema, writer);
}

}  // namespace

std::vector<engine::KeyAttribute> ParseAttributeDefinitions(const json::Array& array) {
  std::vector<engine::KeyAttribute> attributes;
  for (const json::Value element : array) {
    const json::Object object = AsObject(element);
    attributes.push_back({.name = TextOf(object, "AttributeName"),
                          .type = ParseAttributeType(TextOf(object, "AttributeType"))});
  }
  return attributes;
}

std::vector<engine::KeySchemaElement> ParseKeySchema(const json::Array& array) {
  std::vector<engine::KeySchemaElement> elements;
  for (const json::Value element : array) {
    const json::Object object = AsObject(element);
    elements.push_back({.attribute = TextOf(object, "AttributeName"),
                        .is_partition = TextOf(object, "KeyType") == "HASH"});
  }
  return elements;
}

engine::IndexDefinition ParseIndex(const json::Object& object, IndexKind kind) {
  engine::IndexDefinition index;
  index.name = TextOf(object, "IndexName");
  index.is_global = kind == IndexKind::kGlobal;
  if (const auto key_schema = FindArray(object, "KeySchema")) {
    index.key_schema = ParseKeySchema(*key_schema);
  }
  if (const auto projection = FindObject(object, "Projection")) {
    index.projection =
        FindEnum<engine::ProjectionType>(*projection, "ProjectionType", kProjectionTypeNames);
    if (const auto names = FindArray(*projection, "NonKeyAttributes")) {
      index.non_key_attributes.emplace();
      for (const json::Value name : *names) {
        index.non_key_attributes->emplace_back(AsString(name));
      }
    }
  }
  index.throughput = ParseProvisionedThroughput(object);
  index.on_demand = ParseOnDemandThroughput(object);
  index.warm = ParseWarmThroughput(object);
  return index;
}

std::optional<engine::ProvisionedThroughput> ParseProvisionedThroughput(
    const json::Object& object) {
  const auto member = FindObject(object, "ProvisionedThroughput");
  if (!member) return std::nullopt;
  engine::ProvisionedThroughput throughput;
  throughput.read_capacity_units = FindInteger(*member, "ReadCapacityUnits").value_or(0);
  throughput.write_capacity_units = FindInteger(*member, "WriteCapacityUnits").value_or(0);
  return throughput;
}

std::optional<engine::OnDemandThroughput> ParseOnDemandThroughput(const json::Object& object) {
  const auto member = FindObject(object, "OnDemandThroughput");
  if (!member) return std::nullopt;
  return engine::OnDemandThroughput{
      .max_read_request_units = FindInteger(*member, "MaxReadRequestUnits"),
      .max_write_request_units = FindInteger(*member, "MaxWriteRequestUnits")};
}

std::optional<engine::WarmThroughput> ParseWarmThroughput(const json::Object& object) {
  const auto member = FindObject(object, "WarmThroughput");
  if (!member) return std::nullopt;
  return engine::WarmThroughput{
      .read_units_per_second = FindInteger(*member, "ReadUnitsPerSecond"),
      .write_units_per_second = FindInteger(*member, "WriteUnitsPerSecond")};
}

std::optional<engine::BillingMode> ParseBillingMode(const json::Object& body) {
  const std::string_view name =
      FindMember(body, "BillingMode") ? "BillingMode" : "TableThroughputMode";
  return FindEnum<engine::BillingMode>(body, name, kBillingModeNames);
}

Result<std::optional<engine::TableClass>> ParseTableClass(const json::Object& body) {
  const auto text = FindString(body, "TableClass");
  if (text && std::ranges::find(kTableClassNames, *text) == kTableClassNames.end()) {
    return ValidationError(
        "Invalid table-class parameter provided. Please try again with a valid table-class value: "
        "[STANDARD, STANDARD_INFREQUENT_ACCESS].");
  }
  return FindEnum<engine::TableClass>(body, "TableClass", kTableClassNames);
}

std::optional<engine::StreamSpecification> ParseStreamSpecification(const json::Object& body) {
  const auto member = FindObject(body, "StreamSpecification");
  if (!member) return std::nullopt;
  return engine::StreamSpecification{
      .is_enabled = FindBool(*member, "StreamEnabled").value_or(false),
      .view_type =
          FindEnum<engine::StreamViewType>(*member, "StreamViewType", kStreamViewTypeNames)};
}

std::optional<engine::SseSpecification> ParseSseSpecification(const json::Object& body) {
  const auto member = FindObject(body, "SSESpecification");
  if (!member) return std::nullopt;
  engine::SseSpecification sse;
  sse.is_enabled = FindBool(*member, "Enabled");
  if (const auto type = FindString(*member, "SSEType")) sse.sse_type = *type;
  if (const auto key = FindString(*member, "KMSMasterKeyId")) sse.kms_key = *key;
  return sse;
}

void RenderTable(const CallContext& context, const engine::TableDescription& description,
                 json::Writer& writer, bool asks_for_warm) {
  const engine::TableSchema& schema = *description.schema;
  writer.BeginObject();
  RenderAttributeDefinitions(writer, schema);
  std::vector<engine::KeyAttribute> sort;
  if (schema.sort) sort.push_back(*schema.sort);
  RenderKeySchema(writer, {schema.partition}, sort);
  RenderIdentity(context, description, writer);
  RenderTime(writer, "CreationDateTime", schema.created_unix_ms);
  if (schema.status != engine::TableStatus::kCreating) {
    RenderWarm(writer, schema.warm, "ACTIVE");
  } else if (asks_for_warm) {
    RenderWarm(writer, schema.warm, "UPDATING");
  }
  RenderIndexes(context, description, IndexKind::kLocal, writer);
  RenderIndexes(context, description, IndexKind::kGlobal, writer);
  RenderStream(context, schema, writer);
  writer.EndObject();
}

void RenderDeletedTable(const CallContext& context, const engine::TableDescription& description,
                        json::Writer& writer) {
  writer.BeginObject();
  RenderIdentity(context, description, writer);
  writer.EndObject();
}

}  // namespace trestle::wire
