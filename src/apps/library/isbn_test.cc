#include "apps/library/isbn.h"

#include <gtest/gtest.h>

namespace trestle::apps::library {
namespace {

TEST(IsbnTest, HyphensAndBlanksDoNotCount) {
  EXPECT_EQ(NormalisedIsbn("978-3-16-148410-0"), "9783161484100");
  EXPECT_EQ(NormalisedIsbn("978 0 306 40615 7"), "9780306406157");
  EXPECT_EQ(NormalisedIsbn("0-306-40615-2"), "0306406152");
  EXPECT_EQ(NormalisedIsbn("0-8044-2957-x"), "080442957X");
}

TEST(IsbnTest, ACheckDigitThatIsWrongIsNoticed) {
  for (const char* wrong : {"9783161484101", "0306406153", "0804429570", "978316148410", "",
                            "97831614841OO", "X306406152", "080442957XX", "978316148410X"})
    EXPECT_EQ(NormalisedIsbn(wrong), std::nullopt) << wrong;
}

TEST(IsbnTest, OldNumbersHaveNewOnes) {
  EXPECT_EQ(IsbnWith13("0306406152"), "9780306406157");
  EXPECT_EQ(IsbnWith13("080442957X"), "9780804429573");
  EXPECT_EQ(IsbnWith13("9783161484100"), "9783161484100");
}

TEST(IsbnTest, BarcodesAreCheckedToo) {
  EXPECT_EQ(NormalisedEan("4006381 333931"), "4006381333931");
  EXPECT_EQ(NormalisedEan("0-36000-29145-2"), "0036000291452");
  EXPECT_EQ(NormalisedEan("96385074"), "96385074");
  for (const char* wrong : {"4006381333932", "036000291453", "96385075", "", "1", "400638133393X"})
    EXPECT_EQ(NormalisedEan(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace trestle::apps::library
