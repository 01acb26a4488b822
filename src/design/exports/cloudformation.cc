#include <string_view>
#include <variant>

#include "design/exports/exports.h"
#include "design/exports/table_words_internal.h"
#include "design/syntax/template_text.h"
#include "design/table_settings.h"
#include "json/json.h"

namespace trestle::design {
namespace {

// Writes the one table of a template, part by part.
class TemplateWriter {
 public:
  TemplateWriter(const Model& model, const TableSettings& settings, std::string& out)
      : model_(model), settings_(settings), json_(out) {}

  void Write() {
    json_.BeginObject();
    Text("AWSTemplateFormatVersion", "2010-09-09");
    Text("Description", "The table of the design " + model_.name);
    WriteParameters();
    json_.Key("Conditions");
    json_.BeginObject();
    json_.Key("IsProvisioned");
    json_.Raw(R"({"Fn::Equals":[{"Ref":"BillingMode"},"PROVISIONED"]})");
    json_.EndObject();
    json_.Key("Resources");
    json_.BeginObject();
    json_.Key("Table");
    json_.BeginObject();
    Text("Type", "AWS::DynamoDB::Table");
    Text("DeletionPolicy", "Retain");
    Text("UpdateReplacePolicy", "Retain");
    json_.Key("Properties");
    WriteProperties();
    json_.EndObject();
    json_.EndObject();
    WriteOutputs();
    json_.EndObject();
  }

 private:
  void Text(std::string_view key, std::string_view text) {
    json_.Key(key);
    json_.String(text);
  }
  void Reference(std::string_view key, std::string_view name) {
    json_.Key(key);
    json_.BeginObject();
    Text("Ref", name);
    json_.EndObject();
  }
  // A template of parameters: {Stage} is ${Stage} there.
  void Substitution(std::string_view key, const KeyTemplate& text) {
    json_.Key(key);
    json_.BeginObject();
    Text("Fn::Sub", WithParameters(text, "${", "}"));
    json_.EndObject();
  }

  void Parameter(std::string_view name, std::string_view type, std::string_view default_value,
                 std::string_view description, std::string_view allowed = {}) {
    json_.Key(name);
    json_.BeginObject();
    Text("Type", type);
    Text("Default", default_value);
    Text("Description", description);
    if (!allowed.empty()) {
      json_.Key("AllowedValues");
      json_.Raw(allowed);
    }
    json_.EndObject();
  }

  void WriteParameters() {
    json_.Key("Parameters");
    json_.BeginObject();
    for (const DesignParameter& it : model_.parameters)
      Parameter(it.name, "String", it.default_value, "A parameter of the design");
    const bool is_provisioned = settings_.provisioned.has_value();
    Parameter("BillingMode", "String", is_provisioned ? "PROVISIONED" : "PAY_PER_REQUEST",
              "How the table is paid for", R"(["PAY_PER_REQUEST","PROVISIONED"])");
    const auto [read, write] = settings_.provisioned.value_or(std::pair(5, 5));
    Parameter("ReadCapacityUnits", "Number", std::to_string(read),
              "Of the table and of each index, when provisioned");
    Parameter("WriteCapacityUnits", "Number", std::to_string(write),
              "Of the table and of each index, when provisioned");
    Parameter("PointInTimeRecovery", "String", settings_.point_in_time_recovery ? "true" : "false",
              "Whether every moment of the last days can be restored", R"(["true","false"])");
    json_.EndObject();
  }

  void WriteKeys(const std::string& partition_key, const std::string& sort_key) {
    json_.Key("KeySchema");
    json_.BeginArray();
    const auto write = [&](std::string_view name, std::string_view type) {
      json_.BeginObject();
      Text("AttributeName", name);
      Text("KeyType", type);
      json_.EndObject();
    };
    write(partition_key, "HASH");
    if (!sort_key.empty()) write(sort_key, "RANGE");
    json_.EndArray();
  }

  void WriteThroughput() {
    json_.Key("ProvisionedThroughput");
    json_.Raw(R"({"Fn::If":["IsProvisioned",{"ReadCapacityUnits":{"Ref":"ReadCapacityUnits"},)"
              R"("WriteCapacityUnits":{"Ref":"WriteCapacityUnits"}},{"Ref":"AWS::NoValue"}]})");
  }

  void WriteIndexes(std::string_view key, bool is_local) {
    bool is_open = false;
    for (const IndexSettings& index : settings_.indexes) {
      if (index.is_local != is_local) continue;
      if (!is_open) {
        json_.Key(key);
        json_.BeginArray();
        is_open = true;
      }
      json_.BeginObject();
      Text("IndexName", index.name);
      WriteKeys(index.partition_key, index.sort_key);
      json_.Key("Projection");
      WriteProjection(index, json_);
      if (!is_local) WriteThroughput();
      json_.EndObject();
    }
    if (is_open) json_.EndArray();
  }

  void WriteEncryption() {
    if (settings_.encryption == TableSettings::Encryption::kAwsOwned) return;
    json_.Key("SSESpecification");
    json_.BeginObject();
    json_.Key("SSEEnabled");
    json_.Bool(true);
    Text("SSEType", "KMS");
    const auto* kms = std::get_if<syntax::KmsEncryption>(&model_.table.encryption);
    if (kms != nullptr && kms->key) {
      Substitution("KMSMasterKeyId", KeyTemplate(*kms->key, model_.table.separator));
    }
    json_.EndObject();
  }

  void WriteProperties() {
    json_.BeginObject();
    Substitution("TableName", model_.table.name);
    json_.Key("AttributeDefinitions");
    WriteKeyTypes(settings_, json_);
    WriteKeys(settings_.partition_key, settings_.sort_key);
    WriteIndexes("GlobalSecondaryIndexes", false);
    WriteIndexes("LocalSecondaryIndexes", true);
    Reference("BillingMode", "BillingMode");
    WriteThroughput();
    json_.Key("PointInTimeRecoverySpecification");
    json_.Raw(R"({"PointInTimeRecoveryEnabled":{"Ref":"PointInTimeRecovery"}})");
    WriteEncryption();
    if (!settings_.time_to_live.empty()) {
      json_.Key("TimeToLiveSpecification");
      json_.BeginObject();
      Text("AttributeName", settings_.time_to_live);
      json_.Key("Enabled");
      json_.Bool(true);
      json_.EndObject();
    }
    if (settings_.stream != StreamImages::kNone) {
      json_.Key("StreamSpecification");
      json_.BeginObject();
      Text("StreamViewType", ViewTypeWord(settings_.stream));
      json_.EndObject();
    }
    json_.EndObject();
  }

  void WriteOutputs() {
    json_.Key("Outputs");
    json_.BeginObject();
    json_.Key("TableName");
    json_.Raw(R"({"Value":{"Ref":"Table"}})");
    json_.Key("TableArn");
    json_.Raw(R"({"Value":{"Fn::GetAtt":["Table","Arn"]}})");
    if (settings_.stream != StreamImages::kNone) {
      json_.Key("StreamArn");
      json_.Raw(R"({"Value":{"Fn::GetAtt":["Table","StreamArn"]}})");
    }
    json_.EndObject();
  }

  const Model& model_;
  const TableSettings& settings_;
  json::Writer json_;
};

}  // namespace

Result<std::string> ToCloudFormation(const Model& model) {
  const TableSettings settings = TRY(SettingsOf(model, {}));
  std::string out;
  TemplateWriter(model, settings, out).Write();
  return json::Indented(out) + "\n";
}

}  // namespace trestle::design
