#include "protocol/error_names.h"

#include <array>

#include "base/check.h"

namespace trestle::protocol {

std::string_view ErrorTypeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidation:
      return "com.amazon.coral.validate#ValidationException";
    case ErrorCode::kSerialization:
      return "com.amazon.coral.service#SerializationException";
    case ErrorCode::kResourceNotFound:
      return "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException";
    case ErrorCode::kResourceInUse:
      return "com.amazonaws.dynamodb.v20120810#ResourceInUseException";
    case ErrorCode::kLimitExceeded:
      return "com.amazonaws.dynamodb.v20120810#LimitExceededException";
    case ErrorCode::kConditionalCheckFailed:
      return "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException";
    case ErrorCode::kDuplicateItem:
      return "com.amazonaws.dynamodb.v20120810#DuplicateItemException";
    case ErrorCode::kTransactionCanceled:
      return "com.amazonaws.dynamodb.v20120810#TransactionCanceledException";
    case ErrorCode::kTransactionConflict:
      return "com.amazonaws.dynamodb.v20120810#TransactionConflictException";
    case ErrorCode::kIdempotentParameterMismatch:
      return "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException";
    case ErrorCode::kItemCollectionTooLarge:
      return "com.amazonaws.dynamodb.v20120810#ItemCollectionSizeLimitExceededException";
    case ErrorCode::kTrimmedDataAccess:
      return "com.amazonaws.dynamodb.v20120810#TrimmedDataAccessException";
    case ErrorCode::kExpiredIterator:
      return "com.amazonaws.dynamodb.v20120810#ExpiredIteratorException";
    case ErrorCode::kThrottled:
      return "com.amazon.coral.availability#ThrottlingException";
    case ErrorCode::kAccessDenied:
      return "com.amazon.coral.service#AccessDeniedException";
    case ErrorCode::kUnavailable:
      return "com.amazon.coral.service#ServiceUnavailableException";
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return "com.amazonaws.dynamodb.v20120810#InternalServerError";
  }
  UNREACHABLE("a code that is not in the enum");
}

std::string_view ShortErrorName(std::string_view error_type) {
  const std::size_t hash = error_type.find('#');
  return hash == std::string_view::npos ? error_type : error_type.substr(hash + 1);
}

std::optional<ErrorCode> ErrorCodeOf(std::string_view error_type) {
  constexpr std::array kCodes = {
      ErrorCode::kValidation,
      ErrorCode::kSerialization,
      ErrorCode::kResourceNotFound,
      ErrorCode::kResourceInUse,
      ErrorCode::kLimitExceeded,
      ErrorCode::kConditionalCheckFailed,
      ErrorCode::kDuplicateItem,
      ErrorCode::kTransactionCanceled,
      ErrorCode::kTransactionConflict,
      ErrorCode::kIdempotentParameterMismatch,
      ErrorCode::kItemCollectionTooLarge,
      ErrorCode::kTrimmedDataAccess,
      ErrorCode::kExpiredIterator,
      ErrorCode::kThrottled,
      ErrorCode::kAccessDenied,
      ErrorCode::kUnavailable,
      ErrorCode::kInternal,
  };
  const std::string_view name = ShortErrorName(error_type);
  for (const ErrorCode code : kCodes) {
    if (ShortErrorName(ErrorTypeOf(code)) == name) return code;
  }
  return std::nullopt;
}

std::string_view ReasonCodeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case ErrorCode::kDuplicateItem:
      return "DuplicateItem";
    case ErrorCode::kValidation:
      return "ValidationError";
    case ErrorCode::kResourceNotFound:
      return "ResourceNotFound";
    case ErrorCode::kTransactionConflict:
      return "TransactionConflict";
    case ErrorCode::kItemCollectionTooLarge:
      return "ItemCollectionSizeLimitExceeded";
    case ErrorCode::kThrottled:
      return "ThrottlingError";
    case ErrorCode::kAccessDenied:
      return "AccessDenied";
    case ErrorCode::kSerialization:
    case ErrorCode::kResourceInUse:
    case ErrorCode::kLimitExceeded:
    case ErrorCode::kTransactionCanceled:
    case ErrorCode::kIdempotentParameterMismatch:
    case ErrorCode::kTrimmedDataAccess:
    case ErrorCode::kExpiredIterator:
    case ErrorCode::kUnavailable:
    case ErrorCode::kCorruption:
    case ErrorCode::kInternal:
      return "InternalServerError";
  }
  UNREACHABLE("a code that is not in the enum");
}

std::optional<ErrorCode> ErrorCodeOfReason(std::string_view reason) {
  constexpr std::array kCodes = {
      ErrorCode::kConditionalCheckFailed,
      ErrorCode::kDuplicateItem,
      ErrorCode::kValidation,
      ErrorCode::kResourceNotFound,
      ErrorCode::kTransactionConflict,
      ErrorCode::kItemCollectionTooLarge,
      ErrorCode::kThrottled,
      ErrorCode::kAccessDenied,
      ErrorCode::kInternal,
  };
  for (const ErrorCode code : kCodes) {
    if (ReasonCodeOf(code) == reason) return code;
  }
  if (reason == "ProvisionedThroughputExceeded") return ErrorCode::kThrottled;
  return std::nullopt;
}

}  // namespace trestle::protocol
