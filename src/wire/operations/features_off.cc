// Operations that say that a feature is off, in the words of the service: backups, exports and
// imports, global tables, contributor insights, Kinesis, resource policies. Those that would turn
// such a feature on are not there at all.

#include <string>

#include <fmt/format.h>

#include "protocol/arn.h"
#include "wire/item_options.h"
#include "wire/members.h"
#include "wire/operations.h"
#include "wire/shapes.h"
#include "wire/tag_json.h"

namespace trestle::wire {
namespace {

// What the service has a name of its own for, when it is not there.
Error NotFoundAs(std::string_view name, std::string message) {
  ErrorDetails details;
  details.name = name;
  return {ErrorCode::kResourceNotFound, std::move(message),
          std::make_shared<const ErrorDetails>(std::move(details))};
}

// Operations that ask about a table: it is looked up, and only a table that is there gets a reply.

constexpr Member kTableMembers[] = {
    {"TableName", &kManagedTableNameShape, Presence::kRequired},
};
constexpr Shape kTableInput = {
    .kind = Kind::kStructure, .name = "DescribeTableInput", .members = kTableMembers};

Result<engine::DescribeTableRequest> ParseTable(const json::Object& body,
                                                const CallContext& context) {
  return engine::DescribeTableRequest{.table = TRY(ParseTableName(body, context))};
}

constexpr Operation TableOperation(std::string_view name, const Shape& input,
                                   decltype(Operation::render) render,
                                   decltype(Operation::refuse) refuse = nullptr) {
  Operation operation =
      MakeOperation<engine::DescribeTableRequest, engine::TableReply, ParseTable, nullptr>(
          name, input, refuse);
  operation.render = render;
  return operation;
}

const std::string& TableOf(const engine::Request& request) {
  return std::get<engine::DescribeTableRequest>(request).table;
}

std::optional<Error> RefuseContinuousBackups(const CallContext& /*context*/,
                                             const engine::Request& request,
                                             const Result<engine::Reply>& reply) {
  if (reply.ok()) return std::nullopt;
  return NotFoundAs("TableNotFoundException", fmt::format("Table not found: {}", TableOf(request)));
}

// The service reports every table so that has no point-in-time recovery.
void RenderContinuousBackups(const CallContext& /*context*/, const engine::Request& /*request*/,
                             const engine::Reply& /*reply*/, json::Writer& body) {
  body.Key("ContinuousBackupsDescription");
  body.Raw(R"({"ContinuousBackupsStatus":"ENABLED",)"
           R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}})");
}

constexpr Member kInsightsMembers[] = {
    {"TableName", &kManagedTableNameShape, Presence::kRequired},
    {"IndexName", &kIndexNameShape},
};
constexpr Shape kInsightsInput = {.kind = Kind::kStructure,
                                  .name = "DescribeContributorInsightsInput",
                                  .members = kInsightsMembers};

std::optional<Error> RefuseInsights(const CallContext& context, const engine::Request& request,
                                    const Result<engine::Reply>& reply) {
  if (!reply.ok()) return std::nullopt;
  const auto index = FindString(*context.body, "IndexName");
  if (!index) return std::nullopt;
  const engine::IndexSchema* found =
      std::get<engine::TableReply>(*reply).description.schema->FindIndex(*index);
  if (found != nullptr && found->is_global) return std::nullopt;
  return Error(ErrorCode::kResourceNotFound,
               fmt::format("Requested resource not found: Index: {} not found for table: {}",
                           *index, TableOf(request)));
}

void RenderInsights(const CallContext& context, const engine::Request& request,
                    const engine::Reply& /*reply*/, json::Writer& body) {
  body.Key("TableName");
  body.String(TableOf(request));
  if (const auto index = FindString(*context.body, "IndexName")) {
    body.Key("IndexName");
    body.String(*index);
  }
  body.Key("ContributorInsightsStatus");
  body.String("DISABLED");
}

void RenderKinesis(const CallContext& /*context*/, const engine::Request& request,
                   const engine::Reply& /*reply*/, json::Writer& body) {
  body.Key("TableName");
  body.String(TableOf(request));
  body.Key("KinesisDataStreamDestinations");
  body.Raw("[]");
}

// Resource policies, of tables and streams by their ARN.

