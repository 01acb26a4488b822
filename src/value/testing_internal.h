#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "value/item_codec.h"

// Short ways to write values and bytes, for tests.

namespace trestle::value::testing {

inline std::string Hex(std::string_view bytes) {
  static constexpr char kHex[] = "0123456789abcdef";
  std::string text;
  for (const char c : bytes) {
    text += kHex[static_cast<unsigned char>(c) >> 4];
    text += kHex[static_cast<unsigned char>(c) & 15];
  }
  return text;
}

// Blanks are skipped.
inline std::string Unhex(std::string_view text) {
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ') continue;
    bytes += static_cast<char>(std::stoi(std::string(text.substr(i++, 2)), nullptr, 16));
  }
  return bytes;
}

inline std::string S(std::string_view text) {
  std::string out;
  AppendString(out, text);
  return out;
}

inline std::string B(std::string_view bytes) {
  std::string out;
  AppendBinary(out, bytes);
  return out;
}

inline std::string N(std::string_view text) {
  std::string out;
  AppendNumber(out, *Number::Parse(text));
  return out;
}

inline std::string N(std::int64_t integer) {
  std::string out;
  AppendNumber(out, Number::FromInteger(integer));
  return out;
}

inline std::string Bool(bool boolean) {
  std::string out;
  AppendBool(out, boolean);
  return out;
}

inline std::string Null() {
  std::string out;
  AppendNull(out);
  return out;
}

inline std::string Ss(std::vector<std::string_view> elements) {
  std::string out;
  AppendStringSet(out, Type::kSs, std::move(elements));
  return out;
}

inline std::string Bs(std::vector<std::string_view> elements) {
  std::string out;
  AppendStringSet(out, Type::kBs, std::move(elements));
  return out;
}

inline std::string Ns(std::initializer_list<std::string_view> elements) {
  std::vector<Number> numbers;
  for (const std::string_view element : elements)
    numbers.push_back(*Number::Parse(element));
  std::string out;
  AppendNumberSet(out, std::move(numbers));
  return out;
}

inline std::string L(std::initializer_list<std::string> elements) {
  std::string out;
  const std::size_t place = BeginContainer(out, Type::kL);
  for (const std::string& element : elements)
    out += element;
  EndContainer(out, place, static_cast<std::uint32_t>(elements.size()));
  return out;
}

using Attributes = std::initializer_list<std::pair<std::string_view, std::string>>;

inline std::string M(Attributes attributes) {
  ItemBuilder builder;
  for (const auto& [name, value] : attributes)
    builder.Add(name, value);
  std::string out;
  builder.AppendMapTo(out);
  return out;
}

inline Item ItemOf(Attributes attributes) {
  ItemBuilder builder;
  for (const auto& [name, value] : attributes)
    builder.Add(name, value);
  return builder.Finish();
}

}  // namespace trestle::value::testing
