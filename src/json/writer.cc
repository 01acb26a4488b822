#include <charconv>
#include <cmath>
#include <cstdint>

#include "json/json.h"
#include "json/tail.h"

namespace trestle::json {
void AppendQuoted(std::string& out, std::string_view text) {
  Tail(out, text.size() + 2).PutQuoted(text);
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
