#pragma once

#include <cstddef>
#include <cstdint>

// Every limit of the service that more than one file needs, under DynamoDB's own words.

namespace trestle {

inline constexpr std::size_t kItemSizeBytesMax = 400 * 1024;
inline constexpr std::size_t kPartitionKeyBytesMax = 2048;
inline constexpr std::size_t kSortKeyBytesMax = 1024;
inline constexpr std::size_t kKeyAttributeNameBytesMax = 255;
inline constexpr std::size_t kAttributeNameBytesMax = 65535;
inline constexpr std::size_t kDocumentDepthMax = 32;  // of a value; a scalar has 1
inline constexpr std::size_t kPageBytesMax = 1024 * 1024;

inline constexpr std::size_t kBatchWriteRequestsMax = 25;
inline constexpr std::size_t kBatchGetKeysMax = 100;
inline constexpr std::size_t kBatchGetBytesMax = 16 * 1024 * 1024;
inline constexpr std::size_t kTransactActionsMax = 100;
inline constexpr std::size_t kTransactBytesMax = 4 * 1024 * 1024;
inline constexpr std::int64_t kClientTokenLifetimeMs = 10 * 60 * 1000;
inline constexpr std::size_t kClientTokenLengthMax = 36;

inline constexpr std::size_t kExpressionBytesMax = 4096;
inline constexpr std::size_t kExpressionOperatorsMax = 300;
inline constexpr std::size_t kExpressionMapBytesMax = 2 * 1024 * 1024;
inline constexpr std::size_t kInOperandsMax = 100;

inline constexpr std::size_t kStatementLengthMax = 8192;
inline constexpr std::size_t kStatementReadsMax = 50;  // that one SELECT may come down to
inline constexpr std::size_t kBatchStatementsMax = 25;
inline constexpr std::size_t kNextTokenLengthMax = 32768;

inline constexpr std::size_t kGlobalSecondaryIndexesMax = 20;
inline constexpr std::size_t kLocalSecondaryIndexesMax = 5;
inline constexpr std::size_t kNonKeyAttributesMax = 100;
inline constexpr std::size_t kIndexKeyAttributesMax = 4;  // of each role, in a GSI
inline constexpr std::uint64_t kItemCollectionBytesMax = 10ULL * 1024 * 1024 * 1024;
inline constexpr std::size_t kTablesMax = 10'000;

inline constexpr std::int64_t kStreamRetentionMs = 24LL * 60 * 60 * 1000;
inline constexpr std::int64_t kShardIteratorLifetimeMs = 15LL * 60 * 1000;

inline constexpr std::size_t kRequestBodyBytesMax = 16 * 1024 * 1024;

// A page can always hold at least one item, so a query always makes progress.
static_assert(kPageBytesMax >= kItemSizeBytesMax);
// A batch of the largest items is still a request.
static_assert(kRequestBodyBytesMax >= kBatchWriteRequestsMax * kItemSizeBytesMax);

}  // namespace trestle
