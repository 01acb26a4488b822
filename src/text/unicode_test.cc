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

TEST(Unicode, AddressesAreComparedByTheirAsciiForm) {
  EXPECT_EQ(EmailKey(" Ann@Example.ORG "), "ann@example.org");
  EXPECT_EQ(EmailKey("Ann@B\u00fccher.example"), "ann@xn--bcher-kva.example");
  EXPECT_EQ(EmailKey("ann@bu\u0308cher.example"), "ann@xn--bcher-kva.example");
  EXPECT_EQ(EmailKey("J\u00dcrgen@example.org"), "j\u00fcrgen@example.org");
  EXPECT_EQ(EmailKey("none"), "none");
  EXPECT_EQ(EmailKey("a@\u00fc..x"), "a@\u00fc..x");
}

}  // namespace
}  // namespace trestle::text
