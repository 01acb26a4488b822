#include "apps/stories/long_story.h"

#include <set>

#include <gtest/gtest.h>

#include "apps/stories/rules.h"

namespace trestle::apps::stories {
namespace {

TEST(LongStoryTest, IsATreeOfReadableChapters) {
  const std::vector<LongChapter> chapters = MakeLongStory(15);
  ASSERT_EQ(chapters.size(), kLongStoryChapters);
  std::set<std::string> titles;
  std::set<std::string> contents;
  std::set<std::pair<std::size_t, std::int64_t>> places;
  std::set<std::size_t> authors;
  std::int64_t depth_max = 0;
  for (std::size_t i = 0; i < chapters.size(); ++i) {
    const LongChapter& chapter = chapters[i];
    SCOPED_TRACE(chapter.title);
    EXPECT_TRUE(titles.insert(chapter.title).second);
    EXPECT_TRUE(contents.insert(chapter.content).second);
    EXPECT_GE(CharacterCount(chapter.content), kContentCharactersMin);
    EXPECT_EQ(chapter.content.find('{'), std::string::npos);
    EXPECT_LE(chapter.upvotes.size() + chapter.downvotes.size(), 14U);
    authors.insert(chapter.author);
    depth_max = std::max(depth_max, chapter.depth);
    if (i == 0) continue;
    EXPECT_LT(chapter.parent, i);
    EXPECT_EQ(chapter.depth, chapters[chapter.parent].depth + 1);
    EXPECT_LE(chapter.reads, chapters[chapter.parent].reads);
    EXPECT_TRUE(places.emplace(chapter.parent, chapter.order).second);
    EXPECT_EQ(chapters[chapter.parent].vision_child == i, chapter.is_vision);
    if (!chapter.hint.empty()) {
      EXPECT_GE(CharacterCount(chapter.hint), 50U);
      EXPECT_LE(CharacterCount(chapter.hint), 200U);
    }
  }
  EXPECT_GE(depth_max, 10);
  EXPECT_EQ(authors.size(), 15U);
}

TEST(LongStoryTest, IsTheSameEachTime) {
  const std::vector<LongChapter> once = MakeLongStory(15);
  const std::vector<LongChapter> again = MakeLongStory(15);
  for (std::size_t i = 0; i < once.size(); ++i) {
    EXPECT_EQ(once[i].content, again[i].content);
    EXPECT_EQ(once[i].parent, again[i].parent);
    EXPECT_EQ(once[i].upvotes, again[i].upvotes);
  }
}

}  // namespace
}  // namespace trestle::apps::stories