constexpr Member kPolicyMembers[] = {
    {"ResourceArn", &kResourceArnShape, Presence::kRequired},
    {"ExpectedRevisionId", &kStringShape},
};
constexpr Shape kPolicyInput = {
    .kind = Kind::kStructure, .name = "GetResourcePolicyInput", .members = kPolicyMembers};

Result<engine::DescribeTableRequest> ParsePolicy(const json::Object& body,
                                                 const CallContext& context) {
  return engine::DescribeTableRequest{.table = TRY(ParseTaggedTable(body, context))};
}

std::optional<Error> RefusePolicy(const CallContext& context, const engine::Request& /*request*/,
                                  const Result<engine::Reply>& reply) {
  if (!reply.ok()) return std::nullopt;
  return NotFoundAs("PolicyNotFoundException",
                    fmt::format("Resource-based policy not found for the provided ResourceArn: {}",
                                *FindString(*context.body, "ResourceArn")));
}

// Deleting what is not there is fine, unless a certain revision was to be deleted.
std::optional<Error> RefuseDeletePolicy(const CallContext& context, const engine::Request& request,
                                        const Result<engine::Reply>& reply) {
  if (!FindString(*context.body, "ExpectedRevisionId")) return std::nullopt;
  return RefusePolicy(context, request, reply);
}

void RenderNothing(const CallContext& /*context*/, const engine::DescribeTableRequest& /*request*/,
                   const engine::TableReply& /*reply*/, json::Writer& /*body*/) {}

// Lists, all empty.

Result<std::monostate> ParseNothing(const json::Object& /*body*/, const CallContext& /*context*/) {
  return std::monostate{};
}

// A table that is named must be there.
Result<engine::Request> ParseInsightsList(const json::Object& body, const CallContext& context) {
  if (!FindString(body, "TableName")) return engine::Request(std::monostate{});
  return engine::Request(TRY(ParseTable(body, context)));
}

template <const std::string_view& kMember>
void RenderEmptyList(const CallContext& /*context*/, const engine::Request& /*request*/,
                     const engine::Reply& /*reply*/, json::Writer& body) {
  body.Key(kMember);
  body.Raw("[]");
}

template <const std::string_view& kMember, auto Parse = ParseNothing>
constexpr Operation ListOperation(std::string_view name, const Shape& input) {
  Operation operation = MakeOperation<std::monostate, std::monostate, Parse, nullptr>(name, input);
  operation.render = RenderEmptyList<kMember>;
  return operation;
}

constexpr std::string_view kBackupSummaries = "BackupSummaries";
constexpr std::string_view kExportSummaries = "ExportSummaries";
constexpr std::string_view kImportSummaryList = "ImportSummaryList";
constexpr std::string_view kGlobalTables = "GlobalTables";
constexpr std::string_view kContributorInsightsSummaries = "ContributorInsightsSummaries";

constexpr Shape kLimit100 = {.kind = Kind::kInteger, .min = 1, .max = 100};
constexpr Shape kLimit25 = {.kind = Kind::kInteger, .min = 1, .max = 25};
constexpr Shape kArnShape = {.kind = Kind::kString, .min = 37, .max = 1024};
constexpr Shape kTimeShape = {.kind = Kind::kLong};
constexpr std::string_view kBackupTypeValues[] = {"SYSTEM", "USER", "AWS_BACKUP", "ALL"};
constexpr Shape kBackupType = {.kind = Kind::kString, .values = kBackupTypeValues};
constexpr Shape kOptionalTableName = {
    .kind = Kind::kString, .min = 3, .max = 255, .pattern = &kNamePattern};

constexpr Member kListBackupsMembers[] = {
    {"TableName", &kManagedTableNameShape},  {"Limit", &kLimit100},
    {"TimeRangeLowerBound", &kTimeShape},    {"TimeRangeUpperBound", &kTimeShape},
    {"ExclusiveStartBackupArn", &kArnShape}, {"BackupType", &kBackupType},
};
constexpr Shape kListBackupsInput = {
    .kind = Kind::kStructure, .name = "ListBackupsInput", .members = kListBackupsMembers};
constexpr Member kListExportsMembers[] = {
    {"TableArn", &kStringShape},
    {"MaxResults", &kLimit25},
    {"NextToken", &kStringShape},
};
constexpr Shape kListExportsInput = {
    .kind = Kind::kStructure, .name = "ListExportsInput", .members = kListExportsMembers};
