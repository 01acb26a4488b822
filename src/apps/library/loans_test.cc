#include "apps/library/loans.h"

#include <gtest/gtest.h>

namespace trestle::apps::library {
namespace {

TEST(LoansTest, AReturnEndsTheLoanOfItsItem) {
  const std::vector<Loan> loans = LoansOf({
      {.item_id = "b", .at = "2026-01-05T00:00:00.000Z", .is_return = true, .borrower = "Paul"},
      {.item_id = "a",
       .at = "2026-01-02T00:00:00.000Z",
       .borrower = "Ana",
       .due_date = "2026-02-01"},
      {.item_id = "b", .at = "2026-01-01T00:00:00.000Z", .borrower = "Paul"},
      {.item_id = "b", .at = "2026-01-06T00:00:00.000Z", .borrower = "Zoe"},
  });
  ASSERT_EQ(loans.size(), 3U);
  EXPECT_EQ(loans[0].borrower, "Paul");
  EXPECT_EQ(loans[0].to, "2026-01-05T00:00:00.000Z");
  EXPECT_EQ(loans[1].borrower, "Ana");
  EXPECT_EQ(loans[1].to, std::nullopt);
  EXPECT_EQ(loans[1].due_date, "2026-02-01");
  EXPECT_EQ(loans[2].borrower, "Zoe");
  EXPECT_EQ(loans[2].to, std::nullopt);
}

TEST(LoansTest, AReturnWithoutALoanIsNone) {
  EXPECT_TRUE(LoansOf({{.item_id = "a",
                        .at = "2026-01-02T00:00:00.000Z",
                        .is_return = true,
                        .borrower = "Ana"}})
                  .empty());
}

TEST(LoansTest, DaysAreWhole) {
  EXPECT_EQ(DaysBetween("2026-01-01T12:00:00.000Z", "2026-01-02T11:59:59.999Z"), 0);
  EXPECT_EQ(DaysBetween("2026-01-01T12:00:00.000Z", "2026-01-11T12:00:00.000Z"), 10);
}

TEST(LoansTest, GapsAreUpToTheLastOne) {
  const std::vector<std::int64_t> orders = {5, 1, 3, 3};
  EXPECT_EQ(MissingOrders(orders), (std::vector<std::int64_t>{2, 4}));
  EXPECT_TRUE(MissingOrders({}).empty());
}

}  // namespace
}  // namespace trestle::apps::library
