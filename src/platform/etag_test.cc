#include "platform/etag.h"

#include <gtest/gtest.h>

namespace trestle::platform {
namespace {

EntityTags Parsed(std::string_view header) {
  auto tags = ParseEntityTags(header);
  EXPECT_TRUE(tags.ok()) << header;
  return tags.ok() ? *tags : EntityTags{};
}

TEST(EntityTag, NamesVersionAndContent) {
  EXPECT_EQ(MakeEntityTag(3, "{}"), MakeEntityTag(3, "{}"));
  EXPECT_NE(MakeEntityTag(3, "{}"), MakeEntityTag(3, "{ }"));
  EXPECT_TRUE(MakeEntityTag(3, "{}").starts_with("\"3-"));
  EXPECT_TRUE(MakeEntityTag(std::nullopt, "{}").starts_with("\"0-"));
}

TEST(EntityTag, IsReadFromLists) {
  EXPECT_TRUE(Parsed("*").is_any);
  const EntityTags tags = Parsed(R"("a", W/"b" ,"")");
  ASSERT_EQ(tags.tags.size(), 3U);
  EXPECT_EQ(tags.tags[1].text, "b");
  EXPECT_TRUE(tags.tags[1].is_weak);
  for (const std::string_view header : {"", "a", "\"a", "\"a\",", "\"a\" \"b\"", "w/\"a\"", "*,*"})
    EXPECT_FALSE(ParseEntityTags(header).ok()) << header;
}

TEST(EntityTag, ComparesVersionsForChangesAndAllForCopies) {
  const std::string tag = "\"3-aa\"";
  EXPECT_TRUE(AllowsChange(Parsed("\"3-bb\""), tag));
  EXPECT_TRUE(AllowsChange(Parsed("\"3\""), tag));
  EXPECT_TRUE(AllowsChange(Parsed("\"1-aa\", \"3-aa\""), tag));
  EXPECT_TRUE(AllowsChange(Parsed("*"), tag));
  EXPECT_FALSE(AllowsChange(Parsed("\"33-aa\""), tag));
  EXPECT_FALSE(AllowsChange(Parsed("W/\"3-aa\""), tag));
  EXPECT_TRUE(AllowsChange(Parsed("\"0-aa\""), "\"0-aa\""));
  EXPECT_FALSE(AllowsChange(Parsed("\"0-bb\""), "\"0-aa\""));

  EXPECT_TRUE(Contains(Parsed("W/\"3-aa\""), tag));
  EXPECT_FALSE(Contains(Parsed("\"3-bb\""), tag));
  EXPECT_TRUE(Contains(Parsed("*"), tag));
}

}  // namespace
}  // namespace trestle::platform
