#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "expr/lexer.h"
#include "expr/placeholders.h"
#include "value/item_codec.h"
#include "value/number.h"

// Values written as text, for the tests of this folder:
//
//   "x"  12  b"x"  true  null  [1, "x"]  {a: 1, b: {c: 2}}  <"p", "q">  <1, 2>  <b"p">
//
// Strings hold no quotes. Printed forms have a blank after each comma and colon.

namespace trestle::expr::testing {

class ValueReader {
 public:
  explicit ValueReader(std::string_view text) : text_(text) {}

  std::string Read() {
    SkipBlanks();
    std::string out;
    switch (Peek()) {
      case '"':
        value::AppendString(out, Quoted());
        break;
      case 'b':
        Take('b');
        value::AppendBinary(out, Quoted());
        break;
      case 't':
      case 'f':
        value::AppendBool(out, Word() == "true");
        break;
      case 'n':
        CHECK(Word() == "null", "a value of the notation");
        value::AppendNull(out);
        break;
      case '[':
        ReadList(out);
        break;
      case '{':
        ReadMap(out);
        break;
      case '<':
        ReadSet(out);
        break;
      default:
        value::AppendNumber(out, *value::Number::Parse(Word()));
    }
    return out;
  }

  value::Item ReadItem() {
    const auto attributes = Attributes();
    value::ItemBuilder builder;
    for (const auto& [name, value] : attributes)
      builder.Add(name, value);
    return builder.Finish();
  }

 private:
  void ReadList(std::string& out) {
    Take('[');
    std::uint32_t count = 0;
    const std::size_t place = value::BeginContainer(out, value::Type::kL);
    for (; !TakeIf(']'); ++count, TakeIf(','))
      out += Read();
    value::EndContainer(out, place, count);
  }

  void ReadMap(std::string& out) {
    const auto attributes = Attributes();
    value::ItemBuilder builder;
    for (const auto& [name, value] : attributes)
      builder.Add(name, value);
    builder.AppendMapTo(out);
  }

  std::vector<std::pair<std::string, std::string>> Attributes() {
    std::vector<std::pair<std::string, std::string>> attributes;
    Take('{');
    for (; !TakeIf('}'); TakeIf(',')) {
      SkipBlanks();
      std::string name(Word());
      Take(':');
      attributes.emplace_back(std::move(name), Read());
    }
    return attributes;
  }

  void ReadSet(std::string& out) {
    Take('<');
    std::vector<std::string> values;
    for (; !TakeIf('>'); TakeIf(','))
      values.push_back(Read());
    std::vector<std::string_view> texts;
    std::vector<value::Number> numbers;
    value::Type type = value::Type::kNs;
    for (const std::string& element : values) {
      const value::ValueView view(element);
      if (view.type() == value::Type::kN) {
        std::string_view bytes = view.number();
        numbers.push_back(*value::Number::Take(bytes));
      } else {
        texts.push_back(view.text());
        type = view.type() == value::Type::kS ? value::Type::kSs : value::Type::kBs;
      }
    }
    if (type == value::Type::kNs) {
      value::AppendNumberSet(out, std::move(numbers));
    } else {
      value::AppendStringSet(out, type, std::move(texts));
    }
  }

