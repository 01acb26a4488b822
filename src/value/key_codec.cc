#include "value/key_codec.h"

#include "base/check.h"

namespace trestle::value {
namespace {

void AppendEscaped(std::string& out, std::string_view bytes) {
  while (true) {
    const std::size_t zero = bytes.find('\0');
    if (zero == std::string_view::npos) break;
    out.append(bytes.substr(0, zero + 1));
    out.push_back('\xff');
    bytes.remove_prefix(zero + 1);
  }
  out.append(bytes);
}

bool IsText(ValueView key) { return key.type() == Type::kS || key.type() == Type::kB; }

}  // namespace

void AppendKeyComponent(std::string& out, ValueView key) {
  if (IsText(key)) {
    AppendEscaped(out, key.text());
    out.append("\x00\x01", 2);
    return;
  }
  CHECK(key.type() == Type::kN, "a key is a string, a binary or a number");
  out.append(key.number());
}

void AppendLastKeyComponent(std::string& out, ValueView key) {
  CHECK(IsText(key) || key.type() == Type::kN, "a key is a string, a binary or a number");
  out.append(IsText(key) ? key.text() : key.number());
}

void AppendKeyPrefix(std::string& out, ValueView key) {
  CHECK(IsText(key), "only strings and binaries begin with something");
  AppendEscaped(out, key.text());
}

std::string PrefixEnd(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xff')
    prefix.pop_back();
  if (!prefix.empty()) prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

}  // namespace trestle::value
