#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.h"
#include "design/engine_tables_internal.h"
#include "engine/table_change.h"

namespace trestle::design {
namespace {

// Enumerators that stand in the same order on both sides.
static_assert(static_cast<int>(IndexSettings::Projection::kKeys) ==
              static_cast<int>(engine::ProjectionType::kKeysOnly));
static_assert(static_cast<int>(IndexSettings::Projection::kInclude) ==
              static_cast<int>(engine::ProjectionType::kInclude));

KeyType KeyTypeOf(value::Type type) {
  if (type == value::Type::kS) return KeyType::kString;
  return type == value::Type::kN ? KeyType::kNumber : KeyType::kBinary;
}

value::Type TypeOf(KeyType type) {
  switch (type) {
    case KeyType::kString:
      return value::Type::kS;
    case KeyType::kNumber:
      return value::Type::kN;
    case KeyType::kBinary:
      return value::Type::kB;
  }
  UNREACHABLE("a type that is not in the enum");
}

StreamImages ImagesOf(engine::StreamViewType view_type) {
  switch (view_type) {
    case engine::StreamViewType::kKeysOnly:
      return StreamImages::kKeys;
    case engine::StreamViewType::kNewImage:
      return StreamImages::kNew;
    case engine::StreamViewType::kOldImage:
      return StreamImages::kOld;
    case engine::StreamViewType::kNewAndOldImages:
      return StreamImages::kNewAndOld;
  }
  UNREACHABLE("a view that is not in the enum");
}

engine::StreamSpecification SpecificationOf(StreamImages images) {
  switch (images) {
    case StreamImages::kNone:
      return {.is_enabled = false, .view_type = {}};
    case StreamImages::kKeys:
      return {.is_enabled = true, .view_type = engine::StreamViewType::kKeysOnly};
    case StreamImages::kOld:
      return {.is_enabled = true, .view_type = engine::StreamViewType::kOldImage};
    case StreamImages::kNew:
      return {.is_enabled = true, .view_type = engine::StreamViewType::kNewImage};
    case StreamImages::kNewAndOld:
      return {.is_enabled = true, .view_type = engine::StreamViewType::kNewAndOldImages};
  }
  UNREACHABLE("images that are not in the enum");
}

// Keys of several attributes, which no design has, are listed: they equal no key of a design.
std::string NamesOf(const std::vector<engine::KeyAttribute>& attributes) {
  std::vector<std::string_view> names;
  names.reserve(attributes.size());
  for (const engine::KeyAttribute& attribute : attributes)
    names.push_back(attribute.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

IndexSettings SettingsOf(const engine::IndexSchema& index) {
  return {.name = index.name,
          .is_local = !index.is_global,
          .partition_key = NamesOf(index.partition),
          .sort_key = NamesOf(index.sort),
          .projection = static_cast<IndexSettings::Projection>(index.projection),
          .include = index.non_key_attributes,
          .is_active = index.status == engine::IndexStatus::kActive};
}

std::vector<engine::KeySchemaElement> KeySchemaOf(const std::string& partition_key,
                                                  const std::string& sort_key) {
  std::vector<engine::KeySchemaElement> elements = {
      {.attribute = partition_key, .is_partition = true}};
  if (!sort_key.empty()) elements.push_back({.attribute = sort_key, .is_partition = false});
  return elements;
}

std::vector<engine::KeyAttribute> DefinitionsOf(const std::map<std::string, KeyType>& types) {
  std::vector<engine::KeyAttribute> definitions;
  definitions.reserve(types.size());
  for (const auto& [name, type] : types)
    definitions.push_back({.name = name, .type = TypeOf(type)});
  return definitions;
}

std::optional<engine::ProvisionedThroughput> ThroughputOf(
    const std::optional<std::pair<std::int64_t, std::int64_t>>& provisioned) {
  if (!provisioned) return std::nullopt;
  return engine::ProvisionedThroughput{.read_capacity_units = provisioned->first,
                                       .write_capacity_units = provisioned->second};
}

engine::IndexDefinition DefinitionOf(const TableSettings& settings, const IndexSettings& index) {
  engine::IndexDefinition definition;
  definition.name = index.name;
  definition.is_global = !index.is_local;
  definition.key_schema = KeySchemaOf(index.partition_key, index.sort_key);
  definition.projection = static_cast<engine::ProjectionType>(index.projection);
  if (!index.include.empty()) definition.non_key_attributes = index.include;
  if (!index.is_local) definition.throughput = ThroughputOf(settings.provisioned);
  return definition;
}

engine::BillingMode BillingModeOf(
    const std::optional<std::pair<std::int64_t, std::int64_t>>& provisioned) {
  return provisioned ? engine::BillingMode::kProvisioned : engine::BillingMode::kPayPerRequest;
}

engine::UpdateTableRequest RequestOf(const TableSettings& settings, const SetBilling& step) {
  engine::UpdateTableRequest request{.table = settings.name};
  request.billing_mode = BillingModeOf(step.provisioned);
  request.throughput = ThroughputOf(step.provisioned);
  if (!step.provisioned) return request;
  for (const std::string& index : step.indexes) {
    if (!request.global_index_updates) request.global_index_updates.emplace();
    engine::GlobalIndexUpdate update;
    update.update = {.name = index, .throughput = ThroughputOf(step.provisioned)};
    request.global_index_updates->push_back(std::move(update));
  }
  return request;
}

engine::UpdateTableRequest RequestOf(const TableSettings& settings, const SetStream& step) {
  engine::UpdateTableRequest request{.table = settings.name};
  request.stream = SpecificationOf(step.images);
  return request;
}

engine::UpdateTableRequest RequestOf(const TableSettings& settings, const RemoveIndex& step) {
  engine::UpdateTableRequest request{.table = settings.name};
  engine::GlobalIndexUpdate update;
  update.remove = step.name;
  request.global_index_updates = {{std::move(update)}};
  return request;
}

engine::UpdateTableRequest RequestOf(const TableSettings& settings, const AddIndex& step) {
  engine::UpdateTableRequest request{.table = settings.name};
  request.attribute_definitions = DefinitionsOf(KeyTypesOf(settings, {{step.index}}));
  engine::GlobalIndexUpdate update;
  update.create = DefinitionOf(settings, step.index);
  request.global_index_updates = {{std::move(update)}};
  return request;
}

engine::UpdateTimeToLiveRequest RequestOf(const TableSettings& settings,
                                          const SetTimeToLive& step) {
  return {.table = settings.name, .attribute = step.attribute, .is_enabled = step.is_enabled};
}

// What the engine has not.
std::monostate RequestOf(const TableSettings& /*settings*/,
                         const SetPointInTimeRecovery& /*step*/) {
  return {};
}
std::monostate RequestOf(const TableSettings& /*settings*/, const SetEncryption& /*step*/) {
  return {};
}

}  // namespace

TableSettings SettingsOf(const engine::TableSchema& schema) {
  TableSettings settings;
  settings.name = schema.name;
  settings.partition_key = schema.partition.name;
  if (schema.sort) settings.sort_key = schema.sort->name;
  for (const engine::KeyAttribute& attribute : schema.attribute_definitions)
    settings.key_types.emplace(attribute.name, KeyTypeOf(attribute.type));
  settings.is_active = schema.status == engine::TableStatus::kActive;
  for (const engine::IndexSchema& index : schema.indexes) {
    settings.indexes.push_back(SettingsOf(index));
    settings.is_active = settings.is_active && settings.indexes.back().is_active;
  }
  if (schema.billing_mode == engine::BillingMode::kProvisioned) {
    settings.provisioned = {schema.throughput.read_capacity_units,
                            schema.throughput.write_capacity_units};
  }
  if (schema.stream && schema.stream->is_enabled) {
    settings.stream = ImagesOf(schema.stream->view_type);
  }
  if (schema.time_to_live) {
    if (schema.time_to_live->is_enabled) settings.time_to_live = schema.time_to_live->attribute;
    settings.is_active = settings.is_active && schema.time_to_live->is_enabled;
  }
  return settings;
}

engine::CreateTableRequest CreateRequestOf(const TableSettings& settings) {
  engine::CreateTableRequest request;
  request.table = settings.name;
  request.attribute_definitions = DefinitionsOf(KeyTypesOf(settings, settings.indexes));
  request.key_schema = KeySchemaOf(settings.partition_key, settings.sort_key);
  for (const IndexSettings& index : settings.indexes) {
    auto& indexes = index.is_local ? request.local_indexes : request.global_indexes;
    if (!indexes) indexes.emplace();
    indexes->push_back(DefinitionOf(settings, index));
  }
  request.billing_mode = BillingModeOf(settings.provisioned);
  request.throughput = ThroughputOf(settings.provisioned);
  if (settings.stream != StreamImages::kNone) request.stream = SpecificationOf(settings.stream);
  return request;
}

Status DoStep(engine::Database& database, const TableSettings& settings, const TableStep& step) {
  engine::Request request =
      std::visit([&](const auto& it) -> engine::Request { return RequestOf(settings, it); }, step);
  if (const auto* update = std::get_if<engine::UpdateTableRequest>(&request)) {
    TRY(engine::CheckUpdate(*update));
  }
  TRY(database.Execute(std::move(request)));
  return Ok();
}

}  // namespace trestle::design
