#include "apps/stories/epub.h"

#include <cstdint>

#include <fmt/format.h>

#include "apps/stories/markdown.h"
#include "base/crypto.h"

namespace trestle::apps::stories {
namespace {

void AppendU16(std::uint32_t number, std::string& out) {
  out += static_cast<char>(number & 0xffU);
  out += static_cast<char>((number >> 8U) & 0xffU);
}

void AppendU32(std::uint32_t number, std::string& out) {
  AppendU16(number & 0xffffU, out);
  AppendU16(number >> 16U, out);
}

// What a local header and an entry of the directory say alike.
void AppendFacts(const ArchiveFile& file, std::string& out) {
  constexpr std::uint32_t kVersion = 20;
  constexpr std::uint32_t kNamesAreUtf8 = 1U << 11U;
  constexpr std::uint32_t kFirstDay = (1U << 5U) | 1U;  // 1980-01-01: equal books are equal files
  AppendU16(kVersion, out);
  AppendU16(kNamesAreUtf8, out);
  AppendU16(0, out);  // not compressed
  AppendU16(0, out);  // midnight
  AppendU16(kFirstDay, out);
  AppendU32(Crc32(file.content), out);
  AppendU32(static_cast<std::uint32_t>(file.content.size()), out);
  AppendU32(static_cast<std::uint32_t>(file.content.size()), out);
  AppendU16(static_cast<std::uint32_t>(file.name.size()), out);
  AppendU16(0, out);  // no extra field
}

std::string Page(std::string_view title, std::string_view body) {
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE html>\n"
      "<html xmlns=\"http://www.w3.org/1999/xhtml\" "
      "xmlns:epub=\"http://www.idpf.org/2007/ops\">\n"
      "<head><meta charset=\"utf-8\"/><title>{}</title></head>\n<body>\n{}</body>\n</html>\n",
      EscapeHtml(title), body);
}

std::string ChapterBody(const BookChapter& chapter) {
  return fmt::format("<section>\n<h2>{}</h2>\n<p><em>{}</em></p>\n{}</section>\n",
                     EscapeHtml(chapter.title), EscapeHtml(chapter.author), chapter.html);
}

std::string Package(const Book& book) {
  std::string manifest;
  std::string spine;
  for (std::size_t i = 0; i < book.chapters.size(); ++i) {
    manifest += fmt::format(
        "<item id=\"c{0}\" href=\"c{0}.xhtml\" media-type=\"application/xhtml+xml\"/>\n", i);
    spine += fmt::format("<itemref idref=\"c{}\"/>\n", i);
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<package xmlns=\"http://www.idpf.org/2007/opf\" version=\"3.0\" "
      "unique-identifier=\"id\">\n"
      "<metadata xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n"
      "<dc:identifier id=\"id\">{}</dc:identifier>\n<dc:title>{}</dc:title>\n"
      "<dc:language>und</dc:language>\n<dc:creator>{}</dc:creator>\n"
      "<meta property=\"dcterms:modified\">{}</meta>\n</metadata>\n"
      "<manifest>\n<item id=\"nav\" href=\"nav.xhtml\" media-type=\"application/xhtml+xml\" "
      "properties=\"nav\"/>\n{}</manifest>\n<spine>\n{}</spine>\n</package>\n",
      EscapeHtml(book.id), EscapeHtml(book.title), EscapeHtml(book.author), book.modified, manifest,
      spine);
}

std::string Contents(const Book& book) {
  std::string list;
  for (std::size_t i = 0; i < book.chapters.size(); ++i)
    list += fmt::format("<li><a href=\"c{}.xhtml\">{}</a></li>\n", i,
                        EscapeHtml(book.chapters[i].title));
  return Page(book.title, fmt::format("<nav epub:type=\"toc\"><ol>\n{}</ol></nav>\n", list));
}

}  // namespace

std::string MakeArchive(std::span<const ArchiveFile> files) {
  std::string out;
  std::string directory;
  for (const ArchiveFile& file : files) {
    const auto place = static_cast<std::uint32_t>(out.size());
    out += "PK\x03\x04";
    AppendFacts(file, out);
    out += file.name;
    out += file.content;
    directory += "PK\x01\x02";
    AppendU16(20, directory);  // made by: version 2.0
    AppendFacts(file, directory);
    AppendU16(0, directory);  // no comment
    AppendU16(0, directory);  // the first disk
    AppendU16(0, directory);
    AppendU32(0, directory);
    AppendU32(place, directory);
    directory += file.name;
  }
  const auto start = static_cast<std::uint32_t>(out.size());
  const auto count = static_cast<std::uint32_t>(files.size());
  out += directory;
  out += "PK\x05\x06";
  AppendU32(0, out);  // one disk
  AppendU16(count, out);
  AppendU16(count, out);
  AppendU32(static_cast<std::uint32_t>(directory.size()), out);
  AppendU32(start, out);
  AppendU16(0, out);
  return out;
}

std::string MakeHtml(const Book& book) {
  std::string body =
      fmt::format("<h1>{}</h1>\n<p>{}</p>\n", EscapeHtml(book.title), EscapeHtml(book.author));
  for (const BookChapter& chapter : book.chapters)
    body += ChapterBody(chapter);
  return fmt::format(
      "<!DOCTYPE html>\n<html>\n<head><meta charset=\"utf-8\"/><title>{}</title></head>\n"
      "<body>\n{}</body>\n</html>\n",
      EscapeHtml(book.title), body);
}

std::string MakeEpub(const Book& book) {
  constexpr std::string_view kContainer =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<container version=\"1.0\" xmlns=\"urn:oasis:names:tc:opendocument:xmlns:container\">\n"
      "<rootfiles><rootfile full-path=\"book.opf\" "
      "media-type=\"application/oebps-package+xml\"/></rootfiles>\n</container>\n";
  const std::string package = Package(book);
  const std::string contents = Contents(book);
  std::vector<std::string> names;
  std::vector<std::string> pages;
  names.reserve(book.chapters.size());
  pages.reserve(book.chapters.size());
  for (const BookChapter& chapter : book.chapters) {
    names.push_back(fmt::format("c{}.xhtml", names.size()));
    pages.push_back(Page(chapter.title, ChapterBody(chapter)));
  }
  // The type comes first: readers look for it there.
  std::vector<ArchiveFile> files = {{.name = "mimetype", .content = "application/epub+zip"},
                                    {.name = "META-INF/container.xml", .content = kContainer},
                                    {.name = "book.opf", .content = package},
                                    {.name = "nav.xhtml", .content = contents}};
  files.reserve(files.size() + pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i)
    files.push_back({.name = names[i], .content = pages[i]});
  return MakeArchive(files);
}

}  // namespace trestle::apps::stories
