#include "text/regex.h"

#include <string>

#include <gtest/gtest.h>

namespace trestle::text {
namespace {

bool Finds(std::string_view pattern, std::string_view text) {
  const auto regex = Regex::Parse(pattern);
  EXPECT_TRUE(regex.ok()) << pattern;
  return regex.ok() && regex->Finds(text);
}

TEST(Regex, FindsAPartUnlessItIsAnchored) {
  EXPECT_TRUE(Finds("[0-9]+", "a12b"));
  EXPECT_FALSE(Finds("^[0-9]+$", "a12b"));
  EXPECT_TRUE(Finds("^[0-9A-Z]{1,64}$", "AB12"));
  EXPECT_FALSE(Finds("^[0-9A-Z]{1,64}$", "AB12\n"));
  EXPECT_TRUE(Finds("^[$]\\$$", "$$"));
  EXPECT_TRUE(Finds("^.{2}$", "é𝄞"));
  EXPECT_TRUE(Finds("", ""));
}

TEST(Regex, RefusesWhatIsNone) { EXPECT_FALSE(Regex::Parse("(a").ok()); }

TEST(Regex, GivesUpOnWhatTakesTooLong) {
  EXPECT_FALSE(Finds("^(a+)+$", std::string(200, 'a') + "b"));
}

}  // namespace
}  // namespace trestle::text
