#include "apps/notes/markdown.h"

#include <algorithm>

#include "text/unicode.h"

namespace trestle::apps::notes {
namespace {

constexpr std::string_view kFence = "---";

std::string_view TakeLine(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view WithoutQuotes(std::string_view text) {
  text = text::Trim(text);
  const bool is_quoted = text.size() >= 2 && text.front() == text.back() &&
                         (text.front() == '"' || text.front() == '\'');
  return is_quoted ? text.substr(1, text.size() - 2) : text;
}

// "[a, b]" or "a, b".
std::vector<std::string> ReadTags(std::string_view text) {
  text = text::Trim(text);
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  std::vector<std::string> tags;
  while (!text.empty()) {
    const std::string_view tag = text.substr(0, text.find(','));
    text.remove_prefix(std::min(tag.size() + 1, text.size()));
    const std::string_view name = WithoutQuotes(tag);
    if (!name.empty()) tags.emplace_back(name);
  }
  return tags;
}

void ReadHeadLine(std::string_view line, MarkdownNote& note) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  const std::string name = text::Lower(text::Trim(line.substr(0, colon)));
  const std::string_view value = line.substr(colon + 1);
  if (name == "title") note.title = WithoutQuotes(value);
  if (name == "deadline" || name == "due") note.deadline = WithoutQuotes(value);
  if (name == "tags") note.tags = ReadTags(value);
  if (name == "done" || name == "completed") note.is_done = WithoutQuotes(value) == "true";
}

// False when the text does not begin with one that ends.
bool TakeHead(std::string_view& text, MarkdownNote& note) {
  std::string_view rest = text;
  if (TakeLine(rest) != kFence) return false;
  MarkdownNote read = note;
  while (!rest.empty()) {
    const std::string_view line = TakeLine(rest);
    if (line == kFence) {
      note = std::move(read);
      text = rest;
      return true;
    }
    ReadHeadLine(line, read);
  }
  return false;
}

}  // namespace

MarkdownNote ReadMarkdown(std::string_view text) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  MarkdownNote note;
  TakeHead(text, note);
  std::string_view rest = text;
  while (note.title.empty() && !rest.empty()) {
    std::string_view line = text::Trim(TakeLine(rest));
    while (line.starts_with('#'))
      line.remove_prefix(1);
    note.title = text::Trim(line);
    if (!note.title.empty()) text = rest;
  }
  note.content = text::Trim(text);
  return note;
}

}  // namespace trestle::apps::notes
