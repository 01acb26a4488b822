#include "wire/error_reply.h"

#include <gtest/gtest.h>

#include "protocol/error_names.h"
#include "value/item_codec.h"

namespace trestle::wire {
namespace {

std::string BodyOf(const Error& error) {
  std::string body;
  AppendErrorBody(error, body);
  return body;
}

std::string ItemBytes() {
  std::string encoded;
  value::AppendString(encoded, "o#1");
  value::ItemBuilder builder;
  builder.Add("pk", encoded);
  return builder.Finish().bytes();
}

TEST(ErrorReply, SpellsTheMessageAsEachErrorDoes) {
  EXPECT_EQ(BodyOf(ValidationError("no")),
            R"({"__type":"com.amazon.coral.validate#ValidationException","message":"no"})");
  EXPECT_EQ(BodyOf(SerializationError("no")),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"no"})");
}

TEST(ErrorReply, LeavesOutAMessageThatIsEmpty) {
  EXPECT_EQ(BodyOf(SerializationError("")),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
}

TEST(ErrorReply, ShowsTheItemWhenAConditionFailed) {
  ErrorDetails details;
  details.item = ItemBytes();
  EXPECT_EQ(BodyOf(Error(ErrorCode::kConditionalCheckFailed, "The conditional request failed",
                         std::make_shared<const ErrorDetails>(details))),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",)"
            R"("message":"The conditional request failed","Item":{"pk":{"S":"o#1"}}})");
}

TEST(ErrorReply, SaysOfEachActionWhyTheTransactionWasCancelled) {
  ErrorDetails failed;
  failed.item = ItemBytes();
  ErrorDetails details;
  details.reasons.emplace_back();
  details.reasons.emplace_back(Error(ErrorCode::kConditionalCheckFailed,
                                     "The conditional request failed",
                                     std::make_shared<const ErrorDetails>(failed)));
  details.reasons.emplace_back(ValidationError("bad"));
  EXPECT_EQ(BodyOf(Error(ErrorCode::kTransactionCanceled, "",
                         std::make_shared<const ErrorDetails>(details))),
            R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
            R"("Message":"Transaction cancelled, please refer cancellation reasons for specific )"
            R"(reasons [None, ConditionalCheckFailed, ValidationError]","CancellationReasons":)"
            R"([{"Code":"None"},{"Code":"ConditionalCheckFailed",)"
            R"("Message":"The conditional request failed","Item":{"pk":{"S":"o#1"}}},)"
            R"({"Code":"ValidationError","Message":"bad"}]})");
}

// What a disk or a bug did is for the log, not for clients.
TEST(ErrorReply, KeepsTheInsideOfAFailureToItself) {
  const std::string body = BodyOf(CorruptionError("block 7 of file 000012.sst"));
  EXPECT_EQ(body.find("sst"), std::string::npos);
  EXPECT_EQ(HttpStatusOf(ErrorCode::kCorruption), 500);
}

TEST(ErrorReply, AnswersClientErrorsWith400) {
  EXPECT_EQ(HttpStatusOf(ErrorCode::kValidation), 400);
  EXPECT_EQ(HttpStatusOf(ErrorCode::kThrottled), 400);
  EXPECT_EQ(HttpStatusOf(ErrorCode::kUnavailable), 503);
}

TEST(ErrorReply, WritesErrorsOfTheProtocolItself) {
  std::string body;
  AppendErrorBody(protocol::kUnknownOperation, "", body);
  EXPECT_EQ(body, R"({"__type":"com.amazon.coral.service#UnknownOperationException"})");
}

}  // namespace
}  // namespace trestle::wire
