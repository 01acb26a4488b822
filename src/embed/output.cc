#include "embed/output.h"

#include <string_view>

#include <fmt/format.h>

#include "base/check.h"
#include "embed/value_codec.h"

namespace trestle::embed {
namespace {

ErrorCode CodeOf(trestle::ErrorCode code) {
  switch (code) {
    case trestle::ErrorCode::kValidation:
      return ErrorCode::kValidationException;
    case trestle::ErrorCode::kSerialization:
      return ErrorCode::kSerializationException;
    case trestle::ErrorCode::kResourceNotFound:
      return ErrorCode::kResourceNotFoundException;
    case trestle::ErrorCode::kResourceInUse:
      return ErrorCode::kResourceInUseException;
    case trestle::ErrorCode::kLimitExceeded:
      return ErrorCode::kLimitExceededException;
    case trestle::ErrorCode::kConditionalCheckFailed:
      return ErrorCode::kConditionalCheckFailedException;
    case trestle::ErrorCode::kDuplicateItem:
      return ErrorCode::kDuplicateItemException;
    case trestle::ErrorCode::kTransactionCanceled:
      return ErrorCode::kTransactionCanceledException;
    case trestle::ErrorCode::kTransactionConflict:
      return ErrorCode::kTransactionConflictException;
    case trestle::ErrorCode::kIdempotentParameterMismatch:
      return ErrorCode::kIdempotentParameterMismatchException;
    case trestle::ErrorCode::kItemCollectionTooLarge:
      return ErrorCode::kItemCollectionSizeLimitExceededException;
    case trestle::ErrorCode::kTrimmedDataAccess:
      return ErrorCode::kTrimmedDataAccessException;
    case trestle::ErrorCode::kExpiredIterator:
      return ErrorCode::kExpiredIteratorException;
    case trestle::ErrorCode::kThrottled:
      return ErrorCode::kThrottlingException;
    case trestle::ErrorCode::kAccessDenied:
      return ErrorCode::kAccessDeniedException;
    case trestle::ErrorCode::kUnavailable:
      return ErrorCode::kServiceUnavailableException;
    case trestle::ErrorCode::kCorruption:
      return ErrorCode::kCorruption;
    case trestle::ErrorCode::kInternal:
      return ErrorCode::kInternalServerError;
  }
  UNREACHABLE("a code that is not in the enum");
}

// What the service calls an action's fate in a cancelled transaction.
std::string_view ReasonCodeOf(trestle::ErrorCode code) {
  switch (code) {
    case trestle::ErrorCode::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case trestle::ErrorCode::kValidation:
      return "ValidationError";
    case trestle::ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case trestle::ErrorCode::kItemCollectionTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case trestle::ErrorCode::kThrottled:
      return "ThrottlingError";
    case trestle::ErrorCode::kSerialization:
    case trestle::ErrorCode::kDuplicateItem:
    case trestle::ErrorCode::kResourceNotFound:
    case trestle::ErrorCode::kResourceInUse:
    case trestle::ErrorCode::kLimitExceeded:
    case trestle::ErrorCode::kTransactionCanceled:
    case trestle::ErrorCode::kIdempotentParameterMismatch:
    case trestle::ErrorCode::kTrimmedDataAccess:
    case trestle::ErrorCode::kExpiredIterator:
    case trestle::ErrorCode::kAccessDenied:
    case trestle::ErrorCode::kUnavailable:
    case trestle::ErrorCode::kCorruption:
    case trestle::ErrorCode::kInternal:
      break;
  }
  UNREACHABLE("such an error fails the whole request");
}

std::optional<Item> DetailedItem(const trestle::Error& error) {
  if (error.details() == nullptr || error.details()->item.empty()) return std::nullopt;
  return DecodeItem(value::ItemView(error.details()->item));
}

// One reason per action, and the message that lists their codes.
void AddReasons(const ErrorDetails& details, Error& output) {
  std::string codes;
  for (const std::optional<trestle::Error>& reason : details.reasons) {
    CancellationReason cancellation = {.code = "None"};
    if (reason) {
      cancellation = {.code = std::string(ReasonCodeOf(reason->code())),
                      .message = reason->message(),
                      .item = DetailedItem(*reason)};
    }
    codes += (codes.empty() ? "" : ", ") + cancellation.code;
    output.cancellation_reasons.push_back(std::move(cancellation));
  }
  output.message = fmt::format(
      "Transaction cancelled, please refer cancellation reasons for specific reasons [{}]", codes);
}

Capacity CapacityOf(double read_units, double write_units) {
  return {.capacity_units = read_units + write_units,
          .read_capacity_units = read_units,
          .write_capacity_units = write_units};
}

ConsumedCapacity ToConsumedCapacity(const engine::ConsumedCapacity& consumed,
                                    ReturnConsumedCapacity asked) {
  ConsumedCapacity output = {.table_name = consumed.table,
                             .total = CapacityOf(consumed.ReadUnits(), consumed.WriteUnits())};
  if (asked != ReturnConsumedCapacity::kIndexes) return output;
  output.table = CapacityOf(consumed.table_read_units, consumed.table_write_units);
  for (const engine::IndexUnits& units : consumed.indexes) {
    auto& indexes =
        units.is_global ? output.global_secondary_indexes : output.local_secondary_indexes;
    indexes[units.index] = CapacityOf(units.read_units, units.write_units);
  }
  return output;
}

}  // namespace

Error ToOutput(const trestle::Error& error) {
  Error output = {
      .code = CodeOf(error.code()), .message = error.message(), .item = DetailedItem(error)};
  if (error.code() == trestle::ErrorCode::kTransactionCanceled && error.details() != nullptr) {
    AddReasons(*error.details(), output);
  }
  return output;
}

std::optional<Item> ToOutput(const std::optional<value::Item>& item) {
  if (!item) return std::nullopt;
  return DecodeItem(item->view());
}

std::optional<ConsumedCapacity> ToOutput(const std::optional<engine::ConsumedCapacity>& consumed,
                                         ReturnConsumedCapacity asked) {
  if (!consumed || asked == ReturnConsumedCapacity::kNone) return std::nullopt;
  return ToConsumedCapacity(*consumed, asked);
}

std::vector<ConsumedCapacity> ToOutput(const std::vector<engine::ConsumedCapacity>& consumed,
                                       ReturnConsumedCapacity asked) {
  std::vector<ConsumedCapacity> output;
  if (asked == ReturnConsumedCapacity::kNone) return output;
  output.reserve(consumed.size());
  for (const engine::ConsumedCapacity& one : consumed)
    output.push_back(ToConsumedCapacity(one, asked));
  return output;
}

ItemCollectionMetrics ToOutput(const engine::ItemCollectionMetrics& metrics) {
  constexpr std::uint64_t kGigabyte = 1024ULL * 1024 * 1024;
  const std::uint64_t whole_gb = metrics.size_bytes / kGigabyte;
  const auto size_gb = static_cast<double>(whole_gb);
  return {.item_collection_key = DecodeItem(metrics.key.view()),
          .size_estimate_range_gb = {size_gb, size_gb + 1}};
}

std::map<std::string, std::vector<ItemCollectionMetrics>> ToOutput(
    const std::vector<engine::ItemCollectionMetrics>& metrics, ReturnItemCollectionMetrics asked) {
  std::map<std::string, std::vector<ItemCollectionMetrics>> output;
  if (asked == ReturnItemCollectionMetrics::kNone) return output;
  for (const engine::ItemCollectionMetrics& one : metrics)
    output[one.table].push_back(ToOutput(one));
  return output;
}

}  // namespace trestle::embed
