// The values of a statement:
//
//   value := 'text' | [+|-] number | TRUE | FALSE | NULL | "?"
//          | "[" value, ... "]" | "{" 'name' ":" value, ... "}" | "<<" value, ... ">>"
//
// A parameter stands for a whole value, or for a member of the item that INSERT puts; the service
// takes none inside of another literal.

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/limits.h"
#include "expr/partiql/reader_internal.h"
#include "value/item_codec.h"
#include "value/number.h"

namespace trestle::expr::partiql {
namespace {

using value::Type;
using value::ValueView;

Error DuplicateElements(const std::vector<std::string>& texts, std::string_view end) {
  return ValidationError(
      fmt::format("One or more parameter values were invalid: Input collection [{}] contains "
                  "duplicates{}",
                  fmt::join(texts, ", "), end));
}

Result<std::string> StringSet(const std::vector<std::string>& values) {
  std::vector<std::string_view> elements;
  std::vector<std::string> texts;
  for (const std::string& value : values) {
    elements.push_back(ValueView(value).text());
    texts.emplace_back(elements.back());
  }
  if (!value::SortedUnique(elements)) return DuplicateElements(texts, ".");
  std::string set;
  value::AppendStringSet(set, Type::kSs, std::move(elements));
  return set;
}

Result<std::string> NumberSet(const std::vector<std::string>& values) {
  std::vector<value::Number> elements;
  std::vector<std::string> texts;
  for (const std::string& value : values) {
    std::string_view bytes = ValueView(value).number();
    value::AppendNumberText(bytes, texts.emplace_back());
    elements.push_back(TRY(value::Number::Take(bytes)));
  }
  if (!value::SortedUnique(elements)) return DuplicateElements(texts, "! under root");
  std::string set;
  value::AppendNumberSet(set, std::move(elements));
  return set;
}

}  // namespace

bool TokenReader::AtValue() const {
  switch (current_.kind) {
    case TokenKind::kString:
    case TokenKind::kNumber:
    case TokenKind::kParameter:
    case TokenKind::kOpenBracket:
    case TokenKind::kOpenBrace:
    case TokenKind::kOpenBag:
      return true;
    case TokenKind::kPlus:
    case TokenKind::kMinus: {
      const TokenKind following = Following().kind;
      return following == TokenKind::kNumber || following == TokenKind::kPlus ||
             following == TokenKind::kMinus;
    }
    default:
      return AtWord("TRUE") || AtWord("FALSE") || AtWord("NULL");
  }
}

Result<std::string> TokenReader::ReadValue() { return ReadValueAt({}, 0); }

Result<std::string> TokenReader::ReadValueAt(const std::string& place, std::size_t depth) {
  if (depth == kDocumentDepthMax) {
    return ValidationError(
        fmt::format("Nesting Levels have exceeded supported limits under {}", place));
  }
  const std::string inside = place.empty() ? "root" : place;
  std::string value;
  switch (current_.kind) {
    case TokenKind::kString:
      value::AppendString(value, Unquoted(current_.text));
      break;
    case TokenKind::kNumber:
    case TokenKind::kPlus:
    case TokenKind::kMinus:
      return ReadNumber();
    case TokenKind::kParameter:
      if (!place.empty()) {
        return ErrorAt(fmt::format("Unsupported data type: Parameter under key {}", place),
                       current_.text);
      }
      return TakeParameter();
    case TokenKind::kOpenBracket:
      return ReadList(inside, depth);
    case TokenKind::kOpenBrace:
      return ReadTuple(inside, depth);
    case TokenKind::kOpenBag:
      return ReadBag(inside, depth);
    default:
      if (AtWord("NULL")) {
        value::AppendNull(value);
      } else if (AtWord("TRUE") || AtWord("FALSE")) {
        value::AppendBool(value, AtWord("TRUE"));
      } else {
        return Unexpected();
      }
  }
  Advance();
  return value;
}

Result<std::string> TokenReader::ReadNumber() {
  bool is_negative = false;
  for (; At(TokenKind::kPlus) || At(TokenKind::kMinus); Advance())
    is_negative ^= At(TokenKind::kMinus);
  if (!At(TokenKind::kNumber)) return Unexpected();
  const std::string text = fmt::format("{}{}", is_negative ? "-" : "", current_.text);
  std::string number;
  value::AppendNumber(number, TRY(value::Number::Parse(text)));
  Advance();
  return number;
}

Result<std::string> TokenReader::ReadList(const std::string& place, std::size_t depth) {
  Advance();
  std::string list;
  std::uint32_t count = 0;
  const std::size_t start = value::BeginContainer(list, Type::kL);
  while (!At(TokenKind::kCloseBracket)) {
    if (count > 0) TRY(Expect(TokenKind::kComma));
    list += TRY(ReadValueAt(fmt::format("{}[{}]", place, count), depth + 1));
    ++count;
  }
  Advance();
  value::EndContainer(list, start, count);
  return list;
}

// `place` is empty for the item that INSERT puts: its members may be parameters.
Result<std::map<std::string, std::string, std::less<>>> TokenReader::ReadMembers(
    const std::string& place, std::size_t depth) {
  TRY(Expect(TokenKind::kOpenBrace));
  std::map<std::string, std::string, std::less<>> members;
  while (!At(TokenKind::kCloseBrace)) {
    if (!members.empty()) TRY(Expect(TokenKind::kComma));
    std::string name;
    if (At(TokenKind::kString)) {
      name = Unquoted(current_.text);
      Advance();
    } else {
      name = TRY(ReadName());
    }
    TRY(Expect(TokenKind::kColon));
    const std::string inside = place.empty() ? place : fmt::format("{}.{}", place, name);
    std::string value = TRY(ReadValueAt(inside, depth));
    if (!members.emplace(name, std::move(value)).second) {
      return NotWellFormed(fmt::format("Duplicate attribute name {}", name));
    }
  }
  Advance();
  return members;
}

Result<std::string> TokenReader::ReadTuple(const std::string& place, std::size_t depth) {
  const auto members = TRY(ReadMembers(place, depth + 1));
  value::ItemBuilder builder;
  for (const auto& [name, value] : members)
    builder.Add(name, value);
  std::string map;
  builder.AppendMapTo(map);
  return map;
}

Result<value::Item> TokenReader::ReadItem() {
  const auto members = TRY(ReadMembers({}, 0));
  value::ItemBuilder builder;
  for (const auto& [name, value] : members)
    builder.Add(name, value);
  return builder.Finish();
}

// A set of strings or of numbers; those of binaries come as parameters.
Result<std::string> TokenReader::ReadBag(const std::string& place, std::size_t depth) {
  Advance();
  std::vector<std::string> values;
  while (!At(TokenKind::kCloseBag)) {
    if (!values.empty()) TRY(Expect(TokenKind::kComma));
    values.push_back(TRY(ReadValueAt(place, depth + 1)));
  }
  Advance();
  if (values.empty()) return ValidationError("Empty bags are not supported");
  const auto are_all = [&](Type type) {
    return std::ranges::all_of(
        values, [&](const std::string& value) { return ValueView(value).type() == type; });
  };
  if (are_all(Type::kS)) return StringSet(values);
  if (are_all(Type::kN)) return NumberSet(values);
  return ValidationError(
      "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags");
}

}  // namespace trestle::expr::partiql
