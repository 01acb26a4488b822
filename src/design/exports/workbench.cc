#include <map>
#include <string_view>
#include <variant>

#include "design/exports/exports.h"
#include "design/exports/table_words_internal.h"
#include "design/stored_type.h"
#include "design/syntax/template_text.h"
#include "design/table_settings.h"
#include "json/json.h"

namespace trestle::design {
namespace {

class ModelWriter {
 public:
  ModelWriter(const Model& model, const TableSettings& settings, std::string& out)
      : model_(model), settings_(settings), json_(out) {}

  void Write() {
    json_.BeginObject();
    Text("ModelName", model_.name);
    json_.Key("ModelMetadata");
    json_.BeginObject();
    Text("Author", "");
    Text("Description", "The design " + model_.name);
    Text("AWSService", "Amazon DynamoDB");
    Text("Version", "3.0");
    json_.EndObject();
    json_.Key("DataModel");
    json_.BeginArray();
    WriteTable();
    json_.EndArray();
    json_.EndObject();
  }

 private:
  void Text(std::string_view key, std::string_view text) {
    json_.Key(key);
    json_.String(text);
  }

  void WriteTable() {
    json_.BeginObject();
    Text("TableName", settings_.name);
    WriteKeys(settings_.partition_key, settings_.sort_key);
    WriteAttributes();
    json_.Key("TableFacets");
    json_.BeginArray();
    for (const Entity& entity : model_.entities) {
      std::vector<std::string> names;
      for (const Attribute& attribute : entity.attributes) {
        if (!attribute.is_key_only) names.push_back(attribute.name);
      }
      WriteFacet(entity, names);
    }
    for (const Mirror& mirror : model_.mirrors)
      WriteFacet(mirror, mirror.include);
    json_.EndArray();
    json_.Key("GlobalSecondaryIndexes");
    json_.BeginArray();
    for (const IndexSettings& index : settings_.indexes) {
      if (index.is_local) continue;
      json_.BeginObject();
      Text("IndexName", index.name);
      WriteKeys(index.partition_key, index.sort_key);
      json_.Key("Projection");
      WriteProjection(index, json_);
      json_.EndObject();
    }
    json_.EndArray();
    json_.Key("TableData");
    json_.Raw("[]");
    json_.Key("DataAccess");
    json_.Raw(R"({"MySql":{}})");
    Text("BillingMode", settings_.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
    json_.EndObject();
  }

  void WriteKeys(const std::string& partition_key, const std::string& sort_key) {
    json_.Key("KeyAttributes");
    json_.BeginObject();
    const auto write = [&](std::string_view role, const std::string& name) {
      json_.Key(role);
      WriteAttribute(name, TypeWord(settings_.key_types.at(name)));
    };
    write("PartitionKey", partition_key);
    if (!sort_key.empty()) write("SortKey", sort_key);
    json_.EndObject();
  }

  void WriteAttribute(std::string_view name, std::string_view type) {
    json_.BeginObject();
    Text("AttributeName", name);
    Text("AttributeType", type);
    json_.EndObject();
  }

  // Of all kinds of items. One that has two types gets that of the first.
  void WriteAttributes() {
    std::map<std::string, std::string_view> types;
    for (const Entity& entity : model_.entities) {
      for (const Attribute& attribute : entity.attributes) {
        if (!attribute.is_key_only)
          types.emplace(attribute.name, TypeName(StoredType(attribute.type)));
      }
    }
    for (const auto& [name, type] : settings_.key_types)
      types.emplace(name, TypeWord(type));
    if (!model_.table.discriminator.empty()) types.emplace(model_.table.discriminator, "S");
    if (!model_.table.lock.empty()) types.emplace(model_.table.lock, "N");
    types.erase(settings_.partition_key);
    types.erase(settings_.sort_key);
    json_.Key("NonKeyAttributes");
    json_.BeginArray();
    for (const auto& [name, type] : types)
      WriteAttribute(name, type);
    json_.EndArray();
  }

  void WriteFacet(const ItemKind& kind, const std::vector<std::string>& attributes) {
    const KeyForm& key = kind.keys.front();
    json_.BeginObject();
    Text("FacetName", kind.name);
    json_.Key("KeyAttributeAlias");
    json_.BeginObject();
    Text("PartitionKeyAlias", syntax::TemplateText(key.partition_key.source()));
    if (key.sort_key) Text("SortKeyAlias", syntax::TemplateText(key.sort_key->source()));
    json_.EndObject();
    json_.Key("TableData");
    json_.Raw("[]");
    json_.Key("NonKeyAttributes");
    json_.BeginArray();
    for (const std::string& name : attributes)
      json_.String(name);
    json_.EndArray();
    json_.Key("DataAccess");
    json_.Raw(R"({"MySql":{}})");
    json_.EndObject();
  }

  const Model& model_;
  const TableSettings& settings_;
  json::Writer json_;
};

}  // namespace

Result<std::string> ToWorkbench(const Model& model) {
  const TableSettings settings = TRY(SettingsOf(model, {}));
  std::string out;
  ModelWriter(model, settings, out).Write();
  return json::Indented(out) + "\n";
}

}  // namespace trestle::design
