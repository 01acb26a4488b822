#include "wire/operations.h"

#include <array>

namespace trestle::wire {
namespace {

constexpr std::array kAll = {
    &kBatchGetItem,   &kBatchWriteItem,   &kCreateTable,
    &kDeleteItem,     &kDeleteTable,      &kDescribeEndpoints,
    &kDescribeLimits, &kDescribeTable,    &kGetItem,
    &kListTables,     &kPutItem,          &kQuery,
    &kScan,           &kTransactGetItems, &kTransactWriteItems,
    &kUpdateItem,     &kUpdateTable,
};

}  // namespace

std::span<const Operation* const> AllOperations() { return kAll; }

std::optional<std::size_t> FindOperation(std::string_view name) {
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    if (kAll[i]->name == name) return i;
  }
  return std::nullopt;
}

}  // namespace trestle::wire
