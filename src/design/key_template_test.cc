#include "design/key_template.h"

#include <gtest/gtest.h>

#include "design/syntax/template_text.h"
#include "value/item_codec.h"

namespace trestle::design {
namespace {

KeyTemplate Parse(std::string_view text) {
  Diagnostics diagnostics;
  auto parsed = syntax::ParseTemplate(text, Position{}, diagnostics);
  EXPECT_TRUE(diagnostics.empty());
  return {std::move(parsed), "#"};
}

Record Values() {
  Record values;
  values.SetText("title", "50% Foo#00001#x");
  values.SetText("at", "2026-01-20T10:30:00.000Z");
  std::string order;
  value::AppendNumber(order, value::Number::FromInteger(42));
  values.Set("order", order);
  values.Set(syntax::Path{{}, {"stats", "order"}}, order);
  std::string flag;
  value::AppendBool(flag, true);
  values.Set("flag", flag);
  return values;
}

std::string Compose(std::string_view text) {
  const auto composed = Parse(text).Compose(Values());
  return composed.ok() ? *composed : "error: " + composed.error().message();
}

TEST(KeyTemplate, ComposesEveryFormat) {
  EXPECT_EQ(Compose("item#{title:esc}"), "item#50%25 Foo%2300001%23x");
  EXPECT_EQ(Compose("item#{title:clust}"), "item#50%25%20Foo%2300001%23x");
  EXPECT_EQ(Compose("{title:fold:esc}"), "50%25 foo%2300001%23x");
  EXPECT_EQ(Compose("{order:05}|{order}|{stats.order:03}"), "00042|42|042");
  EXPECT_EQ(Compose("{flag}"), "true");
  EXPECT_EQ(Compose("{at:day} {at:hour}"), "2026-01-20 2026-01-20T10");
}

TEST(KeyTemplate, RefusesWhatCannotBeWritten) {
  EXPECT_EQ(Compose("{order:01}"),
            "error: order must be a whole number of at most 1 digits, not 42");
  EXPECT_EQ(Compose("A#{none}#{other}"), "error: none is absent, and a key is made from it");
  EXPECT_EQ(Compose("{stats}"), "error: stats cannot be part of a key: it is of type M");
}

TEST(KeyTemplate, ComposesUpToWhatIsMissing) {
  const auto prefix = Parse("USER#{flag}#{none}#{order}").ComposePrefix(Values());
  ASSERT_TRUE(prefix.ok());
  EXPECT_EQ(prefix->text, "USER#true#");
  EXPECT_FALSE(prefix->is_whole);
}

TEST(KeyTemplate, ReadsBackWhatItComposed) {
  const KeyTemplate it = Parse("item#{title:esc}#{order:05}#{at}");
  const auto read = it.Match(*it.Compose(Values()));
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, (std::vector<std::string>{"50% Foo#00001#x", "42", "2026-01-20T10:30:00.000Z"}));
}

TEST(KeyTemplate, MatchesNothingElse) {
  const KeyTemplate it = Parse("BOOK#{id}#{order:03}");
  EXPECT_TRUE(it.Match("BOOK#a#001"));
  EXPECT_FALSE(it.Match("BOOK#a"));
  EXPECT_FALSE(it.Match("BOOK##001"));
  EXPECT_FALSE(it.Match("BOOK#a#1"));
  EXPECT_FALSE(it.Match("NOTE#a#001"));
  EXPECT_FALSE(Parse("{id:esc}").Match("50%"));
  EXPECT_FALSE(Parse("{id:esc}").Match("%2x"));
  EXPECT_FALSE(Parse("METADATA").Match("METADATA#"));
}

}  // namespace
}  // namespace trestle::design
