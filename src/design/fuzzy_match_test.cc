#include "design/fuzzy_match.h"

#include <gtest/gtest.h>

namespace trestle::design {
namespace {

TEST(FuzzyMatch, RanksByHowMuchDiffers) {
  EXPECT_EQ(FuzzyDistance("Dune", "dune"), 0U);
  EXPECT_EQ(FuzzyDistance("The Hobbit", "hob"), 1U);
  EXPECT_EQ(FuzzyDistance("The Hobbit", "bbi"), 2U);
  EXPECT_EQ(FuzzyDistance("The Hobbit", "hobit"), 3U);
  EXPECT_EQ(FuzzyDistance("Foundation", "foundtaion"), 4U) << "two mistakes in ten letters";
}

TEST(FuzzyMatch, CaseAndAccentsDoNotCount) {
  EXPECT_EQ(FuzzyDistance("L'Étranger", "etranger"), 0U);
  EXPECT_EQ(FuzzyDistance("etranger", "ÉTRANGER"), 0U);
}

TEST(FuzzyMatch, EveryWordMustBeThere) {
  EXPECT_EQ(FuzzyDistance("Dune Messiah", "messiah dune"), 0U);
  EXPECT_FALSE(FuzzyDistance("Dune", "messiah dune"));
  EXPECT_FALSE(FuzzyDistance("Dune", "dun3x"));
  EXPECT_FALSE(FuzzyDistance("Dune", "dxn")) << "no mistakes in three letters";
  EXPECT_FALSE(FuzzyDistance("Dune", ""));
  EXPECT_FALSE(FuzzyDistance("", "dune"));
  EXPECT_FALSE(FuzzyDistance("Dune", " #! "));
}

}  // namespace
}  // namespace trestle::design