constexpr Member kListImportsMembers[] = {
    {"TableArn", &kStringShape},
    {"PageSize", &kLimit25},
    {"NextToken", &kStringShape},
};
constexpr Shape kListImportsInput = {
    .kind = Kind::kStructure, .name = "ListImportsInput", .members = kListImportsMembers};
constexpr Member kListGlobalTablesMembers[] = {
    {"ExclusiveStartGlobalTableName", &kOptionalTableName},
    {"Limit", &kPositiveIntegerShape},
    {"RegionName", &kStringShape},
};
constexpr Shape kListGlobalTablesInput = {
    .kind = Kind::kStructure, .name = "ListGlobalTablesInput", .members = kListGlobalTablesMembers};
constexpr Member kListInsightsMembers[] = {
    {"TableName", &kManagedTableNameShape},
    {"NextToken", &kStringShape},
    {"MaxResults", &kLimit100},
};
constexpr Shape kListInsightsInput = {.kind = Kind::kStructure,
                                      .name = "ListContributorInsightsInput",
                                      .members = kListInsightsMembers};

// What is asked for by an ARN or a name, and never there.

template <const auto& kMemberName, auto MakeError>
Result<std::monostate> ParseMissing(const json::Object& body, const CallContext& context) {
  return MakeError(*FindString(body, kMemberName), context);
}

template <const auto& kMemberName, auto MakeError>
constexpr Operation MissingOperation(std::string_view name, const Shape& input) {
  return MakeOperation<std::monostate, std::monostate, ParseMissing<kMemberName, MakeError>,
                       nullptr>(name, input);
}

// A part of a table by its ARN: "...:table/<table>/<kind>/<id>".
Error MissingPart(std::string_view arn, const CallContext& context, std::string_view kind) {
  const auto table = protocol::ParseArn(arn.substr(0, arn.find(fmt::format("/{}/", kind))));
  if (!arn.starts_with("arn:") || arn.find(fmt::format("/{}/", kind)) == std::string_view::npos ||
      !table) {
    return ValidationError(fmt::format("Invalid {} ARN", kind == "backup"   ? "Backup"
                                                         : kind == "export" ? "Export"
                                                                            : "Import"));
  }
  if (table->account_id != context.account_id) {
    return {ErrorCode::kAccessDenied, "Access is denied"};
  }
  if (kind == "backup") {
    return NotFoundAs("BackupNotFoundException", fmt::format("Backup not found: {}", arn));
  }
  if (kind == "export") {
    return NotFoundAs("ExportNotFoundException",
                      fmt::format("Export not found: Export not found: {}", arn));
  }
  return NotFoundAs("ImportNotFoundException",
                    fmt::format("Import not found: Import not found: {}", arn));
}

Error MissingBackup(std::string_view arn, const CallContext& context) {
  return MissingPart(arn, context, "backup");
}
Error MissingExport(std::string_view arn, const CallContext& context) {
  return MissingPart(arn, context, "export");
}
Error MissingImport(std::string_view arn, const CallContext& context) {
  return MissingPart(arn, context, "import");
}

std::string NoGlobalTable(std::string_view name) {
  return fmt::format("Global table with name: '{}' does not exist.", name);
}
Error MissingGlobalTable(std::string_view name, const CallContext& /*context*/) {
  return NotFoundAs("GlobalTableNotFoundException",
                    "Global table not found: " + NoGlobalTable(name));
}
Error MissingGlobalTableSettings(std::string_view name, const CallContext& /*context*/) {
  return NotFoundAs("GlobalTableNotFoundException", NoGlobalTable(name));
}
Error MissingReplicas(std::string_view name, const CallContext& /*context*/) {
  return {ErrorCode::kResourceNotFound, NoGlobalTable(name)};
}

constexpr std::string_view kBackupArn = "BackupArn";
constexpr std::string_view kExportArn = "ExportArn";
constexpr std::string_view kImportArn = "ImportArn";
constexpr std::string_view kGlobalTableName = "GlobalTableName";
constexpr std::string_view kTableName = "TableName";

constexpr Member kBackupMembers[] = {{kBackupArn, &kArnShape, Presence::kRequired}};
constexpr Shape kBackupInput = {
    .kind = Kind::kStructure, .name = "DescribeBackupInput", .members = kBackupMembers};
