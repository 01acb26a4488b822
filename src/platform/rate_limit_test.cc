#include "platform/rate_limit.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

class RateLimiterTest : public testing::Test {
 protected:
  FixedClock clock_{1'000'000};
};

TEST_F(RateLimiterTest, LetsABurstInAndThenTheRate) {
  RateLimiter limiter({.count = 100, .period_ms = 1000, .burst = 400}, clock_);
  for (int i = 0; i < 400; ++i)
    ASSERT_EQ(limiter.Take("a"), std::nullopt) << i;
  EXPECT_EQ(limiter.Take("a"), 1);
  EXPECT_EQ(limiter.Take("b"), std::nullopt);  // another's is another's

  clock_.Advance(10);
  EXPECT_EQ(limiter.Take("a"), std::nullopt);
  EXPECT_EQ(limiter.Take("a"), 1);
  clock_.Advance(500);
  for (int i = 0; i < 50; ++i)
    ASSERT_EQ(limiter.Take("a"), std::nullopt) << i;
  EXPECT_EQ(limiter.Take("a"), 1);
  clock_.Advance(1'000'000);
  for (int i = 0; i < 400; ++i)
    ASSERT_EQ(limiter.Take("a"), std::nullopt) << i;
  EXPECT_EQ(limiter.Take("a"), 1);  // no more than a burst was saved
}

TEST_F(RateLimiterTest, SaysWhenToComeAgain) {
  RateLimiter limiter({.count = 60, .period_ms = 3'600'000, .burst = 2}, clock_);
  EXPECT_EQ(limiter.Take("a"), std::nullopt);
  EXPECT_EQ(limiter.Take("a"), std::nullopt);
  EXPECT_EQ(limiter.Take("a"), 60);
  EXPECT_EQ(limiter.Take("a"), 60);  // to ask costs nothing
  clock_.Advance(59'001);
  EXPECT_EQ(limiter.Take("a"), 1);
  clock_.Advance(999);
  EXPECT_EQ(limiter.Take("a"), std::nullopt);
}

// The clock on the wall may be set back: only time that passes counts.
TEST_F(RateLimiterTest, DoesNotAskTheClockOnTheWall) {
  RateLimiter limiter({.count = 1, .period_ms = 1000, .burst = 1}, clock_);
  EXPECT_EQ(limiter.Take("a"), std::nullopt);
  clock_.Set(0);
  EXPECT_EQ(limiter.Take("a"), 1);
}

TEST_F(RateLimiterTest, ForgetsBucketsThatAreFullAgain) {
  RateLimiter limiter({.count = 10, .period_ms = 1000, .burst = 10}, clock_, 100);
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(limiter.Take(std::to_string(i)), std::nullopt);
  EXPECT_EQ(limiter.key_count(), 100U);
  clock_.Advance(100);
  EXPECT_EQ(limiter.Take("next"), std::nullopt);
  EXPECT_EQ(limiter.key_count(), 1U);
}

// A flood of addresses does not free who has used up its own.
TEST_F(RateLimiterTest, KeepsWhoIsFarthestFromFull) {
  RateLimiter limiter({.count = 1, .period_ms = 1000, .burst = 10}, clock_, 100);
  for (int i = 0; i < 10; ++i)
    ASSERT_EQ(limiter.Take("greedy"), std::nullopt);
  for (int i = 0; i < 10'000; ++i)
    ASSERT_EQ(limiter.Take(std::to_string(i)), std::nullopt);
  EXPECT_LE(limiter.key_count(), 100U);
  EXPECT_NE(limiter.Take("greedy"), std::nullopt);
}

TEST_F(RateLimiterTest, CountsWhatManyThreadsTake) {
  RateLimiter limiter({.count = 1, .period_ms = 1000, .burst = 500}, clock_);
  std::atomic<int> taken = 0;
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&] {
      for (int i = 0; i < 250; ++i)
        taken += limiter.Take("a") ? 0 : 1;
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(taken, 500);
}

}  // namespace
}  // namespace trestle::platform
