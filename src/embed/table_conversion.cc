#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "embed/database_internal.h"
#include "embed/table_conversion_internal.h"

namespace trestle::embed {
namespace {

value::Type TypeOf(ScalarAttributeType type) {
  if (type == ScalarAttributeType::kS) return value::Type::kS;
  return type == ScalarAttributeType::kN ? value::Type::kN : value::Type::kB;
}

ScalarAttributeType ScalarTypeOf(value::Type type) {
  if (type == value::Type::kS) return ScalarAttributeType::kS;
  return type == value::Type::kN ? ScalarAttributeType::kN : ScalarAttributeType::kB;
}

template <typename To, typename From>
std::optional<To> SameOptional(std::optional<From> from) {
  if (!from) return std::nullopt;
  return SameEnumerator<To>(*from);
}

std::vector<engine::KeyAttribute> ToEngine(const std::vector<AttributeDefinition>& definitions) {
  std::vector<engine::KeyAttribute> attributes;
  attributes.reserve(definitions.size());
  for (const AttributeDefinition& definition : definitions) {
    attributes.push_back(
        {.name = definition.attribute_name, .type = TypeOf(definition.attribute_type)});
  }
  return attributes;
}

std::vector<engine::KeySchemaElement> ToEngine(const std::vector<KeySchemaElement>& key_schema) {
  std::vector<engine::KeySchemaElement> elements;
  elements.reserve(key_schema.size());
  for (const KeySchemaElement& element : key_schema) {
    elements.push_back(
        {.attribute = element.attribute_name, .is_partition = element.key_type == KeyType::kHash});
  }
  return elements;
}

std::optional<engine::ProvisionedThroughput> ToEngine(
    const std::optional<ProvisionedThroughput>& throughput) {
  if (!throughput) return std::nullopt;
  return engine::ProvisionedThroughput{.read_capacity_units = throughput->read_capacity_units,
                                       .write_capacity_units = throughput->write_capacity_units};
}

std::optional<engine::OnDemandThroughput> ToEngine(
    const std::optional<OnDemandThroughput>& on_demand) {
  if (!on_demand) return std::nullopt;
  return engine::OnDemandThroughput{.max_read_request_units = on_demand->max_read_request_units,
                                    .max_write_request_units = on_demand->max_write_request_units};
}

std::optional<engine::WarmThroughput> ToEngine(const std::optional<WarmThroughput>& warm) {
  if (!warm) return std::nullopt;
  return engine::WarmThroughput{.read_units_per_second = warm->read_units_per_second,
                                .write_units_per_second = warm->write_units_per_second};
}

std::optional<engine::StreamSpecification> ToEngine(
    const std::optional<StreamSpecification>& stream) {
  if (!stream) return std::nullopt;
  return engine::StreamSpecification{
      .is_enabled = stream->stream_enabled,
      .view_type = SameOptional<engine::StreamViewType>(stream->stream_view_type)};
}

void AddProjection(const Projection& projection, engine::IndexDefinition& definition) {
  definition.projection = SameEnumerator<engine::ProjectionType>(projection.projection_type);
  if (!projection.non_key_attributes.empty()) {
    definition.non_key_attributes = projection.non_key_attributes;
  }
}

engine::IndexDefinition ToEngine(const LocalSecondaryIndex& index) {
  engine::IndexDefinition definition = {
      .name = index.index_name, .is_global = false, .key_schema = ToEngine(index.key_schema)};
  AddProjection(index.projection, definition);
  return definition;
}

engine::IndexDefinition ToEngine(const GlobalSecondaryIndex& index) {
  engine::IndexDefinition definition = {.name = index.index_name,
                                        .is_global = true,
                                        .key_schema = ToEngine(index.key_schema),
                                        .throughput = ToEngine(index.provisioned_throughput),
                                        .on_demand = ToEngine(index.on_demand_throughput),
                                        .warm = ToEngine(index.warm_throughput)};
  AddProjection(index.projection, definition);
  return definition;
}

template <typename Index>
std::optional<std::vector<engine::IndexDefinition>> ToEngine(const std::vector<Index>& indexes) {
  if (indexes.empty()) return std::nullopt;
  std::vector<engine::IndexDefinition> definitions;
  definitions.reserve(indexes.size());
  for (const Index& index : indexes)
    definitions.push_back(ToEngine(index));
  return definitions;
}

engine::GlobalIndexUpdate ToEngine(const GlobalSecondaryIndexUpdate& update) {
  engine::GlobalIndexUpdate result;
  if (const auto* create = std::get_if<CreateGlobalSecondaryIndexAction>(&update)) {
    result.create = ToEngine(*create);
  } else if (const auto* change = std::get_if<UpdateGlobalSecondaryIndexAction>(&update)) {
    result.update = {.name = change->index_name,
                     .throughput = ToEngine(change->provisioned_throughput),
                     .on_demand = ToEngine(change->on_demand_throughput),
                     .warm = ToEngine(change->warm_throughput)};
  } else {
    result.remove = std::get<DeleteGlobalSecondaryIndexAction>(update).index_name;
  }
  return result;
}

// What CreateTable and UpdateTable both say of a table.
template <typename Input, typename Request>
void AddSettings(const Input& input, Request& request) {
  request.table = input.table_name;
  request.billing_mode = SameOptional<engine::BillingMode>(input.billing_mode);
  request.throughput = ToEngine(input.provisioned_throughput);
  request.on_demand = ToEngine(input.on_demand_throughput);
  request.warm = ToEngine(input.warm_throughput);
  request.table_class = SameOptional<engine::TableClass>(input.table_class);
  request.deletion_protection = input.deletion_protection_enabled;
  request.stream = ToEngine(input.stream_specification);
}

ProvisionedThroughput FromEngine(const engine::ProvisionedThroughput& throughput) {
  return {.read_capacity_units = throughput.read_capacity_units,
          .write_capacity_units = throughput.write_capacity_units};
}

std::optional<OnDemandThroughput> FromEngine(
    const std::optional<engine::OnDemandThroughput>& on_demand) {
  if (!on_demand) return std::nullopt;
  return OnDemandThroughput{.max_read_request_units = on_demand->max_read_request_units,
                            .max_write_request_units = on_demand->max_write_request_units};
}

std::optional<WarmThroughput> FromEngine(const std::optional<engine::WarmThroughput>& warm) {
  if (!warm) return std::nullopt;
  return WarmThroughput{.read_units_per_second = warm->read_units_per_second,
                        .write_units_per_second = warm->write_units_per_second};
}

void AddElements(const std::vector<engine::KeyAttribute>& attributes, KeyType key_type,
                 std::vector<KeySchemaElement>& key_schema) {
  for (const engine::KeyAttribute& attribute : attributes) {
    key_schema.push_back({.attribute_name = attribute.name, .key_type = key_type});
  }
}

SecondaryIndexDescription FromEngine(const engine::IndexSchema& index,
                                     const engine::IndexCounters& counters) {
  SecondaryIndexDescription description = {
      .index_name = index.name,
      .projection = {.projection_type = SameEnumerator<ProjectionType>(index.projection),
                     .non_key_attributes = index.non_key_attributes},
      .item_count = static_cast<std::int64_t>(counters.item_count),
      .index_size_bytes = static_cast<std::int64_t>(counters.size_bytes),
      .index_status = SameEnumerator<IndexStatus>(index.status),
      .backfilling = index.is_backfilling,
      .provisioned_throughput = FromEngine(index.throughput),
      .on_demand_throughput = FromEngine(index.on_demand),
      .warm_throughput = FromEngine(index.warm)};
  AddElements(index.partition, KeyType::kHash, description.key_schema);
  AddElements(index.sort, KeyType::kRange, description.key_schema);
  return description;
}

// What the service leaves out once a table is being deleted.
void AddStructure(const engine::TableDescription& table, TableDescription& description) {
  const engine::TableSchema& schema = *table.schema;
  for (const engine::KeyAttribute& attribute : schema.attribute_definitions) {
    description.attribute_definitions.push_back(
        {.attribute_name = attribute.name, .attribute_type = ScalarTypeOf(attribute.type)});
  }
  AddElements({schema.partition}, KeyType::kHash, description.key_schema);
  if (schema.sort) AddElements({*schema.sort}, KeyType::kRange, description.key_schema);
  for (std::size_t i = 0; i < schema.indexes.size(); ++i) {
    const engine::IndexSchema& index = schema.indexes[i];
    auto& indexes = index.is_global ? description.global_secondary_indexes
                                    : description.local_secondary_indexes;
    indexes.push_back(FromEngine(index, table.indexes.at(i)));
  }
  if (schema.stream && schema.stream->is_enabled) {
    description.stream_specification = StreamSpecification{
        .stream_enabled = true,
        .stream_view_type = SameEnumerator<StreamViewType>(schema.stream->view_type)};
  }
}

}  // namespace

engine::CreateTableRequest ToEngine(const CreateTableInput& input) {
  engine::CreateTableRequest request;
  AddSettings(input, request);
  request.attribute_definitions = ToEngine(input.attribute_definitions);
  request.key_schema = ToEngine(input.key_schema);
  request.local_indexes = ToEngine(input.local_secondary_indexes);
  request.global_indexes = ToEngine(input.global_secondary_indexes);
  for (const Tag& tag : input.tags)
    request.tags.emplace_back(tag.key, tag.value);
  return request;
}

engine::UpdateTableRequest ToEngine(const UpdateTableInput& input) {
  engine::UpdateTableRequest request;
  AddSettings(input, request);
  if (!input.attribute_definitions.empty()) {
    request.attribute_definitions = ToEngine(input.attribute_definitions);
  }
  if (!input.global_secondary_index_updates.empty()) request.global_index_updates.emplace();
  for (const GlobalSecondaryIndexUpdate& update : input.global_secondary_index_updates) {
    request.global_index_updates->push_back(ToEngine(update));
  }
  return request;
}

TableDescription FromEngine(const engine::TableDescription& table) {
  const engine::TableSchema& schema = *table.schema;
  TableDescription description = {
      .table_name = schema.name,
      .table_id = schema.uuid,
      .table_status = SameEnumerator<TableStatus>(schema.status),
      .creation_date_time_unix_ms = schema.created_unix_ms,
      .item_count = static_cast<std::int64_t>(table.table.item_count),
      .table_size_bytes = static_cast<std::int64_t>(table.table.size_bytes),
      .billing_mode = SameEnumerator<BillingMode>(schema.billing_mode),
      .provisioned_throughput = FromEngine(schema.throughput),
      .on_demand_throughput = FromEngine(schema.on_demand),
      .warm_throughput = FromEngine(schema.warm),
      .deletion_protection_enabled = schema.deletion_protection};
  description.table_class = SameOptional<TableClass>(schema.table_class);
  if (schema.status != engine::TableStatus::kDeleting) AddStructure(table, description);
  return description;
}

}  // namespace trestle::embed
