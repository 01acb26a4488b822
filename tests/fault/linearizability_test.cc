// The checker itself, on histories made by hand.

#include "linearizability.h"

#include <vector>

#include <gtest/gtest.h>

namespace trestle::fault {
namespace {

using Kind = Call::Kind;

Call Put(std::int64_t value, std::uint64_t begin, std::uint64_t end) {
  return {.kind = Kind::kPut, .argument = value, .begin = begin, .end = end};
}
Call PutIf(std::optional<std::int64_t> expected, std::int64_t value, bool was_done,
           std::uint64_t begin, std::uint64_t end) {
  return {.kind = Kind::kPutIf,
          .argument = value,
          .expected = expected,
          .was_done = was_done,
          .begin = begin,
          .end = end};
}
Call Add(std::int64_t value, std::int64_t sum, std::uint64_t begin, std::uint64_t end) {
  return {.kind = Kind::kAdd, .argument = value, .answer = sum, .begin = begin, .end = end};
}
Call Delete(std::optional<std::int64_t> was, std::uint64_t begin, std::uint64_t end) {
  return {.kind = Kind::kDelete, .answer = was, .begin = begin, .end = end};
}
Call Get(std::optional<std::int64_t> value, std::uint64_t begin, std::uint64_t end) {
  return {.kind = Kind::kGet, .answer = value, .begin = begin, .end = end};
}
Call Unanswered(Call call) {
  call.is_answered = false;
  return call;
}

bool Holds(const std::vector<Call>& calls) { return IsLinearizable(calls); }

TEST(Linearizability, OneAfterTheOther) {
  EXPECT_TRUE(Holds({}));
  EXPECT_TRUE(Holds({Get({}, 0, 1), Put(5, 2, 3), Get(5, 4, 5), Add(2, 7, 6, 7), Delete(7, 8, 9),
                     Delete({}, 10, 11), Add(3, 3, 12, 13)}));
  EXPECT_FALSE(Holds({Put(5, 0, 1), Get({}, 2, 3)})) << "a lost write";
  EXPECT_FALSE(Holds({Put(5, 0, 1), Put(6, 2, 3), Get(5, 4, 5)})) << "a stale read";
  EXPECT_FALSE(Holds({Get(5, 0, 1), Put(5, 2, 3)})) << "a read of the future";
  EXPECT_FALSE(Holds({Delete(5, 0, 1)}));
}

TEST(Linearizability, OverlappingCallsMayGoEitherWay) {
  EXPECT_TRUE(Holds({Put(5, 0, 10), Get({}, 1, 9)}));
  EXPECT_TRUE(Holds({Put(5, 0, 10), Get(5, 1, 9)}));
  EXPECT_TRUE(Holds({Put(5, 0, 10), Get({}, 1, 2), Get(5, 3, 4)}));
  EXPECT_FALSE(Holds({Put(5, 0, 10), Get(5, 1, 2), Get({}, 3, 4)})) << "back to the old value";
  EXPECT_TRUE(Holds({Put(1, 0, 10), Put(2, 0, 10), Get(1, 11, 12)}));
  EXPECT_TRUE(Holds({Put(1, 0, 10), Put(2, 0, 10), Get(2, 11, 12)}));
  EXPECT_FALSE(Holds({Put(1, 0, 10), Put(2, 0, 10), Get(2, 11, 12), Get(1, 13, 14)}));
  EXPECT_TRUE(Holds({Put(1, 0, 5), Get(1, 5, 6)})) << "one ends as the other begins";
}

TEST(Linearizability, ConditionsAndSums) {
  EXPECT_TRUE(Holds({PutIf({}, 1, true, 0, 9), PutIf({}, 2, false, 0, 9), Get(1, 10, 11)}));
  EXPECT_FALSE(Holds({PutIf({}, 1, true, 0, 9), PutIf({}, 2, true, 0, 9)})) << "both won";
  EXPECT_FALSE(Holds({PutIf({}, 1, false, 0, 9)})) << "nobody was there to lose to";
  EXPECT_TRUE(Holds({Add(1, 2, 0, 9), Add(1, 1, 0, 9), Add(1, 3, 0, 9)}));
  EXPECT_FALSE(Holds({Add(1, 1, 0, 9), Add(1, 1, 0, 9)})) << "a lost update";
  EXPECT_FALSE(Holds({Add(1, 1, 0, 1), Add(1, 3, 2, 3)})) << "an update done twice";
}

TEST(Linearizability, UnansweredCallsStayOpen) {
  EXPECT_TRUE(Holds({Unanswered(Put(5, 0, 0)), Get({}, 1, 2), Get(5, 30, 40)}));
  EXPECT_TRUE(Holds({Unanswered(Put(5, 0, 0)), Get({}, 1, 2)})) << "it never happened";
  EXPECT_FALSE(Holds({Unanswered(Put(5, 0, 0)), Get(5, 1, 2), Get({}, 3, 4)}));
  EXPECT_FALSE(Holds({Get(5, 0, 1), Unanswered(Put(5, 2, 0))})) << "not before it began";
}

// Deep enough that a search without memory would not come back.
TEST(Linearizability, RemembersWhatItTried) {
  std::vector<Call> calls;
  for (std::int64_t i = 0; i < 60; ++i)
    calls.push_back(Put(i % 3, 0, 100));
  calls.push_back(Get(2, 200, 201));
  EXPECT_TRUE(Holds(calls));
  std::vector<Call> sums;
  for (std::int64_t i = 0; i < 14; ++i)
    sums.push_back(Unanswered(Add(1, 0, 0, 0)));
  sums.push_back(Get(15, 200, 201));
  EXPECT_FALSE(Holds(sums));
}

}  // namespace
}  // namespace trestle::fault
