#include "design/syntax/text_literal.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/utf8.h"
#include "design/syntax/lexer.h"

namespace trestle::design::syntax {
namespace {

constexpr std::pair<char, char> kEscapes[] = {{'"', '"'}, {'\\', '\\'}, {'n', '\n'}, {'t', '\t'}};

bool IsCharacter(std::uint32_t number) {
  return number <= 0x10ffff && (number < 0xd800 || number > 0xdfff);
}

// Takes "{hex}" from the front; nothing when that is no character.
std::string TakeHex(std::string_view& source) {
  const std::size_t close = source.find('}');
  if (!source.starts_with('{') || close == std::string_view::npos) return {};
  const std::string_view hex = source.substr(1, close - 1);
  std::uint32_t number = 0;
  const auto read = std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
  if (read.ec != std::errc() || read.ptr != hex.data() + hex.size()) return {};
  source.remove_prefix(close + 1);
  std::string character;
  if (IsCharacter(number)) AppendCodePoint(character, number);
  return character;
}

std::string TakeEscape(std::string_view& source) {
  const char letter = source.empty() ? '\0' : source.front();
  if (!source.empty()) source.remove_prefix(1);
  for (const auto& [escape, meaning] : kEscapes) {
    if (letter == escape) return {meaning};
  }
  return letter == 'u' ? TakeHex(source) : std::string();
}

}  // namespace

std::string TakeCharacter(std::string_view& source, Position position, Diagnostics& diagnostics) {
  if (source.front() != '\\') {
    std::size_t length = 1;
    while (length < source.size() && CountCharacters(source.substr(length, 1)) == 0)
      ++length;
    std::string character(source.substr(0, length));
    source.remove_prefix(length);
    return character;
  }
  source.remove_prefix(1);
  std::string character = TakeEscape(source);
  if (character.empty()) {
    AddError(diagnostics, "S1", position, "after a backslash stands \", \\, n, t or u{hex}");
  }
  return character;
}

std::string DecodeText(std::string_view source, Position position, Diagnostics& diagnostics) {
  std::string text;
  while (!source.empty()) {
    const std::string_view before = source;
    text += TakeCharacter(source, position, diagnostics);
    position.column += CountCharacters(before.substr(0, before.size() - source.size()));
  }
  return text;
}

void AppendTextSource(std::string& out, std::string_view text) {
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{{{:x}}}", c);
    } else {
      out += c;
    }
  }
}

}  // namespace trestle::design::syntax