constexpr Member kExportMembers[] = {{kExportArn, &kArnShape, Presence::kRequired}};
constexpr Shape kExportInput = {
    .kind = Kind::kStructure, .name = "DescribeExportInput", .members = kExportMembers};
constexpr Member kImportMembers[] = {{kImportArn, &kArnShape, Presence::kRequired}};
constexpr Shape kImportInput = {
    .kind = Kind::kStructure, .name = "DescribeImportInput", .members = kImportMembers};
constexpr Shape kGlobalTableNameShape = {.kind = Kind::kString,
                                         .min = 3,
                                         .max = 255,
                                         .pattern = &kNamePattern,
                                         .table_name = TableNameRule::kSentences};
constexpr Member kGlobalTableMembers[] = {
    {kGlobalTableName, &kGlobalTableNameShape, Presence::kRequired}};
constexpr Shape kGlobalTableInput = {
    .kind = Kind::kStructure, .name = "DescribeGlobalTableInput", .members = kGlobalTableMembers};

// The service has closed the first version of global tables to everybody.
Result<std::monostate> RefuseGlobalTable(const json::Object& /*body*/,
                                         const CallContext& /*context*/) {
  return ValidationError(
      "One or more parameter values were invalid: DynamoDB global tables version 2017.11.29 is not "
      "supported. We recommend using DynamoDB global tables version 2019.11.21, instead of version "
      "2017.11.29 (Legacy).");
}

}  // namespace

constinit const Operation kCreateGlobalTable =
    MakeOperation<std::monostate, std::monostate, RefuseGlobalTable, nullptr>("CreateGlobalTable",
                                                                              kGlobalTableInput);
constinit const Operation kDeleteBackup =
    MissingOperation<kBackupArn, MissingBackup>("DeleteBackup", kBackupInput);
constinit const Operation kDeleteResourcePolicy =
    MakeOperation<engine::DescribeTableRequest, engine::TableReply, ParsePolicy, RenderNothing>(
        "DeleteResourcePolicy", kPolicyInput, RefuseDeletePolicy);
constinit const Operation kDescribeBackup =
    MissingOperation<kBackupArn, MissingBackup>("DescribeBackup", kBackupInput);
constinit const Operation kDescribeContinuousBackups = TableOperation(
    "DescribeContinuousBackups", kTableInput, RenderContinuousBackups, RefuseContinuousBackups);
constinit const Operation kDescribeContributorInsights =
    TableOperation("DescribeContributorInsights", kInsightsInput, RenderInsights, RefuseInsights);
constinit const Operation kDescribeExport =
    MissingOperation<kExportArn, MissingExport>("DescribeExport", kExportInput);
constinit const Operation kDescribeGlobalTable =
    MissingOperation<kGlobalTableName, MissingGlobalTable>("DescribeGlobalTable",
                                                           kGlobalTableInput);
constinit const Operation kDescribeGlobalTableSettings =
    MissingOperation<kGlobalTableName, MissingGlobalTableSettings>("DescribeGlobalTableSettings",
                                                                   kGlobalTableInput);
constinit const Operation kDescribeImport =
    MissingOperation<kImportArn, MissingImport>("DescribeImport", kImportInput);
constinit const Operation kDescribeKinesisStreamingDestination =
    TableOperation("DescribeKinesisStreamingDestination", kTableInput, RenderKinesis);
constinit const Operation kDescribeTableReplicaAutoScaling =
    MissingOperation<kTableName, MissingReplicas>("DescribeTableReplicaAutoScaling", kTableInput);
constinit const Operation kGetResourcePolicy =
    MakeOperation<engine::DescribeTableRequest, engine::TableReply, ParsePolicy, nullptr>(
        "GetResourcePolicy", kPolicyInput, RefusePolicy);
constinit const Operation kListBackups =
    ListOperation<kBackupSummaries>("ListBackups", kListBackupsInput);
constinit const Operation kListContributorInsights =
    ListOperation<kContributorInsightsSummaries, ParseInsightsList>("ListContributorInsights",
                                                                    kListInsightsInput);
constinit const Operation kListExports =
    ListOperation<kExportSummaries>("ListExports", kListExportsInput);
constinit const Operation kListGlobalTables =
    ListOperation<kGlobalTables>("ListGlobalTables", kListGlobalTablesInput);
constinit const Operation kListImports =
    ListOperation<kImportSummaryList>("ListImports", kListImportsInput);

}  // namespace trestle::wire
