#include "design/syntax/template_text.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace trestle::design::syntax {
namespace {

// The parts of a template with a bar between them, or what is wrong with it.
std::string Parts(std::string_view source) {
  Diagnostics diagnostics;
  const Template parsed = ParseTemplate(source, {1, 1}, diagnostics);
  if (!diagnostics.empty()) return Print(diagnostics.front(), "f");
  std::string parts;
  for (const auto& part : parsed.parts) {
    if (!parts.empty()) parts += '|';
    if (const auto* text = std::get_if<std::string>(&part)) {
      parts += *text;
    } else {
      const auto& placeholder = *std::get_if<Placeholder>(&part);
      parts += "<" + PathText(placeholder.path);
      parts += ">" + std::string(placeholder.formats.size(), ':');
    }
  }
  return parts;
}

TEST(TemplateText, IsTextsAndPlaceholders) {
  EXPECT_EQ(Parts(""), "");
  EXPECT_EQ(Parts("METADATA"), "METADATA");
  EXPECT_EQ(Parts("USER#{userId}"), "USER#|<userId>");
  EXPECT_EQ(Parts("{a}{b.c:05:esc}#"), "<a>|<b.c>::|#");
}

TEST(TemplateText, DoublesBracesThatAreText) {
  EXPECT_EQ(Parts("{{{a}}}"), "{|<a>|}");
  EXPECT_EQ(Parts("\\u{7b}a\\\""), "{a\"");
}

TEST(TemplateText, KnowsWidths) {
  Diagnostics diagnostics;
  const Template parsed = ParseTemplate("{a:038}", {1, 1}, diagnostics);
  ASSERT_TRUE(diagnostics.empty());
  const auto& placeholder = std::get<Placeholder>(parsed.parts.at(0));
  EXPECT_EQ(std::get<ZeroPad>(placeholder.formats.at(0)).width, 38);
  EXPECT_EQ(TemplateText(parsed), "{a:038}");
}

TEST(TemplateText, SaysWhereItIsWrong) {
  EXPECT_EQ(Parts("éé{a:039}"),
            "f:1:6: error S5: `039` is no width; zeroes in front of a number are written as in "
            ":05, for up to 38 digits");
  EXPECT_EQ(Parts("a}"),
            "f:1:2: error S5: `}` closes no placeholder; write `}}` for a brace that is text");
  EXPECT_EQ(Parts("{a-b}"), "f:1:3: error S5: expected `}` or `:` in a placeholder");
  EXPECT_EQ(Parts("{}"),
            "f:1:2: error S5: a placeholder holds the name of an attribute, as in {id}");
}

}  // namespace
}  // namespace trestle::design::syntax
