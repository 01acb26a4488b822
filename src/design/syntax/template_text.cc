#include "design/syntax/template_text.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "design/spelling.h"
#include "design/syntax/lexer.h"
#include "design/syntax/text_literal.h"

namespace trestle::design::syntax {
namespace {

class TemplateParser {
 public:
  TemplateParser(std::string_view source, Position position, Diagnostics& diagnostics)
      : rest_(source), position_(position), diagnostics_(diagnostics) {}

  Template Run() && {
    Template result{.position = position_, .parts = {}};
    while (!rest_.empty()) {
      if (rest_.starts_with("{{") || rest_.starts_with("}}")) {
        AppendText(result, rest_.substr(0, 1));
        Pass(2);
      } else if (rest_.starts_with('}')) {
        Report(position_, "`}` closes no placeholder; write `}}` for a brace that is text");
        Pass(1);
      } else if (rest_.starts_with('{')) {
        ReadPlaceholder(result);
      } else {
        const std::string_view before = rest_;
        AppendText(result, TakeCharacter(rest_, position_, diagnostics_));
        CountColumns(before.substr(0, before.size() - rest_.size()));
      }
    }
    return result;
  }

 private:
  static void AppendText(Template& result, std::string_view text) {
    if (text.empty()) return;
    if (result.parts.empty() || !std::holds_alternative<std::string>(result.parts.back())) {
      result.parts.emplace_back(std::string());
    }
    *std::get_if<std::string>(&result.parts.back()) += text;
  }

  void ReadPlaceholder(Template& result) {
    const Position start = position_;
    const std::size_t close = rest_.find('}');
    if (close == std::string_view::npos) {
      Report(start, "`{` opens a placeholder that is not closed; write `{{` for a brace");
      return Pass(rest_.size());
    }
    Pass(1);
    Placeholder placeholder;
    const bool is_good = ReadPath(placeholder.path) && ReadFormats(placeholder.formats);
    if (is_good) result.parts.emplace_back(std::move(placeholder));
    Pass(std::min(rest_.find('}'), rest_.size()) + 1);
  }

  bool ReadPath(Path& path) {
    path.position = position_;
    for (;;) {
      const std::string_view name = TakeWord();
      if (name.empty() || IsDigit(name.front())) {
        return Report(path.position, "a placeholder holds the name of an attribute, as in {id}");
      }
      path.parts.emplace_back(name);
      if (!rest_.starts_with('.')) return true;
      Pass(1);
    }
  }

  bool ReadFormats(std::vector<Format>& formats) {
    while (rest_.starts_with(':')) {
      Pass(1);
      const Position position = position_;
      const std::optional<Format> format = FormatOf(TakeWord(), position);
      if (!format) return false;
      formats.push_back(*format);
    }
    if (rest_.starts_with('}')) return true;
    return Report(position_, "expected `}` or `:` in a placeholder");
  }

  // "05", "esc".
  std::optional<Format> FormatOf(std::string_view word, Position position) {
    if (const auto transform = FromWord<Transform>(word)) return *transform;
    if (word.size() > 1 && word.front() == '0') {
      Count width = 0;
      const auto read = std::from_chars(word.data(), word.data() + word.size(), width);
      const bool is_width = read.ec == std::errc() && read.ptr == word.data() + word.size() &&
                            word[1] != '0' && width <= kPadWidthMax;
      if (is_width) return ZeroPad{width};
      Report(position, fmt::format("`{}` is no width; zeroes in front of a number are written as "
                                   "in :05, for up to {} digits",
                                   word, kPadWidthMax));
      return std::nullopt;
    }
    constexpr auto kWords = WordsOf(Transform{});
    const std::string_view near = ClosestWord(word, kWords);
    Report(position, near.empty()
                         ? fmt::format("`{}` is no format; there are 05 (a width), {}", word,
                                       fmt::join(kWords, ", "))
                         : fmt::format("`{}` is no format; did you mean `{}`?", word, near));
    return std::nullopt;
  }

  std::string_view TakeWord() {
    const auto* const end = std::find_if_not(rest_.begin(), rest_.end(), IsNameCharacter);
    const std::string_view word = rest_.substr(0, static_cast<std::size_t>(end - rest_.begin()));
    Pass(word.size());
    return word;
  }

  void Pass(std::size_t length) {
    length = std::min(length, rest_.size());
    CountColumns(rest_.substr(0, length));
    rest_.remove_prefix(length);
  }

  void CountColumns(std::string_view passed) { position_.column += CountCharacters(passed); }

  bool Report(Position position, std::string message) {
    AddError(diagnostics_, "S5", position, std::move(message));
    return false;
  }

  std::string_view rest_;
  Position position_;
  Diagnostics& diagnostics_;
};

void AppendFormat(std::string& out, const Format& format) {
  out += ':';
  if (const auto* pad = std::get_if<ZeroPad>(&format)) {
    out += fmt::format("0{}", pad->width);
  } else {
    out += WordOf(*std::get_if<Transform>(&format));
  }
}

void AppendLiteral(std::string& out, std::string_view text) {
  for (const char c : text) {
    out += c;
    if (c == '{' || c == '}') out += c;
  }
}

}  // namespace

Template ParseTemplate(std::string_view source, Position position, Diagnostics& diagnostics) {
  return TemplateParser(source, position, diagnostics).Run();
}

std::string TemplateText(const Template& key_template) {
  std::string out;
  for (const auto& part : key_template.parts) {
    if (const auto* text = std::get_if<std::string>(&part)) {
      AppendLiteral(out, *text);
      continue;
    }
    const Placeholder& placeholder = *std::get_if<Placeholder>(&part);
    out += '{' + PathText(placeholder.path);
    for (const Format& format : placeholder.formats)
      AppendFormat(out, format);
    out += '}';
  }
  return out;
}

std::string PathText(const Path& path) { return fmt::format("{}", fmt::join(path.parts, ".")); }

}  // namespace trestle::design::syntax
