#pragma once

#include <string>
#include <string_view>

// The part of Markdown that chapters are written in. Pure.

namespace trestle::apps::stories {

// &, <, >, " and ' as references.
[[nodiscard]] std::string EscapeHtml(std::string_view text);

// As XHTML. Paragraphs, headings, quotes, lists, rules, *emphasis*, **strong emphasis**, `code` and
// links to http and https. Everything else, HTML included, stands as it was written.
[[nodiscard]] std::string MarkdownToHtml(std::string_view markdown);

}  // namespace trestle::apps::stories
