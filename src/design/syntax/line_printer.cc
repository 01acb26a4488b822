#include <algorithm>

#include "design/syntax/lexer.h"
#include "design/syntax/line_printer_internal.h"

namespace trestle::design::syntax {
namespace {

constexpr std::size_t kIndent = 2;  // of a block, and of the further lines of a statement

std::string WithBlanks(std::string_view text) {
  std::string result(text);
  std::ranges::replace(result, kBreak, ' ');
  std::ranges::replace(result, kFirstBreak, ' ');
  return result;
}

// Cuts the text at its breaks into lines that fit where they can. The first has `first_length`
// characters, the others `length`.
std::vector<std::string> Fill(std::string_view text, std::size_t first_length, std::size_t length) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t room = first_length;
  while (!text.empty()) {
    const std::string_view piece = text.substr(0, text.find(kBreak));
    text.remove_prefix(std::min(piece.size() + 1, text.size()));
    if (!line.empty() && CountCharacters(line) + 1 + CountCharacters(piece) > room) {
      lines.push_back(std::move(line));
      line.clear();
      room = length;
    }
    if (!line.empty()) line += ' ';
    line += piece;
  }
  lines.push_back(std::move(line));
  return lines;
}

std::vector<std::string> BreakLine(std::string_view text, std::size_t indent) {
  const std::size_t length = kLineLengthMax - std::min(indent, kLineLengthMax);
  const std::size_t rest_length = length - std::min(kIndent, length);
  if (CountCharacters(text) <= length) return {WithBlanks(text)};
  const std::size_t first_break = text.find(kFirstBreak);
  if (first_break == std::string_view::npos) return Fill(text, length, rest_length);
  std::vector<std::string> lines = Fill(text.substr(0, first_break), length, rest_length);
  for (std::string& line : Fill(text.substr(first_break + 1), rest_length, rest_length))
    lines.push_back(std::move(line));
  return lines;
}

}  // namespace

void LinePrinter::EndLine() {
  const std::vector<std::string> lines = BreakLine(line_, indent_ * kIndent);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    AppendIndented(indent_ * kIndent + (i == 0 ? 0 : kIndent), lines[i]);
    if (i + 1 == lines.size() && !line_comment_.empty()) out_ += "  // " + line_comment_;
    out_ += '\n';
  }
  line_.clear();
  line_comment_.clear();
}

void LinePrinter::AppendComments(std::span<const Comment> comments) {
  for (const Comment& comment : comments) {
    AppendBlank(comment.blank_before);
    AppendIndented(indent_ * kIndent, comment.text.empty() ? "//" : "// " + comment.text);
    out_ += '\n';
  }
}

void LinePrinter::AppendBlank(bool wanted) {
  if (wanted) out_ += '\n';
}

void LinePrinter::AppendIndented(std::size_t indent, std::string_view text) {
  out_.append(indent, ' ');
  out_ += text;
}

}  // namespace trestle::design::syntax
