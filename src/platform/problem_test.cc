#include "platform/problem.h"

#include <memory>

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

std::string BodyOf(const Error& error) {
  std::string body;
  AppendProblem(ToProblem(error), {.instance = "/api/books/v1/books", .request_id = "01J"}, body);
  return body;
}

Error WithFields(std::vector<FieldFailure> fields) {
  auto details = std::make_shared<ErrorDetails>();
  details->fields = std::move(fields);
  return {ErrorCode::kValidation, "wrong", std::move(details)};
}

TEST(Problem, HasTheMembersOfTheStandardAndOurs) {
  EXPECT_EQ(BodyOf(WithFields({{"rating", "must be between 1 and 5", "range"},
                               {"stats.reads[2]", "must be a number", "type"}})),
            R"({"type":"/problems/validation","title":"Invalid request","status":400,)"
            R"("detail":"2 fields are not acceptable","instance":"/api/books/v1/books",)"
            R"("code":"validation","requestId":"01J","errors":[)"
            R"({"pointer":"/rating","code":"range","message":"must be between 1 and 5"},)"
            R"({"pointer":"/stats/reads/2","code":"type","message":"must be a number"}]})");
  EXPECT_EQ(BodyOf(Error(ErrorCode::kResourceNotFound, "there is no such book")),
            R"({"type":"/problems/not-found","title":"Not found","status":404,)"
            R"("detail":"there is no such book","instance":"/api/books/v1/books",)"
            R"("code":"not-found","requestId":"01J"})");
}

TEST(Problem, NamesParametersOfTheQuery) {
  EXPECT_NE(BodyOf(FieldError({"?limit", "must be a number", "range"}))
                .find(R"([{"parameter":"limit","code":"range","message":"must be a number"}])"),
            std::string::npos);
}

TEST(Problem, FollowsFromTheErrorsCode) {
  const auto code_of = [](const Error& error) { return ToProblem(error).kind->code; };
  const auto status_of = [](ErrorCode code) { return ToProblem(Error(code, "x")).kind->status; };
  EXPECT_EQ(status_of(ErrorCode::kValidation), 400);
  EXPECT_EQ(status_of(ErrorCode::kSerialization), 400);
  EXPECT_EQ(status_of(ErrorCode::kAccessDenied), 403);
  EXPECT_EQ(status_of(ErrorCode::kConditionalCheckFailed), 409);
  EXPECT_EQ(status_of(ErrorCode::kTransactionConflict), 409);
  EXPECT_EQ(status_of(ErrorCode::kExpiredIterator), 410);
  EXPECT_EQ(status_of(ErrorCode::kLimitExceeded), 422);
  EXPECT_EQ(status_of(ErrorCode::kThrottled), 503);
  EXPECT_EQ(status_of(ErrorCode::kUnavailable), 503);

  EXPECT_EQ(code_of(ProblemError("already-lent", "it is lent")), "already-lent");
  EXPECT_EQ(code_of(WithFields({{"a", "is unknown", "unknown-field"}})), "unknown-field");
  EXPECT_EQ(code_of(WithFields({{"a", "is unknown", "unknown-field"}, {"b", "x", "type"}})),
            "validation");
}

TEST(Problem, LooksIntoACancelledTransaction) {
  auto details = std::make_shared<ErrorDetails>();
  details->reasons = {std::nullopt, Error(ErrorCode::kThrottled, "slow down")};
  EXPECT_EQ(ToProblem(Error(ErrorCode::kTransactionCanceled, "x", details)).kind->status, 503);
  EXPECT_EQ(ToProblem(Error(ErrorCode::kTransactionCanceled, "x")).kind->status, 409);
}

TEST(Problem, TellsNothingOfTheInside) {
  const Problem problem = ToProblem(Error(ErrorCode::kInternal, "/var/lib/secret at 0x7f"));
  EXPECT_EQ(problem.kind->status, 500);
  EXPECT_EQ(problem.detail, "the server could not do it; its log says more");
}

TEST(PointerOf, WritesAFieldAsAPointer) {
  EXPECT_EQ(PointerOf("title"), "/title");
  EXPECT_EQ(PointerOf("a.b[0].c"), "/a/b/0/c");
  EXPECT_EQ(PointerOf("/a~1b"), "/a~1b");
  EXPECT_EQ(PointerOf(""), "");
}

}  // namespace
}  // namespace trestle::platform
