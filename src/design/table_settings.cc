#include "design/table_settings.h"

#include <variant>

#include <fmt/format.h>

#include "design/stored_type.h"
#include "protocol/arn.h"

namespace trestle::design {
namespace {

Result<Record> ParametersOf(const Model& model, const ParameterValues& values) {
  Record parameters;
  for (const DesignParameter& parameter : model.parameters)
    parameters.SetText(parameter.name, parameter.default_value);
  for (const auto& [name, value] : values) {
    if (!parameters.Find(name)) {
      return ValidationError(fmt::format("The design has no parameter {}", name));
    }
    parameters.SetText(name, value);
  }
  return parameters;
}

// A key of another type is refused by the checks.
KeyType KeyTypeOf(const ValueType& type) {
  const value::Type stored = StoredType(type);
  return stored == value::Type::kN   ? KeyType::kNumber
         : stored == value::Type::kB ? KeyType::kBinary
                                     : KeyType::kString;
}

// The types of the attributes that `kind` shares with indexes.
void AddDirectKeys(const ItemKind& kind, const Entity& entity,
                   std::map<std::string, KeyType>& types) {
  for (const IndexForm& form : kind.indexes) {
    if (!form.is_direct) continue;
    for (const std::string& name : {form.index->partition_key, form.index->sort_key}) {
      const Attribute* attribute = entity.FindAttribute(name);
      if (attribute != nullptr) types[name] = KeyTypeOf(attribute->type);
    }
  }
}

std::map<std::string, KeyType> KeyTypesOf(const Model& model) {
  std::map<std::string, KeyType> types;
  const auto add = [&](const std::string& name) {
    if (!name.empty()) types.emplace(name, KeyType::kString);
  };
  add(model.table.partition_key);
  add(model.table.sort_key);
  for (const Index& index : model.table.indexes) {
    add(index.partition_key);
    add(index.sort_key);
  }
  for (const Entity& entity : model.entities)
    AddDirectKeys(entity, entity, types);
  for (const Mirror& mirror : model.mirrors)
    AddDirectKeys(mirror, *mirror.of, types);
  return types;
}

IndexSettings SettingsOf(const Index& index) {
  IndexSettings settings{.name = index.name,
                         .is_local = index.is_local,
                         .partition_key = index.partition_key,
                         .sort_key = index.sort_key};
  if (std::holds_alternative<syntax::ProjectKeys>(index.projection)) {
    settings.projection = IndexSettings::Projection::kKeys;
  }
  if (const auto* include = std::get_if<syntax::ProjectInclude>(&index.projection)) {
    settings.projection = IndexSettings::Projection::kInclude;
    for (const syntax::Name& attribute : include->attributes)
      settings.include.push_back(attribute.text);
  }
  return settings;
}

StreamImages ImagesOf(syntax::StreamView view) {
  switch (view) {
    case syntax::StreamView::kOff:
      return StreamImages::kNone;
    case syntax::StreamView::kNewAndOld:
      return StreamImages::kNewAndOld;
    case syntax::StreamView::kNew:
      return StreamImages::kNew;
    case syntax::StreamView::kOld:
      return StreamImages::kOld;
    case syntax::StreamView::kKeys:
      return StreamImages::kKeys;
  }
  return StreamImages::kNone;
}

Status AddEncryption(const Table& table, const Record& parameters, TableSettings& settings) {
  if (const auto* service = std::get_if<syntax::ServiceEncryption>(&table.encryption)) {
    settings.encryption = service->key == syntax::ServiceKey::kAwsOwned
                              ? TableSettings::Encryption::kAwsOwned
                              : TableSettings::Encryption::kAwsManaged;
    return Ok();
  }
  settings.encryption = TableSettings::Encryption::kKms;
  const auto& key = std::get<syntax::KmsEncryption>(table.encryption).key;
  if (key) settings.kms_key = TRY(KeyTemplate(*key, table.separator).Compose(parameters));
  return Ok();
}

}  // namespace

Result<TableSettings> SettingsOf(const Model& model, const ParameterValues& parameters) {
  const Record values = TRY(ParametersOf(model, parameters));
  const Table& table = model.table;
  TableSettings settings;
  settings.name = TRY(table.name.Compose(values));
  if (!protocol::IsTableName(settings.name)) {
    return ValidationError(
        fmt::format("`{}` is not a table's name: it must have 3 to 255 of a-z, A-Z, 0-9, '_', '-' "
                    "and '.'",
                    settings.name));
  }
  settings.partition_key = table.partition_key;
  settings.sort_key = table.sort_key;
  settings.key_types = KeyTypesOf(model);
  for (const Index& index : table.indexes)
    settings.indexes.push_back(SettingsOf(index));
  if (const auto* billing = std::get_if<syntax::ProvisionedBilling>(&table.billing)) {
    settings.provisioned = {billing->read_units, billing->write_units};
  }
  settings.stream = ImagesOf(table.stream);
  settings.time_to_live = table.time_to_live;
  settings.point_in_time_recovery = table.point_in_time_recovery;
  TRY(AddEncryption(table, values, settings));
  return settings;
}

}  // namespace trestle::design
