#include <charconv>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "design/syntax/parser_internal.h"
#include "design/syntax/template_text.h"
#include "design/syntax/text_literal.h"

namespace trestle::design::syntax {
namespace {

// What stands between the quotes, and where.
std::string_view WithoutQuotes(const TokenView& token) {
  return token.text.substr(1, token.text.size() - 2);
}
Position BehindQuote(const TokenView& token) {
  return {token.position.line, token.position.column + 1};
}

Result<Duration> ReadDuration(TokenReader& reader) {
  Duration duration;
  duration.count = TRY(ReadCount(reader, "a number of days, hours, minutes or seconds"));
  duration.unit = TRY(ReadWord<TimeUnit>(reader, "a unit of time"));
  return duration;
}

Result<CallValue> ReadCall(TokenReader& reader) {
  CallValue call;
  call.function = TRY(ReadWord<Function>(reader, "a function"));
  TRY(reader.ExpectSign("("));
  TRY(reader.ExpectSign(")"));
  if (reader.TakeSign("+")) call.plus = TRY(ReadDuration(reader));
  return call;
}

Result<ListValue> ReadList(TokenReader& reader) {
  ListValue list;
  TRY(reader.ExpectSign("["));
  while (!reader.AtSign("]")) {
    list.elements.push_back(TRY(ReadValue(reader)));
    if (!reader.TakeSign(",")) break;
  }
  TRY(reader.ExpectSign("]"));
  return list;
}

Result<Comparison> ReadComparison(TokenReader& reader, Path path, bool of_size) {
  Comparison comparison{.path = std::move(path), .of_size = of_size};
  const auto comparator = FromWord<Comparator>(reader.current().text);
  if (!comparator) return reader.Expected("a comparison such as `=`");
  reader.Take();
  comparison.comparator = *comparator;
  comparison.value = TRY(ReadValue(reader));
  return comparison;
}

// a | a absent | a = v | size(a) < v | not TEST | (COND)
Result<Condition> ReadTest(TokenReader& reader) {
  TRY(reader.CheckNesting());
  const Nesting nesting(reader);
  const Position position = reader.current().position;
  if (reader.TakeSign("(")) {
    Condition inner = TRY(ReadCondition(reader));
    TRY(reader.ExpectSign(")"));
    return inner;
  }
  if (reader.TakeWord("not")) {
    Condition operand = TRY(ReadTest(reader));
    return Condition{position, Negation{Box<Condition>(std::move(operand))}};
  }
  if (reader.AtWord("size") && reader.next().text == "(") {
    reader.Take();
    reader.Take();
    Path path = TRY(ReadPath(reader));
    TRY(reader.ExpectSign(")"));
    Comparison comparison = TRY(ReadComparison(reader, std::move(path), true));
    return Condition{position, std::move(comparison)};
  }
  Path path = TRY(ReadPath(reader));
  if (reader.TakeWord("absent")) return Condition{position, Presence{std::move(path), true}};
  const bool compares = FromWord<Comparator>(reader.current().text).has_value();
  if (!compares) return Condition{position, Presence{std::move(path), false}};
  Comparison comparison = TRY(ReadComparison(reader, std::move(path), false));
  return Condition{position, std::move(comparison)};
}

// Operands of `connective`, which binds tighter than what calls it.
template <typename ReadOperand>
Result<Condition> ReadJunction(TokenReader& reader, Connective connective, ReadOperand read) {
  const Position position = reader.current().position;
  Condition first = TRY(read(reader));
  if (!reader.AtWord(WordOf(connective))) return first;
  Junction junction{.connective = connective, .operands = {}};
  junction.operands.push_back(std::move(first));
  while (reader.TakeWord(WordOf(connective)))
    junction.operands.push_back(TRY(read(reader)));
  return Condition{position, std::move(junction)};
}

}  // namespace

Result<Name> ReadName(TokenReader& reader, std::string_view what) {
  if (!reader.At(TokenKind::kName)) return reader.Expected(what);
  const TokenView token = reader.Take();
  return Name{token.position, std::string(token.text)};
}

Result<Path> ReadPath(TokenReader& reader) {
  Path path{.position = reader.current().position, .parts = {}};
  do {
    Name part = TRY(ReadName(reader, "the name of an attribute"));
    path.parts.push_back(std::move(part.text));
  } while (reader.TakeSign("."));
  return path;
}

Result<Text> ReadText(TokenReader& reader, std::string_view what) {
  if (!reader.At(TokenKind::kText)) return reader.Expected(what);
  const TokenView token = reader.Take();
  return Text{token.position,
              DecodeText(WithoutQuotes(token), BehindQuote(token), reader.diagnostics())};
}

Result<Template> ReadTemplate(TokenReader& reader) {
  if (!reader.At(TokenKind::kText)) return reader.Expected("a template in quotes");
  const TokenView token = reader.Take();
  return ParseTemplate(WithoutQuotes(token), BehindQuote(token), reader.diagnostics());
}

Result<Number> ReadNumber(TokenReader& reader) {
  if (!reader.At(TokenKind::kNumber)) return reader.Expected("a number");
  const TokenView token = reader.Take();
  return Number{token.position, std::string(token.text)};
}

Result<Count> ReadCount(TokenReader& reader, std::string_view what) {
  if (!reader.At(TokenKind::kNumber)) return reader.Expected(what);
  const TokenView token = reader.current();
  Count count = 0;
  const char* const end = token.text.data() + token.text.size();
  const auto read = std::from_chars(token.text.data(), end, count);
  if (read.ec != std::errc() || read.ptr != end || count < 0 || count > kCountMax) {
    return reader.Fail(
        "S6", token.position,
        fmt::format("`{}` should be {}: a whole number from 0 to {}", token.text, what, kCountMax));
  }
  reader.Take();
  return count;
}

Result<Value> ReadValue(TokenReader& reader) {
  TRY(reader.CheckNesting());
  const Nesting nesting(reader);
  Value value{.position = reader.current().position, .is = {}};
  if (reader.At(TokenKind::kText)) {
    value.is = TRY(ReadText(reader, "a text"));
  } else if (reader.At(TokenKind::kNumber)) {
    value.is = TRY(ReadNumber(reader));
  } else if (reader.AtSign("[")) {
    value.is = TRY(ReadList(reader));
  } else if (reader.AtWord("true") || reader.AtWord("false")) {
    value.is = BoolValue{reader.Take().text == "true"};
  } else if (!reader.At(TokenKind::kName)) {
    return reader.Expected("a value");
  } else if (reader.next().text == "(") {
    value.is = TRY(ReadCall(reader));
  } else {
    Path path = TRY(ReadPath(reader));
    value.is = NameValue{std::move(path)};
  }
  return value;
}

Result<Condition> ReadCondition(TokenReader& reader) {
  const auto read_conjunction = [](TokenReader& inner) {
    return ReadJunction(inner, Connective::kAnd, ReadTest);
  };
  return ReadJunction(reader, Connective::kOr, read_conjunction);
}

Result<std::optional<Condition>> ReadOptionalCondition(TokenReader& reader, std::string_view word) {
  std::optional<Condition> condition;
  if (reader.TakeWord(word)) condition = TRY(ReadCondition(reader));
  return condition;
}

Result<std::vector<Name>> ReadNames(TokenReader& reader, std::string_view what) {
  std::vector<Name> names;
  do {
    names.push_back(TRY(ReadName(reader, what)));
  } while (reader.TakeSign(","));
  return names;
}

Result<std::vector<Name>> ReadNamesInParentheses(TokenReader& reader) {
  TRY(reader.ExpectSign("("));
  std::vector<Name> names = TRY(ReadNames(reader, "the name of an attribute"));
  TRY(reader.ExpectSign(")"));
  return names;
}

}  // namespace trestle::design::syntax
