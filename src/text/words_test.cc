#include "text/words.h"

#include <gtest/gtest.h>

namespace trestle::text {
namespace {

std::string Terms(std::string_view text) {
  std::string out;
  for (const Word& word : Words(text))
    out += (out.empty() ? "" : " ") + word.term;
  return out;
}

TEST(Words, AreFoldedAndSplit) {
  EXPECT_EQ(Terms("L'Étranger, 2nd-edition (1942)!"), "l etranger 2nd edition 1942");
  EXPECT_EQ(Terms("e\u0301te\u0301 ÅNGSTRÖM Straße"), "ete angstrom strasse");
  EXPECT_EQ(Terms("Привет, мир"), "привет мир");
  EXPECT_EQ(Terms("ﬁne ½ ２０２６"), "fine 1 2 2026");
  EXPECT_EQ(Terms("co\u00adoperate"), "cooperate");  // a soft hyphen
  EXPECT_EQ(Terms(""), "");
  EXPECT_EQ(Terms(" \"*()-: "), "");
  EXPECT_EQ(Terms("\u0301"), "");
}

TEST(Words, OfScriptsWithoutBlanksArePairs) {
  EXPECT_EQ(Terms("日本語"), "日本 本語 語");
  EXPECT_EQ(Terms("本"), "本");
  EXPECT_EQ(Terms("道德经 v2"), "道德 德经 经 v2");
  EXPECT_EQ(Terms("iPhone手机"), "iphone 手机 机");
  EXPECT_EQ(Terms("データ"), "テー ータ タ");  // the voice is an accent
  EXPECT_EQ(Terms("한국어"), "한국 국어 어");
}

TEST(Words, KnowWhereTheyStand) {
  const auto words = Words("a Été!");
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[1].start, 2U);
  EXPECT_EQ(words[1].end, 7U);
}

TEST(Words, BytesThatAreNoTextSeparate) {
  EXPECT_EQ(Terms(std::string_view("ab\0cd\xff"
                                   "ef\xe3\x81",
                                   9)),
            "ab cd ef");
}

TEST(Words, LongOnesAreCut) {
  EXPECT_EQ(Terms(std::string(10'000, 'x')), std::string(kTermLettersMax, 'x'));
}

}  // namespace
}  // namespace trestle::text
