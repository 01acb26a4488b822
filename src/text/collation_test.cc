#include "text/collation.h"

#include <gtest/gtest.h>

namespace trestle::text {
namespace {

TEST(CollationTest, SortsAsPeopleExpect) {
  EXPECT_LT(CollationKey("angelo"), CollationKey("Zebra"));
  EXPECT_LT(CollationKey("Éa"), CollationKey("Zebra"));
  EXPECT_LT(CollationKey("Foo"), CollationKey("Fóo"));
  EXPECT_LT(CollationKey("Fóo"), CollationKey("Foo Bar"));
  EXPECT_EQ(CollationKey(std::string(500, 'a')), CollationKey(std::string(500, 'a')));
}

TEST(CollationTest, KnowsTheLetterOfAText) {
  EXPECT_EQ(IndexLetter("Éa"), "E");
  EXPECT_EQ(IndexLetter(" angelo"), "A");
  EXPECT_EQ(IndexLetter("1984"), "#");
  EXPECT_EQ(IndexLetter(""), "#");
  EXPECT_EQ(IndexLetter("Ωmega"), "Ω");
}

TEST(CollationTest, KnowsCurrencies) {
  EXPECT_EQ(CurrencyDigits("EUR"), 2);
  EXPECT_EQ(CurrencyDigits("JPY"), 0);
  EXPECT_EQ(CurrencyDigits("KWD"), 3);
  EXPECT_FALSE(CurrencyDigits("ZZZ"));
  EXPECT_FALSE(CurrencyDigits("eur"));
}

}  // namespace
}  // namespace trestle::text
