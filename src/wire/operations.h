#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "wire/operation.h"

// The list of operations. A new one needs its file in operations/, a line here, a line in
// operations.cc, a scenario in tests/conformance/ and a page in docs/reference/.

namespace trestle::wire {

extern const Operation kBatchExecuteStatement;
extern const Operation kBatchGetItem;
extern const Operation kBatchWriteItem;
extern const Operation kCreateGlobalTable;
extern const Operation kCreateTable;
extern const Operation kDeleteBackup;
extern const Operation kDeleteItem;
extern const Operation kDeleteResourcePolicy;
extern const Operation kDeleteTable;
extern const Operation kDescribeBackup;
extern const Operation kDescribeContinuousBackups;
extern const Operation kDescribeContributorInsights;
extern const Operation kDescribeEndpoints;
extern const Operation kDescribeExport;
extern const Operation kDescribeGlobalTable;
extern const Operation kDescribeGlobalTableSettings;
extern const Operation kDescribeImport;
extern const Operation kDescribeKinesisStreamingDestination;
extern const Operation kDescribeLimits;
extern const Operation kDescribeStream;
extern const Operation kDescribeTable;
extern const Operation kDescribeTableReplicaAutoScaling;
extern const Operation kDescribeTimeToLive;
extern const Operation kExecuteStatement;
extern const Operation kExecuteTransaction;
extern const Operation kGetItem;
extern const Operation kGetRecords;
extern const Operation kGetResourcePolicy;
extern const Operation kGetShardIterator;
extern const Operation kListBackups;
extern const Operation kListContributorInsights;
extern const Operation kListExports;
extern const Operation kListGlobalTables;
extern const Operation kListImports;
extern const Operation kListStreams;
extern const Operation kListTables;
extern const Operation kListTagsOfResource;
extern const Operation kPutItem;
extern const Operation kQuery;
extern const Operation kScan;
extern const Operation kTagResource;
extern const Operation kTransactGetItems;
extern const Operation kTransactWriteItems;
extern const Operation kUntagResource;
extern const Operation kUpdateItem;
extern const Operation kUpdateTable;
extern const Operation kUpdateTimeToLive;

[[nodiscard]] std::span<const Operation* const> AllOperations();

// The position in AllOperations of the operation that clients call by this X-Amz-Target.
[[nodiscard]] std::optional<std::size_t> FindOperation(std::string_view target);

}  // namespace trestle::wire
