#include "apps/stories/epub.h"

#include <gtest/gtest.h>

namespace trestle::apps::stories {
namespace {

TEST(StoryEpub, TheTypeComesFirst) {
  const std::string book = MakeEpub({.id = "s1",
                                     .title = "A & B",
                                     .author = "Ann",
                                     .modified = "2026-01-02T03:04:05Z",
                                     .chapters = {{"One", "Ann", "<p>x</p>\n"}}});
  EXPECT_EQ(book.substr(0, 4), "PK\x03\x04");
  EXPECT_EQ(book.substr(30, 28), "mimetypeapplication/epub+zip");
  EXPECT_NE(book.find("<dc:title>A &amp; B</dc:title>"), std::string::npos);
  EXPECT_NE(book.find("c0.xhtml"), std::string::npos);
}

TEST(StoryEpub, AnArchiveHasADirectory) {
  const std::vector<ArchiveFile> files = {{.name = "a", .content = "1"},
                                          {.name = "b", .content = ""}};
  const std::string archive = MakeArchive(files);
  const std::size_t end = archive.rfind("PK\x05\x06");
  ASSERT_NE(end, std::string::npos);
  EXPECT_EQ(archive.size() - end, 22U);
  EXPECT_EQ(archive[end + 10], 2);                       // files
  EXPECT_EQ(archive.substr(14, 4), "\xb7\xef\xdc\x83");  // the CRC-32 of "1"
}

}  // namespace
}  // namespace trestle::apps::stories
