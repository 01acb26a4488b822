#include <optional>
#include <string>

#include <fmt/format.h>

#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

// "(1..500)", "(0..)", or nothing.
Result<std::optional<Range>> ReadOptionalRange(TokenReader& reader) {
  std::optional<Range> none;
  if (!reader.AtSign("(")) return none;
  reader.Take();
  Range range;
  if (!reader.AtSign("..")) range.min = TRY(ReadNumber(reader));
  TRY(reader.ExpectSign(".."));
  if (!reader.AtSign(")")) range.max = TRY(ReadNumber(reader));
  TRY(reader.ExpectSign(")"));
  return std::optional<Range>(std::move(range));
}

Result<TimestampType> ReadTimestamp(TokenReader& reader) {
  TimestampType type;
  if (!reader.TakeSign("(")) return type;
  type.precision = TRY(ReadWord<Precision>(reader, "a precision"));
  TRY(reader.ExpectSign(")"));
  return type;
}

Result<EnumType> ReadEnum(TokenReader& reader) {
  EnumType type;
  TRY(reader.ExpectSign("("));
  do {
    type.values.push_back(TRY(ReadText(reader, "a value in quotes")));
  } while (reader.TakeSign(","));
  TRY(reader.ExpectSign(")"));
  return type;
}

template <typename Container>
Result<Container> ReadContainer(TokenReader& reader) {
  Container container;
  TRY(reader.ExpectSign("<"));
  *container.element = TRY(ReadType(reader));
  TRY(reader.ExpectSign(">"));
  container.range = TRY(ReadOptionalRange(reader));
  return container;
}

Result<Type> UnknownType(TokenReader& reader) {
  constexpr auto kPlain = WordsOf(PlainTypeName{});
  constexpr auto kRanged = WordsOf(RangedTypeName{});
  std::vector<std::string_view> words(kRanged.begin(), kRanged.end());
  words.insert(words.end(), kPlain.begin(), kPlain.end());
  words.insert(words.end(), {"timestamp", "enum", "list", "set", "map"});
  return reader.UnknownWord("a type", words);
}

using ModifierForm = decltype(Modifier::is);

Result<ConstModifier> ReadConst(TokenReader& reader) {
  return ConstModifier{TRY(ReadValue(reader))};
}

Result<ComputedModifier> ReadComputed(TokenReader& reader) {
  return ComputedModifier{TRY(ReadTemplate(reader))};
}

Result<NormaliseModifier> ReadNormalise(TokenReader& reader) {
  NormaliseModifier modifier;
  do {
    modifier.steps.push_back(TRY(ReadWord<Normalisation>(reader, "a way to normalise")));
  } while (reader.TakeSign(","));
  return modifier;
}

Result<PatternModifier> ReadPattern(TokenReader& reader) {
  if (!reader.At(TokenKind::kRegex)) return reader.Expected("a pattern between slashes");
  const std::string_view source = reader.Take().text;
  return PatternModifier{std::string(source.substr(1, source.size() - 2))};
}

Result<RequiredWhenModifier> ReadRequiredWhen(TokenReader& reader) {
  return RequiredWhenModifier{TRY(ReadCondition(reader))};
}

Result<AbsentUnlessModifier> ReadAbsentUnless(TokenReader& reader) {
  return AbsentUnlessModifier{TRY(ReadCondition(reader))};
}

Result<OnUpdateModifier> ReadOnUpdate(TokenReader& reader) {
  return OnUpdateModifier{TRY(ReadValue(reader))};
}

Result<WasModifier> ReadWas(TokenReader& reader) {
  return WasModifier{TRY(ReadName(reader, "the attribute's earlier name"))};
}

constexpr Form<ModifierForm> kModifiers[] = {
    {"const", Into<ModifierForm, ReadConst>},
    {"computed", Into<ModifierForm, ReadComputed>},
    {"normalise", Into<ModifierForm, ReadNormalise>},
    {"pattern", Into<ModifierForm, ReadPattern>},
    {"required_when", Into<ModifierForm, ReadRequiredWhen>},
    {"absent_unless", Into<ModifierForm, ReadAbsentUnless>},
    {"on_update", Into<ModifierForm, ReadOnUpdate>},
    {"was", Into<ModifierForm, ReadWas>},
};

Result<ModifierForm> ReadModifierForm(TokenReader& reader) {
  if (const auto flag = FromWord<Flag>(reader.current().text)) {
    reader.Take();
    return ModifierForm(FlagModifier{*flag});
  }
  constexpr auto kFlags = WordsOf(Flag{});
  std::vector<std::string_view> words(kFlags.begin(), kFlags.end());
  for (const auto& form : kModifiers) {
    if (reader.TakeWord(form.word)) return form.read(reader);
    words.push_back(form.word);
  }
  return reader.UnknownWord("a modifier", words);
}

}  // namespace

Result<Type> ReadType(TokenReader& reader) {
  TRY(reader.CheckNesting());
  const Nesting nesting(reader);
  const TokenView name = reader.current();
  Type type{.position = name.position, .is = {}};
  if (const auto plain = FromWord<PlainTypeName>(name.text)) {
    reader.Take();
    type.is = PlainType{*plain};
  } else if (const auto ranged = FromWord<RangedTypeName>(name.text)) {
    reader.Take();
    auto range = TRY(ReadOptionalRange(reader));
    type.is = RangedType{*ranged, std::move(range)};
  } else if (reader.TakeWord("timestamp")) {
    type.is = TRY(ReadTimestamp(reader));
  } else if (reader.TakeWord("enum")) {
    type.is = TRY(ReadEnum(reader));
  } else if (reader.TakeWord("list")) {
    type.is = TRY(ReadContainer<ListType>(reader));
  } else if (reader.TakeWord("set")) {
    type.is = TRY(ReadContainer<SetType>(reader));
  } else if (reader.TakeWord("map")) {
    Block<Attribute> attributes = TRY(ReadBlock<Attribute>(reader, ReadAttribute));
    type.is = MapType{std::move(attributes)};
  } else {
    return UnknownType(reader);
  }
  return type;
}

Result<Attribute> ReadAttribute(TokenReader& reader) {
  Attribute attribute;
  attribute.name = TRY(ReadName(reader, "the name of an attribute"));
  TRY(reader.ExpectSign(":"));
  attribute.type = TRY(ReadType(reader));
  attribute.optional = reader.TakeSign("?");
  if (reader.TakeSign("=")) attribute.default_value = TRY(ReadValue(reader));
  while (!reader.AtStatementEnd()) {
    Modifier modifier{.position = reader.current().position, .is = {}};
    modifier.is = TRY(ReadModifierForm(reader));
    attribute.modifiers.push_back(std::move(modifier));
  }
  return attribute;
}

}  // namespace trestle::design::syntax
