#include "trestle/result.h"

#include <cstdio>
#include <cstdlib>

#include "base/check.h"

namespace trestle::embed {

std::string_view ErrorName(ErrorCode code) {
  switch (code) {
    case ErrorCode::kValidationException:
      return "ValidationException";
    case ErrorCode::kSerializationException:
      return "SerializationException";
    case ErrorCode::kResourceNotFoundException:
      return "ResourceNotFoundException";
    case ErrorCode::kResourceInUseException:
      return "ResourceInUseException";
    case ErrorCode::kLimitExceededException:
      return "LimitExceededException";
    case ErrorCode::kConditionalCheckFailedException:
      return "ConditionalCheckFailedException";
    case ErrorCode::kDuplicateItemException:
      return "DuplicateItemException";
    case ErrorCode::kTransactionCanceledException:
      return "TransactionCanceledException";
    case ErrorCode::kTransactionConflictException:
      return "TransactionConflictException";
    case ErrorCode::kIdempotentParameterMismatchException:
      return "IdempotentParameterMismatchException";
    case ErrorCode::kItemCollectionSizeLimitExceededException:
      return "ItemCollectionSizeLimitExceededException";
    case ErrorCode::kTrimmedDataAccessException:
      return "TrimmedDataAccessException";
    case ErrorCode::kExpiredIteratorException:
      return "ExpiredIteratorException";
    case ErrorCode::kThrottlingException:
      return "ThrottlingException";
    case ErrorCode::kAccessDeniedException:
      return "AccessDeniedException";
    case ErrorCode::kServiceUnavailableException:
      return "ServiceUnavailableException";
    case ErrorCode::kInternalServerError:
      return "InternalServerError";
    case ErrorCode::kCorruption:
      return "Corruption";
  }
  UNREACHABLE("a code that is not in the enum");
}

void FailAccess(std::string_view what) {
  std::fprintf(stderr, "trestle: read %.*s\n", static_cast<int>(what.size()), what.data());
  std::abort();
}

}  // namespace trestle::embed
