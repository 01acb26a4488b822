#include "design/syntax/parser.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "base/utf8.h"
#include "design/syntax/parser_internal.h"

namespace trestle::design::syntax {
namespace {

Result<Tenant> ReadTenant(TokenReader& reader) {
  return Tenant{TRY(ReadName(reader, "the name of an attribute"))};
}

Result<DesignParameter> ReadDesignParameter(TokenReader& reader) {
  DesignParameter parameter;
  parameter.name = TRY(ReadName(reader, "a name for the parameter"));
  TRY(reader.ExpectSign("="));
  parameter.default_value = TRY(ReadText(reader, "the default in quotes"));
  return parameter;
}

Result<Group> ReadGroup(TokenReader& reader) {
  Group group;
  group.name = TRY(ReadName(reader, "a name for the group"));
  TRY(reader.ExpectSign("="));
  group.entities = TRY(ReadNames(reader, "the name of an entity"));
  return group;
}

// item Watchlist 900 bytes 20 per curatorId
Result<ItemLoad> ReadItemLoad(TokenReader& reader) {
  ItemLoad load;
  load.entity = TRY(ReadName(reader, "the name of an entity"));
  load.size_bytes = TRY(ReadCount(reader, "the size of an item"));
  TRY(reader.ExpectWord("bytes"));
  if (reader.AtStatementEnd()) return load;
  LoadPer per;
  per.count = TRY(ReadCount(reader, "the number of items"));
  TRY(reader.ExpectWord("per"));
  per.attribute = TRY(ReadName(reader, "the name of an attribute"));
  load.per = std::move(per);
  return load;
}

// rate publicWatchlists 200 per_second, rate create Watchlist 5 per_second
Result<LoadAssumption> ReadRate(TokenReader& reader) {
  const bool names_two = reader.next().kind == TokenKind::kName;
  if (!names_two) {
    AccessRate rate;
    rate.access = TRY(ReadName(reader, "the name of an access"));
    rate.per_second = TRY(ReadNumber(reader));
    TRY(reader.ExpectWord("per_second"));
    return LoadAssumption(std::move(rate));
  }
  WriteRate rate;
  rate.write = TRY(ReadWord<WriteKind>(reader, "a kind of write"));
  rate.entity = TRY(ReadName(reader, "the name of an entity"));
  rate.per_second = TRY(ReadNumber(reader));
  TRY(reader.ExpectWord("per_second"));
  return LoadAssumption(std::move(rate));
}

constexpr Form<LoadAssumption> kAssumptions[] = {{"item", Into<LoadAssumption, ReadItemLoad>},
                                                 {"rate", ReadRate}};

Result<LoadAssumption> ReadAssumption(TokenReader& reader) {
  return ReadForm(reader, "an assumption about load", kAssumptions);
}

Result<Load> ReadLoad(TokenReader& reader) {
  return Load{TRY(ReadBlock<LoadAssumption>(reader, ReadAssumption))};
}

// A word added here is added to kDeclarationWords of token_reader.cc too.
constexpr Form<Declaration> kDeclarations[] = {
    {"tenant", Into<Declaration, ReadTenant>},
    {"param", Into<Declaration, ReadDesignParameter>},
    {"table", Into<Declaration, ReadTable>},
    {"entity", Into<Declaration, ReadEntity>},
    {"shape", Into<Declaration, ReadShape>},
    {"group", Into<Declaration, ReadGroup>},
    {"mirror", Into<Declaration, ReadMirror>},
    {"access", Into<Declaration, ReadAccess>},
    {"external", Into<Declaration, ReadExternalAccess>},
    {"operation", Into<Declaration, ReadOperation>},
    {"load", Into<Declaration, ReadLoad>},
};

Result<Declaration> ReadDeclaration(TokenReader& reader) {
  if (reader.AtSign("}")) {
    const Position position = reader.Take().position;
    return reader.Fail("S2", position, "this `}` closes nothing");
  }
  if (reader.AtWord("design")) {
    return reader.Fail("S4", reader.current().position, "`design` is given twice");
  }
  return ReadForm(reader, "a declaration", kDeclarations);
}

Result<Header> ReadHeader(TokenReader& reader) {
  Header header;
  TRY(reader.ExpectWord("design"));
  header.name = TRY(ReadName(reader, "a name for the design"));
  TRY(reader.ExpectWord("version"));
  header.version = TRY(ReadCount(reader, "the version"));
  return header;
}

Status ReadFile(TokenReader& reader, Design& design) {
  reader.SkipNewlines();
  if (!reader.AtWord("design")) {
    return reader.Fail("S2", reader.current().position,
                       "a design begins with its name: `design Name version 1`");
  }
  design.header = TRY(ReadStatement<Header>(reader, ReadHeader));
  Statement<Header>& header = design.header;
  (header.comments.empty() ? header.blank_before : header.comments.front().blank_before) = false;
  return Ok();
}

// What the lexer cannot take: reported with the place, as nothing else can be said about it.
bool CheckText(std::string_view text, Diagnostics& diagnostics) {
  if (text.size() > kDesignBytesMax) {
    AddError(diagnostics, "S7", {}, fmt::format("a design has at most {} bytes", kDesignBytesMax));
    return false;
  }
  std::string_view rest = text;
  for (std::uint32_t line = 1; !rest.empty(); ++line) {
    const std::string_view this_line = rest.substr(0, rest.find('\n'));
    if (!IsUtf8(this_line)) {
      AddError(diagnostics, "S1", {line, 1}, "this line is not UTF-8");
      return false;
    }
    rest.remove_prefix(std::min(this_line.size() + 1, rest.size()));
  }
  return true;
}

}  // namespace

ParsedDesign ParseDesign(std::string_view text) {
  ParsedDesign parsed;
  if (!CheckText(text, parsed.diagnostics)) return parsed;
  const TokensView tokens = Tokenize(text, parsed.diagnostics);
  TokenReader reader(tokens, parsed.diagnostics);

  // A failure is in the diagnostics already.
  static_cast<void>(ReadFile(reader, parsed.design));
  const auto is_at_end = [&] { return reader.At(TokenKind::kEnd); };
  parsed.design.declarations = ReadStatements<Declaration>(reader, is_at_end, ReadDeclaration);
  std::ranges::stable_sort(parsed.diagnostics, {}, [](const Diagnostic& it) {
    return std::pair(it.position.line, it.position.column);
  });
  return parsed;
}

}  // namespace trestle::design::syntax
