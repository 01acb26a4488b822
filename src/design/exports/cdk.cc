#include <string_view>
#include <variant>

#include <fmt/format.h>

#include "design/exports/exports.h"
#include "design/exports/table_words_internal.h"
#include "design/table_settings.h"

namespace trestle::design {
namespace {

std::string_view AttributeTypeWord(KeyType type) {
  switch (type) {
    case KeyType::kString:
      return "STRING";
    case KeyType::kNumber:
      return "NUMBER";
    case KeyType::kBinary:
      return "BINARY";
  }
  return "STRING";
}

// partitionKey and sortKey of a table or an index, each on its line.
std::string Keys(const TableSettings& settings, const std::string& partition_key,
                 const std::string& sort_key, std::string_view indent) {
  const auto line = [&](std::string_view role, const std::string& name) {
    return fmt::format("{}{}: {{ name: {}, type: dynamodb.AttributeType.{} }},\n", indent, role,
                       Quoted(name), AttributeTypeWord(settings.key_types.at(name)));
  };
  std::string out = line("partitionKey", partition_key);
  if (!sort_key.empty()) out += line("sortKey", sort_key);
  return out;
}

std::string IndexCall(const TableSettings& settings, const IndexSettings& index) {
  std::string out = fmt::format(
      "    this.table.{}({{\n      indexName: {},\n",
      index.is_local ? "addLocalSecondaryIndex" : "addGlobalSecondaryIndex", Quoted(index.name));
  // A local index has the table's partition key.
  std::string keys = Keys(settings, index.partition_key, index.sort_key, "      ");
  out += index.is_local ? keys.substr(keys.find('\n') + 1) : keys;
  out += fmt::format("      projectionType: dynamodb.ProjectionType.{},\n",
                     ProjectionWord(index.projection));
  if (index.projection == IndexSettings::Projection::kInclude) {
    out += "      nonKeyAttributes: [";
    for (const std::string& name : index.include)
      out += (out.ends_with('[') ? "" : ", ") + Quoted(name);
    out += "],\n";
  }
  return out + "    });\n";
}

std::string Encryption(const Model& model, const TableSettings& settings) {
  switch (settings.encryption) {
    case TableSettings::Encryption::kAwsOwned:
      return "";
    case TableSettings::Encryption::kAwsManaged:
      return "      encryption: dynamodb.TableEncryption.AWS_MANAGED,\n";
    case TableSettings::Encryption::kKms:
      break;
  }
  std::string out = "      encryption: dynamodb.TableEncryption.CUSTOMER_MANAGED,\n";
  const auto* kms = std::get_if<syntax::KmsEncryption>(&model.table.encryption);
  if (kms == nullptr || !kms->key) return out;
  const KeyTemplate key(*kms->key, model.table.separator);
  return out + fmt::format("      encryptionKey: kms.Alias.fromAliasName(this, \"Key\", `{}`),\n",
                           WithParameters(key, "${", "}"));
}

std::string Properties(const Model& model, const TableSettings& settings) {
  std::string out =
      fmt::format("      tableName: `{}`,\n", WithParameters(model.table.name, "${", "}"));
  out += Keys(settings, settings.partition_key, settings.sort_key, "      ");
  out +=
      "      billingMode: billingMode,\n"
      "      readCapacity: isProvisioned ? props.readCapacity : undefined,\n"
      "      writeCapacity: isProvisioned ? props.writeCapacity : undefined,\n";
  out += fmt::format(
      "      pointInTimeRecoverySpecification: {{\n"
      "        pointInTimeRecoveryEnabled: props.pointInTimeRecovery ?? {},\n      }},\n",
      settings.point_in_time_recovery);
  out += Encryption(model, settings);
  if (!settings.time_to_live.empty())
    out += fmt::format("      timeToLiveAttribute: {},\n", Quoted(settings.time_to_live));
  if (settings.stream != StreamImages::kNone)
    out += fmt::format(
        "      stream: dynamodb.StreamViewType.{},\n",
        settings.stream == StreamImages::kKeys ? "KEYS_ONLY" : ViewTypeWord(settings.stream));
  return out + "      removalPolicy: RemovalPolicy.RETAIN,\n";
}

}  // namespace

Result<std::string> ToCdk(const Model& model) {
  const TableSettings settings = TRY(SettingsOf(model, {}));
  const bool has_key = settings.encryption == TableSettings::Encryption::kKms;
  std::string out = fmt::format(
      "// The table of the design {}.\n"
      "import {{ RemovalPolicy }} from \"aws-cdk-lib\";\n"
      "import * as dynamodb from \"aws-cdk-lib/aws-dynamodb\";\n{}"
      "import {{ Construct }} from \"constructs\";\n\n"
      "export interface {}TableProps {{\n",
      model.name, has_key ? "import * as kms from \"aws-cdk-lib/aws-kms\";\n" : "", model.name);
  for (const DesignParameter& it : model.parameters)
    out += fmt::format("  /** {} unless given. */\n  readonly {}?: string;\n",
                       Quoted(it.default_value), it.name);
  out += fmt::format(
      "  readonly billingMode?: dynamodb.BillingMode;\n"
      "  readonly readCapacity?: number;\n"
      "  readonly writeCapacity?: number;\n"
      "  readonly pointInTimeRecovery?: boolean;\n}}\n\n"
      "export class {0}Table extends Construct {{\n"
      "  readonly table: dynamodb.Table;\n\n"
      "  constructor(scope: Construct, id: string, props: {0}TableProps = {{}}) {{\n"
      "    super(scope, id);\n",
      model.name);
  for (const DesignParameter& it : model.parameters)
    out += fmt::format("    const {0} = props.{0} ?? {1};\n", it.name, Quoted(it.default_value));
  out += fmt::format(
      "    const billingMode = props.billingMode ?? dynamodb.BillingMode.{};\n"
      "    const isProvisioned = billingMode === dynamodb.BillingMode.PROVISIONED;\n"
      "    this.table = new dynamodb.Table(this, \"Table\", {{\n{}    }});\n",
      settings.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST", Properties(model, settings));
  for (const IndexSettings& index : settings.indexes)
    out += IndexCall(settings, index);
  return out + "  }\n}\n";
}

}  // namespace trestle::design
