#include "remote/error_reply.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/testing_internal.h"

namespace trestle::remote {
namespace {

using value::testing::ItemOf;
using value::testing::S;

TEST(ErrorReply, TellsCodeTextAndItem) {
  const Failure failure = ParseErrorReply(
      400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
           R"("message":"The conditional request failed","Item":{"pk":{"S":"a"}}})");
  EXPECT_EQ(failure.remedy, Remedy::kNone);
  EXPECT_EQ(failure.error.code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(failure.error.message(), "The conditional request failed");
  ASSERT_NE(failure.error.details(), nullptr);
  EXPECT_EQ(failure.error.details()->item, ItemOf({{"pk", S("a")}}).bytes());
}

TEST(ErrorReply, TellsTheReasonsOfACancelledTransaction) {
  const Failure failure = ParseErrorReply(
      400, R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
           R"("Message":"Transaction cancelled","CancellationReasons":[{"Code":"None"},)"
           R"({"Code":"ConditionalCheckFailed","Message":"no","Item":{"pk":{"S":"a"}}},)"
           R"({"Code":"ProvisionedThroughputExceeded"},{"Code":"Strange"}]})");
  EXPECT_EQ(failure.error.code(), ErrorCode::kTransactionCanceled);
  EXPECT_EQ(failure.error.message(), "Transaction cancelled");
  const auto& reasons = failure.error.details()->reasons;
  ASSERT_EQ(reasons.size(), 4u);
  EXPECT_FALSE(reasons[0].has_value());
  EXPECT_EQ(reasons[1]->code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(reasons[1]->message(), "no");
  EXPECT_EQ(reasons[1]->details()->item, ItemOf({{"pk", S("a")}}).bytes());
  EXPECT_EQ(reasons[2]->code(), ErrorCode::kThrottled);
  EXPECT_EQ(reasons[3]->code(), ErrorCode::kInternal);
}

struct Case {
  int status;
  std::string_view name;
  ErrorCode code;
  Remedy remedy;
};

TEST(ErrorReply, KnowsWhatMayBeRepeated) {
  for (const Case& it : {
           Case{400, "ProvisionedThroughputExceededException", ErrorCode::kThrottled,
                Remedy::kRepeat},
           Case{400, "ThrottlingException", ErrorCode::kThrottled, Remedy::kRepeat},
           Case{400, "RequestLimitExceeded", ErrorCode::kThrottled, Remedy::kRepeat},
           Case{400, "TransactionInProgressException", ErrorCode::kTransactionConflict,
                Remedy::kRepeat},
           Case{400, "TransactionConflictException", ErrorCode::kTransactionConflict,
                Remedy::kNone},
           Case{400, "ExpiredTokenException", ErrorCode::kAccessDenied, Remedy::kNewCredentials},
           Case{400, "UnrecognizedClientException", ErrorCode::kAccessDenied, Remedy::kNone},
           Case{400, "UnknownOperationException", ErrorCode::kValidation, Remedy::kNone},
           Case{500, "InternalServerError", ErrorCode::kInternal, Remedy::kRepeatIfHarmless},
           Case{503, "ServiceUnavailableException", ErrorCode::kUnavailable,
                Remedy::kRepeatIfHarmless},
           Case{500, "Strange", ErrorCode::kInternal, Remedy::kRepeatIfHarmless},
       }) {
    const std::string body = fmt::format(R"({{"__type":"x#{}"}})", it.name);
    const Failure failure = ParseErrorReply(it.status, body);
    EXPECT_EQ(failure.error.code(), it.code) << it.name;
    EXPECT_EQ(failure.remedy, it.remedy) << it.name;
    EXPECT_EQ(failure.error.message(), it.name);
  }
}

// A proxy may answer in the service's place.
TEST(ErrorReply, MayBeNoJsonAtAll) {
  EXPECT_EQ(ParseErrorReply(502, "<html>").remedy, Remedy::kRepeatIfHarmless);
  EXPECT_EQ(ParseErrorReply(503, "").error.code(), ErrorCode::kUnavailable);
  EXPECT_EQ(ParseErrorReply(404, "[]").error.code(), ErrorCode::kValidation);
  EXPECT_EQ(ParseErrorReply(400, R"({"__type":1,"message":[],"CancellationReasons":[1,{}]})")
                .error.code(),
            ErrorCode::kValidation);
}

}  // namespace
}  // namespace trestle::remote
