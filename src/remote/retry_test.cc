#include "remote/retry.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace trestle::remote {
namespace {

TEST(Retry, PausesGrowToABoundAndAreSpreadOverAllOfIt) {
  Random random(1);
  const RetryPolicy policy{.first_delay_ms = 10, .delay_ms_max = 100};
  for (const auto& [attempt, longest] : {std::pair(1, 10), {2, 20}, {4, 80}, {5, 100}, {99, 100}}) {
    std::int64_t least = 1000;
    std::int64_t most = 0;
    for (int i = 0; i < 2000; ++i) {
      const std::int64_t delay = DelayMs(policy, attempt, random);
      least = std::min(least, delay);
      most = std::max(most, delay);
    }
    EXPECT_EQ(least, 0) << attempt;
    EXPECT_EQ(most, longest) << attempt;
  }
}

TEST(Retry, TheBudgetEndsAndComesBackWithSuccess) {
  RetryBudget budget;
  int retries = 0;
  while (budget.Take())
    ++retries;
  EXPECT_EQ(retries, 100);
  for (int i = 0; i < 4; ++i)
    budget.Refill();
  EXPECT_FALSE(budget.Take());
  budget.Refill();
  EXPECT_TRUE(budget.Take());
}

}  // namespace
}  // namespace trestle::remote
