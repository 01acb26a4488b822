#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// Books as files that reading devices open: EPUB 3. Pure.

namespace trestle::apps::stories {

struct BookChapter {
  std::string title;
  std::string author;
  std::string html;  // XHTML, without its title
};

struct Book {
  std::string id;
  std::string title;
  std::string author;
  std::string modified;  // "2026-01-02T03:04:05Z"
  std::vector<BookChapter> chapters;
};

[[nodiscard]] std::string MakeEpub(const Book& book);

// One page of HTML with all chapters.
[[nodiscard]] std::string MakeHtml(const Book& book);

// Files in an archive that is not compressed (ZIP).
struct ArchiveFile {
  std::string_view name;
  std::string_view content;
};
[[nodiscard]] std::string MakeArchive(std::span<const ArchiveFile> files);

}  // namespace trestle::apps::stories
