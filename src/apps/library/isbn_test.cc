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

}  // namespace
}  // namespace trestle::apps::library
