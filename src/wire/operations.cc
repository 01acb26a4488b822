#include "wire/operations.h"

#include <array>

namespace trestle::wire {
namespace {

constexpr std::array kAll = {
    &kBatchExecuteStatement,
    &kBatchGetItem,
    &kBatchWriteItem,
    &kCreateGlobalTable,
    &kCreateTable,
    &kDeleteBackup,
    &kDeleteItem,
    &kDeleteResourcePolicy,
    &kDeleteTable,
    &kDescribeBackup,
    &kDescribeContinuousBackups,
    &kDescribeContributorInsights,
    &kDescribeEndpoints,
    &kDescribeExport,
    &kDescribeGlobalTable,
    &kDescribeGlobalTableSettings,
    &kDescribeImport,
    &kDescribeKinesisStreamingDestination,
    &kDescribeLimits,
    &kDescribeStream,
    &kDescribeTable,
    &kDescribeTableReplicaAutoScaling,
    &kDescribeTimeToLive,
    &kExecuteStatement,
    &kExecuteTransaction,
    &kGetItem,
    &kGetRecords,
    &kGetResourcePolicy,
    &kGetShardIterator,
    &kListBackups,
    &kListContributorInsights,
    &kListExports,
    &kListGlobalTables,
    &kListImports,
    &kListStreams,
    &kListTables,
    &kListTagsOfResource,
    &kPutItem,
    &kQuery,
    &kScan,
    &kTagResource,
    &kTransactGetItems,
    &kTransactWriteItems,
    &kUntagResource,
    &kUpdateItem,
    &kUpdateTable,
    &kUpdateTimeToLive,
};

constexpr std::string_view PrefixOf(Api api) {
  return api == Api::kStreams ? "DynamoDBStreams_20120810" : "DynamoDB_20120810";
}

}  // namespace

std::span<const Operation* const> AllOperations() { return kAll; }

std::optional<std::size_t> FindOperation(std::string_view target) {
  const std::size_t dot = target.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const std::string_view prefix = target.substr(0, dot);
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    if (kAll[i]->name == target.substr(dot + 1) && PrefixOf(kAll[i]->api) == prefix) return i;
  }
  return std::nullopt;
}

}  // namespace trestle::wire
