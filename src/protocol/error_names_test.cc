#include "protocol/error_names.h"

#include <gtest/gtest.h>

namespace trestle::protocol {
namespace {

TEST(ErrorNames, AClientFindsTheCodeOfWhatTheServerSaid) {
  for (auto code = ErrorCode::kValidation; code <= ErrorCode::kUnavailable;
       code = static_cast<ErrorCode>(static_cast<int>(code) + 1)) {
    const std::string_view type = ErrorTypeOf(code);
    EXPECT_EQ(ErrorCodeOf(type), code) << type;
    EXPECT_EQ(ErrorCodeOf(ShortErrorName(type)), code) << type;
  }
}

// A damaged store is nothing that a client could act upon.
TEST(ErrorNames, CorruptionIsAnInternalErrorOutside) {
  EXPECT_EQ(ErrorTypeOf(ErrorCode::kCorruption), ErrorTypeOf(ErrorCode::kInternal));
  EXPECT_EQ(ErrorCodeOf("InternalServerError"), ErrorCode::kInternal);
}

TEST(ErrorNames, AnUnknownNameHasNoCode) {
  EXPECT_EQ(ErrorCodeOf("com.example#Strange"), std::nullopt);
  EXPECT_EQ(ErrorCodeOf(""), std::nullopt);
}

TEST(ErrorNames, AClientFindsTheCodeOfAReason) {
  for (const ErrorCode code :
       {ErrorCode::kConditionalCheckFailed, ErrorCode::kValidation, ErrorCode::kThrottled,
        ErrorCode::kTransactionConflict, ErrorCode::kResourceNotFound, ErrorCode::kInternal})
    EXPECT_EQ(ErrorCodeOfReason(ReasonCodeOf(code)), code) << ReasonCodeOf(code);
  EXPECT_EQ(ErrorCodeOfReason("ProvisionedThroughputExceeded"), ErrorCode::kThrottled);
  EXPECT_EQ(ErrorCodeOfReason("None"), std::nullopt);
}

}  // namespace
}  // namespace trestle::protocol
