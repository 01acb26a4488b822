#include "apps/stories/rules.h"

#include <gtest/gtest.h>

namespace trestle::apps::stories {
namespace {

std::string Codes(const std::vector<FieldFailure>& failures) {
  std::string codes;
  for (const FieldFailure& failure : failures)
    codes += failure.field + " " + failure.code + "\n";
  return codes;
}

TEST(StoryRules, RatingsRise) {
  EXPECT_LT(RatingRank("G"), RatingRank("PG"));
  EXPECT_LT(RatingRank("PG_13"), RatingRank("M"));
  EXPECT_EQ(RatingRank(kAdult), 4U);
}

TEST(StoryRules, GenresAreOfAClosedListAndDiffer) {
  EXPECT_EQ(Codes(CheckLabels({.genre = "Fantasy", .genres = {"Horror"}, .warnings = {}})), "");
  EXPECT_EQ(
      Codes(CheckLabels(
          {.genre = "fantasy", .genres = {"Horror", "Opera", "Horror", "Comedy"}, .warnings = {}})),
      "genre enum\ngenres[1] enum\ngenres[2] repeated\n");
  EXPECT_EQ(Codes(CheckLabels({.genre = "Horror", .genres = {"Horror"}, .warnings = {}})),
            "genres[0] repeated\n");
}

TEST(StoryRules, ThreeWarningsMayBeOnesOwn) {
  const std::vector<std::string> own = {"Violence", "Spiders", "Clowns", "Dentists"};
  EXPECT_EQ(Codes(CheckWarnings(own, "contentWarnings")), "");
  const std::vector<std::string> many = {"Spiders", "Clowns", "Dentists", "Heights", "Spiders", ""};
  EXPECT_EQ(Codes(CheckWarnings(many, "contentWarnings")),
            "contentWarnings[3] enum\ncontentWarnings[4] repeated\ncontentWarnings[5] length\n");
}

TEST(StoryRules, CharactersAreCounted) {
  EXPECT_EQ(CharacterCount(""), 0U);
  EXPECT_EQ(CharacterCount("abc"), 3U);
  EXPECT_EQ(CharacterCount("Éa𝄞"), 3U);
}

TEST(StoryRules, SequencesAreNumbersOfAnyLength) {
  EXPECT_TRUE(IsLaterSequence("10", "9"));
  EXPECT_FALSE(IsLaterSequence("9", "10"));
  EXPECT_FALSE(IsLaterSequence("0009", "9"));
  EXPECT_TRUE(IsLaterSequence("1", ""));
}

}  // namespace
}  // namespace trestle::apps::stories
