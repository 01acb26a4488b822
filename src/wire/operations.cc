#include "wire/operations.h"

#include <array>

namespace trestle::wire {
namespace {

constexpr std::array kAll = {
    &kBatchGetItem,
    &kBatchWriteItem,
    &kCreateTable,
    &kDeleteItem,
    &kDeleteTable,
    &kDescribeEndpoints,
    &kDescribeLimits,
    &kDescribeStream,
    &kDescribeTable,
    &kGetItem,
    &kGetRecords,
    &kGetShardIterator,
    &kListStreams,
    &kListTables,
    &kPutItem,
    &kQuery,
    &kScan,
    &kTransactGetItems,
    &kTransactWriteItems,
    &kUpdateItem,
    &kUpdateTable,
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
