#include "design/syntax/lexer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

namespace trestle::design::syntax {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 21> kSigns = {"->", "..", "<=", ">=", "<>", "{", "}",
                                                     "(",  ")",  "[",  "]",  "<",  ">", "=",
                                                     ":",  ",",  ".",  "?",  "*",  "+", "-"};

bool IsContinuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

class Lexer {
 public:
  Lexer(std::string_view text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  TokensView Run() && {
    while (at_ < text_.size())
      Step();
    EndLine("");
    Add(TokenKind::kEnd, 0);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::string_view Rest() const { return text_.substr(at_); }
  [[nodiscard]] Position Here() const { return {line_, column_}; }

  void Step() {
    const std::string_view rest = Rest();
    const char first = rest.front();
    if (first == ' ' || first == '\t' || first == '\r') return Pass(1);
    if (first == '\n') return NextLine();
    if (first == ';') return EndLine(rest.substr(0, 1));
    if (rest.starts_with("//")) return AddComment();
    if (IsNameStart(first)) return Add(TokenKind::kName, LengthOf(rest, IsNameCharacter));
    const bool signed_number = first == '-' && rest.size() > 1 && IsDigit(rest[1]);
    if (IsDigit(first) || signed_number) return Add(TokenKind::kNumber, LengthOfNumber(rest));
    if (first == '"') return AddDelimited(TokenKind::kText, "text", '"');
    if (first == '/') return AddDelimited(TokenKind::kRegex, "pattern", '/');
    for (const std::string_view sign : kSigns) {
      if (rest.starts_with(sign)) return Add(TokenKind::kSign, sign.size());
    }
    AddStray();
  }

  template <typename Predicate>
  static std::size_t LengthOf(std::string_view text, Predicate belongs) {
    const auto* const end = std::find_if_not(text.begin() + 1, text.end(), belongs);
    return static_cast<std::size_t>(end - text.begin());
  }

  // "1..5" is a number, a sign and a number.
  static std::size_t LengthOfNumber(std::string_view text) {
    const std::size_t whole = LengthOf(text, IsDigit);
    if (text.size() < whole + 2 || text[whole] != '.' || !IsDigit(text[whole + 1])) return whole;
    return whole + LengthOf(text.substr(whole), IsDigit);
  }

  void AddComment() {
    const std::string_view line = Rest().substr(0, Rest().find('\n'));
    std::string_view text = line.substr(2);
    if (text.starts_with(' ')) text.remove_prefix(1);
    text = text.substr(0, text.find_last_not_of(" \t\r") + 1);
    result_.comments.push_back({.text = text,
                                .position = Here(),
                                .token = result_.tokens.size(),
                                .blank_before = TakeBlank()});
    Pass(line.size());
  }

  // From one delimiter to the next that has no backslash before it.
  void AddDelimited(TokenKind kind, std::string_view what, char delimiter) {
    const std::string_view line = Rest().substr(0, Rest().find('\n'));
    std::size_t end = 1;
    while (end < line.size() && line[end] != delimiter)
      end += line[end] == '\\' ? 2 : 1;
    if (end < line.size()) return Add(kind, end + 1);
    Report(fmt::format("this {} has no closing {} on its line", what, delimiter));
    Add(TokenKind::kBroken, line.size());
  }

  void AddStray() {
    const std::size_t length = LengthOf(Rest(), IsContinuation);
    const std::string_view character = Rest().substr(0, length);
    const bool is_control = static_cast<unsigned char>(character.front()) < 0x20;
    Report(is_control ? fmt::format("a control character (U+{:04X}) stands here", character.front())
                      : fmt::format("`{}` begins nothing that a design can hold", character));
    Add(TokenKind::kBroken, length);
  }

  void Report(std::string message) { AddError(diagnostics_, "S1", Here(), std::move(message)); }

  void Add(TokenKind kind, std::size_t length) {
    result_.tokens.push_back({.kind = kind,
                              .text = Rest().substr(0, length),
                              .position = Here(),
                              .blank_before = TakeBlank()});
    Pass(length);
  }

  bool TakeBlank() {
    const bool blank = line_ > last_line_ + 1 && last_line_ != 0;
    last_line_ = line_;
    return blank;
  }

  void NextLine() {
    if (!GoesOn()) EndLine("");
    ++at_;
    ++line_;
    column_ = 1;
  }

  // A statement goes on behind "=", "," and an open bracket, and before a closing one.
  [[nodiscard]] bool GoesOn() const {
    constexpr std::array<std::string_view, 4> kOpen = {"=", ",", "(", "["};
    if (result_.tokens.empty()) return true;
    const TokenView& last = result_.tokens.back();
    if (last.kind == TokenKind::kNewline) return true;
    if (last.kind == TokenKind::kSign && std::ranges::find(kOpen, last.text) != kOpen.end()) {
      return true;
    }
    const std::size_t next = text_.find_first_not_of(" \t\r\n", at_);
    return next != std::string_view::npos && (text_[next] == ')' || text_[next] == ']');
  }

  void EndLine(std::string_view text) {
    if (result_.tokens.empty() || result_.tokens.back().kind != TokenKind::kNewline) {
      result_.tokens.push_back({.kind = TokenKind::kNewline, .text = text, .position = Here()});
    }
    Pass(text.size());
  }

  void Pass(std::size_t length) {
    column_ += CountCharacters(Rest().substr(0, length));
    at_ += length;
  }

  const std::string_view text_;
  Diagnostics& diagnostics_;
  TokensView result_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::uint32_t column_ = 1;
  std::uint32_t last_line_ = 0;  // of the last token or comment
};

}  // namespace

TokensView Tokenize(std::string_view text, Diagnostics& diagnostics) {
  return Lexer(text, diagnostics).Run();
}

std::uint32_t CountCharacters(std::string_view utf8) {
  return static_cast<std::uint32_t>(
      std::ranges::count_if(utf8, [](char c) { return !IsContinuation(c); }));
}

}  // namespace trestle::design::syntax
