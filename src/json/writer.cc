#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "json/json.h"

namespace trestle::json {
namespace {

constexpr char kHex[] = "0123456789abcdef";

void AppendEscaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default: {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\u00";
      out.push_back(kHex[byte >> 4]);
      out.push_back(kHex[byte & 15]);
    }
  }
}

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Eight bytes at a time; the high bit of a byte in each term says that it is zero, or below 0x20.
bool AnyNeedsEscape(const char* eight) {
  constexpr std::uint64_t kOnes = 0x0101010101010101;
  constexpr std::uint64_t kHighs = 0x8080808080808080;
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, eight, 8);
  const std::uint64_t control = (bytes - kOnes * 0x20) & ~bytes;
  const std::uint64_t quote = bytes ^ kOnes * '"';
  const std::uint64_t backslash = bytes ^ kOnes * '\\';
  return ((control | ((quote - kOnes) & ~quote) | ((backslash - kOnes) & ~backslash)) & kHighs) !=
         0;
}

// Where the next byte that needs escaping is, or the end.
std::size_t FindEscape(std::string_view text, std::size_t from) {
  while (from + 8 <= text.size() && !AnyNeedsEscape(text.data() + from))
    from += 8;
  while (from < text.size() && !NeedsEscape(text[from]))
    ++from;
  return from;
}

}  // namespace

void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  for (std::size_t copied = 0; copied < text.size();) {
    const std::size_t escape = FindEscape(text, copied);
    out.append(text, copied, escape - copied);
    if (escape < text.size()) AppendEscaped(out, text[escape]);
    copied = escape + 1;
  }
  out.push_back('"');
}

void Writer::Open(char bracket) {
  Separate();
  out_.push_back(bracket);
  needs_comma_ = false;
}

void Writer::Close(char bracket) {
  out_.push_back(bracket);
  needs_comma_ = true;
}

void Writer::Separate() {
  if (needs_comma_) out_.push_back(',');
  needs_comma_ = true;
}

void Writer::Key(std::string_view name) {
  Separate();
  AppendQuoted(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
}

void Writer::String(std::string_view text) {
  Separate();
  AppendQuoted(out_, text);
}

void Writer::Integer(std::int64_t integer) {
  Separate();
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof(digits), integer);
  out_.append(digits, end.ptr);
}

void Writer::Double(double number) {
  Separate();
  char digits[64];
  const auto format =
      std::fabs(number) < 1e15 ? std::chars_format::fixed : std::chars_format::scientific;
  const auto end = std::to_chars(digits, digits + sizeof(digits), number, format);
  out_.append(digits, end.ptr);
  if (std::string_view(digits, end.ptr).find_first_of(".e") == std::string_view::npos) {
    out_ += ".0";
  }
}

void Writer::Bool(bool boolean) {
  Separate();
  out_ += boolean ? "true" : "false";
}

void Writer::Null() {
  Separate();
  out_ += "null";
}

void Writer::Raw(std::string_view json) {
  Separate();
  out_ += json;
}

std::string Indented(std::string_view json) {
  std::string out;
  std::size_t depth = 0;
  const auto new_line = [&] { out.append("\n").append(2 * depth, ' '); };
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') {
      const std::size_t start = i;
      for (++i; json[i] != '"'; ++i) {
        if (json[i] == '\\') ++i;
      }
      out += json.substr(start, i - start + 1);
    } else if (c == '{' || c == '[') {
      out += c;
      const bool is_empty = json[i + 1] == '}' || json[i + 1] == ']';
      if (is_empty) {
        out += json[++i];
      } else {
        ++depth;
        new_line();
      }
    } else if (c == '}' || c == ']') {
      --depth;
      new_line();
      out += c;
    } else {
      out += c;
      if (c == ',') new_line();
      if (c == ':') out += ' ';
    }
  }
  return out;
}

}  // namespace trestle::json
