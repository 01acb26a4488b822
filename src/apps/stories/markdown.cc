#include "apps/stories/markdown.h"

#include <optional>
#include <utility>

#include <fmt/format.h>

#include "text/unicode.h"

namespace trestle::apps::stories {
namespace {

// What stands between two equal marks at the beginning of `text`, if it is not empty.
std::optional<std::string_view> Between(std::string_view text, std::string_view mark) {
  if (!text.starts_with(mark)) return std::nullopt;
  const std::size_t end = text.find(mark, mark.size());
  if (end == std::string_view::npos || end == mark.size()) return std::nullopt;
  const std::string_view inner = text.substr(mark.size(), end - mark.size());
  const bool has_blanks = inner.front() == ' ' || inner.back() == ' ';
  return has_blanks ? std::nullopt : std::optional(inner);
}

struct Link {
  std::string_view words;
  std::string_view target;
  std::size_t size;
};
std::optional<Link> LinkAt(std::string_view text) {
  constexpr std::size_t kLinkMax = 2000;
  text = text.substr(0, kLinkMax);
  if (!text.starts_with('[')) return std::nullopt;
  const std::size_t middle = text.find("](");
  const std::size_t end = middle == std::string_view::npos ? middle : text.find(')', middle);
  if (end == std::string_view::npos) return std::nullopt;
  const std::string_view target = text.substr(middle + 2, end - middle - 2);
  const bool is_safe = target.starts_with("https://") || target.starts_with("http://");
  if (!is_safe || middle == 1) return std::nullopt;
  return Link{text.substr(1, middle - 1), target, end + 1};
}

std::string Inline(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kMarks[] = {
      {"**", "strong"}, {"*", "em"}, {"_", "em"}, {"`", "code"}};
  std::string out;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view rest = text.substr(i);
    if (const auto link = LinkAt(rest)) {
      out +=
          fmt::format("<a href=\"{}\">{}</a>", EscapeHtml(link->target), EscapeHtml(link->words));
      i += link->size;
      continue;
    }
    bool is_marked = false;
    for (const auto& [mark, element] : kMarks) {
      const auto inner = Between(rest, mark);
      if (!inner) continue;
      out += fmt::format("<{0}>{1}</{0}>", element,
                         element == "code" ? EscapeHtml(*inner) : Inline(*inner));
      i += inner->size() + 2 * mark.size();
      is_marked = true;
      break;
    }
    if (is_marked) continue;
    out += EscapeHtml(rest.substr(0, 1));
    ++i;
  }
  return out;
}

// "# ", "## " …: how many; 0 for what is no heading.
std::size_t HeadingLevel(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  const bool is_heading =
      level != std::string_view::npos && level > 0 && level <= 4 && line[level] == ' ';
  return is_heading ? level : 0;
}

std::optional<std::string_view> ListItem(std::string_view line, bool& is_ordered) {
  is_ordered = false;
  if (line.starts_with("- ") || line.starts_with("* ")) return line.substr(2);
  const std::size_t digits = line.find_first_not_of("0123456789");
  if (digits == std::string_view::npos || digits == 0 || digits > 3) return std::nullopt;
  if (!line.substr(digits).starts_with(". ")) return std::nullopt;
  is_ordered = true;
  return line.substr(digits + 2);
}

class Blocks {
 public:
  void Add(std::string_view line) {
    const std::string_view trimmed = text::Trim(line);
    bool is_ordered = false;
    if (trimmed.empty()) {
      Close();
    } else if (trimmed == "---" || trimmed == "***") {
      Close();
      out_ += "<hr/>\n";
    } else if (const std::size_t level = HeadingLevel(trimmed)) {
      Close();
      // A chapter stands below its own title.
      out_ += fmt::format("<h{0}>{1}</h{0}>\n", level + 2, Inline(trimmed.substr(level + 1)));
    } else if (const auto item = ListItem(trimmed, is_ordered)) {
      Open(is_ordered ? "ol" : "ul");
      out_ += fmt::format("<li>{}</li>\n", Inline(*item));
    } else if (trimmed.starts_with(">")) {
      Open("blockquote");
      AddLine(text::Trim(trimmed.substr(1)));
    } else {
      Open("p");
      AddLine(trimmed);
    }
  }

  std::string Take() && {
    Close();
    return std::move(out_);
  }

 private:
  void Open(std::string_view element) {
    if (element_ == element) return;
    Close();
    element_ = element;
    is_list_ = element == "ul" || element == "ol";
    out_ += fmt::format("<{}>{}", element_, is_list_ ? "\n" : element == "blockquote" ? "<p>" : "");
    is_first_ = true;
  }
  void AddLine(std::string_view text) {
    if (!is_first_) out_ += "<br/>\n";
    is_first_ = false;
    out_ += Inline(text);
  }
  void Close() {
    if (element_.empty()) return;
    out_ += fmt::format("{}</{}>\n", element_ == "blockquote" ? "</p>" : "", element_);
    element_ = {};
  }

  std::string out_;
  std::string_view element_;  // that is open; empty: none
  bool is_list_ = false;
  bool is_first_ = true;
};

}  // namespace

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string MarkdownToHtml(std::string_view markdown) {
  Blocks blocks;
  while (!markdown.empty()) {
    const std::size_t end = markdown.find('\n');
    blocks.Add(markdown.substr(0, end));
    markdown.remove_prefix(end == std::string_view::npos ? markdown.size() : end + 1);
  }
  return std::move(blocks).Take();
}

}  // namespace trestle::apps::stories
