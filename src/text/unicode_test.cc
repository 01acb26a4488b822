#include "text/unicode.h"

#include <gtest/gtest.h>

namespace trestle::text {
namespace {

TEST(Unicode, FoldsCaseAndAccents) {
  EXPECT_EQ(Fold("Étranger"), "etranger");
  EXPECT_EQ(Fold("ÅNGSTRÖM"), "angstrom");
  EXPECT_EQ(Fold("Straße"), "strasse");
  EXPECT_EQ(Fold("Dune #1"), "dune #1");
  EXPECT_EQ(Fold("道德经"), "道德经");
  EXPECT_EQ(Fold(""), "");
}

TEST(Unicode, LowersWithoutFolding) {
  EXPECT_EQ(Lower("ÉtrANger@Test.COM"), "étranger@test.com");
  EXPECT_EQ(Lower("İ"), "i\u0307");  // the same in every language
}

TEST(Unicode, ComposesWhatLooksTheSame) {
  EXPECT_EQ(Nfc("e\u0301"), "é");
  EXPECT_EQ(Nfc("é"), "é");
}

TEST(Unicode, TrimsBlanksOfAllKinds) {
  EXPECT_EQ(Trim("\t \u00a0Dune\u3000\n"), "Dune");
  EXPECT_EQ(Trim("a b"), "a b");
  EXPECT_EQ(Trim(" \u2003 "), "");
  EXPECT_EQ(Trim(""), "");
}

}  // namespace
}  // namespace trestle::text
