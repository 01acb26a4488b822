#include "apps/notes/markdown.h"

#include <gtest/gtest.h>

namespace trestle::apps::notes {
namespace {

TEST(Markdown, TheFirstHeadingIsTheTitle) {
  const MarkdownNote note = ReadMarkdown("\xef\xbb\xbf\r\n# Tax form\r\n\r\n- [ ] receipts\r\n");
  EXPECT_EQ(note.title, "Tax form");
  EXPECT_EQ(note.content, "- [ ] receipts");
}

TEST(Markdown, TheHeadSaysMore) {
  const MarkdownNote note = ReadMarkdown(
      "---\ntitle: \"Tax: form\"\ndue: 2026-05-31\nTags: [money, 'home',]\ndone: true\ncolour: "
      "red\n"
      "---\n# Not the title\ntext\n");
  EXPECT_EQ(note.title, "Tax: form");
  EXPECT_EQ(note.deadline, "2026-05-31");
  EXPECT_EQ(note.tags, (std::vector<std::string>{"money", "home"}));
  EXPECT_TRUE(note.is_done);
  EXPECT_EQ(note.content, "# Not the title\ntext");
}

TEST(Markdown, AHeadThatDoesNotEndIsText) {
  const MarkdownNote note = ReadMarkdown("---\ntitle: x\ntext");
  EXPECT_EQ(note.title, "---");
  EXPECT_EQ(note.content, "title: x\ntext");
  EXPECT_EQ(ReadMarkdown("").title, "");
  EXPECT_EQ(ReadMarkdown("\n\n  \n").title, "");
}

}  // namespace
}  // namespace trestle::apps::notes