  char Peek() const { return text_.empty() ? '\0' : text_.front(); }
  void SkipBlanks() {
    while (Peek() == ' ' || Peek() == '\n')
      text_.remove_prefix(1);
  }
  bool TakeIf(char c) {
    SkipBlanks();
    if (Peek() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  void Take(char c) { CHECK(TakeIf(c), "the sign that the notation needs here"); }
  std::string_view TakeBytes(std::size_t count) {
    const std::string_view taken = text_.substr(0, count);
    text_.remove_prefix(count);
    return taken;
  }
  std::string_view Quoted() {
    Take('"');
    const std::string_view quoted = TakeBytes(text_.find('"'));
    Take('"');
    return quoted;
  }
  std::string_view Word() {
    std::size_t length = 0;
    while (length < text_.size() &&
           std::string_view(" ,:]}>").find(text_[length]) == std::string_view::npos) {
      ++length;
    }
    return TakeBytes(length);
  }

  std::string_view text_;
};

inline std::string ValueOf(std::string_view text) { return ValueReader(text).Read(); }
inline value::Item ItemOf(std::string_view text) { return ValueReader(text).ReadItem(); }

inline std::string Print(value::ValueView value);

inline std::string PrintElements(value::ValueView value, char open, char close) {
  std::string text(1, open);
  std::string_view rest = value.contents();
  while (!rest.empty()) {
    if (text.size() > 1) text += ", ";
    switch (value.type()) {
      case value::Type::kL:
        text += Print(value::TakeValue(rest));
        break;
      case value::Type::kM: {
        const value::AttributeView attribute = value::TakeAttribute(rest);
        text += std::string(attribute.name) + ": " + Print(attribute.value);
        break;
      }
      case value::Type::kNs:
        text += value::NumberText(value::TakeElement(rest, value::Type::kNs));
        break;
      default:
        text += value.type() == value::Type::kBs ? "b\"" : "\"";
        text += value::TakeElement(rest, value.type());
        text += '"';
    }
  }
  return text + close;
}

inline std::string Print(value::ValueView value) {
  switch (value.type()) {
    case value::Type::kS:
      return '"' + std::string(value.text()) + '"';
    case value::Type::kN:
      return value::NumberText(value.number());
    case value::Type::kB:
      return "b\"" + std::string(value.text()) + '"';
    case value::Type::kBool:
      return value.boolean() ? "true" : "false";
    case value::Type::kNull:
      return "null";
    case value::Type::kM:
      return PrintElements(value, '{', '}');
    case value::Type::kL:
      return PrintElements(value, '[', ']');
    case value::Type::kSs:
    case value::Type::kNs:
    case value::Type::kBs:
      return PrintElements(value, '<', '>');
  }
  UNREACHABLE("a type that is not in the enum");
}

inline std::string Print(value::ItemView item) {
  std::string text = "{";
  for (const value::AttributeView attribute : item.attributes()) {
    if (text.size() > 1) text += ", ";
    text += std::string(attribute.name) + ": " + Print(attribute.value);
  }
  return text + "}";
}

// Names and values that the tests' expressions use. ":w" and "#w" are not among them.
inline Placeholders TestPlaceholders() {
  Placeholders::Entries names = {
      {"#a", "a"}, {"#b", "b"}, {"#c", "c"}, {"#status", "status"}, {"#dot", "x.y"}};
  Placeholders::Entries values;
  const std::pair<const char*, const char*> texts[] = {
      {":s", "\"x\""},
      {":s2", "\"y\""},
      {":empty", "\"\""},
      {":n", "1"},
      {":n2", "2"},
      {":n0", "0"},
      {":n3", "3"},
      {":neg", "-5"},
      {":b", "b\"abc\""},
      {":b2", "b\"abd\""},
      {":t", "true"},
      {":f", "false"},
      {":u", "null"},
      {":l", "[\"x\"]"},
      {":l0", "[]"},
      {":m", "{k: \"v\"}"},
      {":ss", "<\"p\", \"q\">"},
      {":ss1", "<\"p\">"},
      {":ns", "<1, 2>"},
      {":bs", "<b\"p\">"},
      {":typeS", "\"S\""},
      {":typeN", "\"N\""},
      {":typeBOOL", "\"BOOL\""},
      {":typeNULL", "\"NULL\""},
      {":typeL", "\"L\""},
      {":typeM", "\"M\""},
      {":typeSS", "\"SS\""},
      {":typeNS", "\"NS\""},
      {":typeBS", "\"BS\""},
      {":typeB", "\"B\""},
      {":max", "9.9999999999999999999999999999999999999E+125"},
  };
  for (const auto& [key, text] : texts)
    values.push_back({.key = key, .text = ValueOf(text)});
  return {std::move(names), std::move(values)};
}

}  // namespace trestle::expr::testing
