#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/syntax/token_reader.h"
#include "design/syntax/tree.h"

// Recursive descent, one function per construct. A Read function of a statement is called behind
// the word that the statement begins with.

namespace trestle::design::syntax {

// Names, values and conditions: parse_terms.cc. `what` is for the sentence when none is there.
[[nodiscard]] Result<Name> ReadName(TokenReader& reader, std::string_view what);
[[nodiscard]] Result<Path> ReadPath(TokenReader& reader);
[[nodiscard]] Result<Text> ReadText(TokenReader& reader, std::string_view what);
[[nodiscard]] Result<Number> ReadNumber(TokenReader& reader);
[[nodiscard]] Result<Count> ReadCount(TokenReader& reader, std::string_view what);
[[nodiscard]] Result<Template> ReadTemplate(TokenReader& reader);
[[nodiscard]] Result<Value> ReadValue(TokenReader& reader);
[[nodiscard]] Result<Condition> ReadCondition(TokenReader& reader);
// "when COND", or nothing.
[[nodiscard]] Result<std::optional<Condition>> ReadOptionalCondition(TokenReader& reader,
                                                                     std::string_view word);
// "a, b" and "(a, b)".
[[nodiscard]] Result<std::vector<Name>> ReadNames(TokenReader& reader, std::string_view what);
[[nodiscard]] Result<std::vector<Name>> ReadNamesInParentheses(TokenReader& reader);

// Types and attributes: parse_attribute.cc.
[[nodiscard]] Result<Type> ReadType(TokenReader& reader);
[[nodiscard]] Result<Attribute> ReadAttribute(TokenReader& reader);

// Relations: parse_relation.cc.
[[nodiscard]] Result<BelongsTo> ReadBelongsTo(TokenReader& reader);

// Declarations: parse_table.cc, parse_entity.cc, parse_access.cc, parse_operation.cc.
[[nodiscard]] Result<Table> ReadTable(TokenReader& reader);
[[nodiscard]] Result<Entity> ReadEntity(TokenReader& reader);
[[nodiscard]] Result<Shape> ReadShape(TokenReader& reader);
[[nodiscard]] Result<Mirror> ReadMirror(TokenReader& reader);
[[nodiscard]] Result<Access> ReadAccess(TokenReader& reader);
[[nodiscard]] Result<ExternalAccess> ReadExternalAccess(TokenReader& reader);
[[nodiscard]] Result<Operation> ReadOperation(TokenReader& reader);
[[nodiscard]] Result<std::vector<Parameter>> ReadParameters(TokenReader& reader);

// The forms that a statement can have, by their first word.
template <typename Content>
struct Form {
  std::string_view word;
  Result<Content> (*read)(TokenReader& reader);
};

// A reader of one form, as a Form has it.
template <typename Content, auto kRead>
Result<Content> Into(TokenReader& reader) {
  return Content(TRY(kRead(reader)));
}

template <typename Content, std::size_t kSize>
Result<Content> ReadForm(TokenReader& reader, std::string_view what,
                         const Form<Content> (&forms)[kSize]) {
  std::array<std::string_view, kSize> words;
  for (std::size_t i = 0; i < kSize; ++i) {
    if (reader.TakeWord(forms[i].word)) return forms[i].read(reader);
    words[i] = forms[i].word;
  }
  return reader.UnknownWord(what, words);
}

// A word of an enum.
template <HasWords Enum>
Result<Enum> ReadWord(TokenReader& reader, std::string_view what) {
  const auto found =
      reader.At(TokenKind::kName) ? FromWord<Enum>(reader.current().text) : std::optional<Enum>();
  if (!found) {
    constexpr auto kWords = WordsOf(Enum{});
    return reader.UnknownWord(what, kWords);
  }
  reader.Take();
  return *found;
}

// Where a comment behind the closing brace of a statement belongs; none for one without braces.
inline std::string* EndCommentOf(Type& type) {
  if (auto* map = std::get_if<MapType>(&type.is)) return &map->attributes.end_comment;
  if (auto* list = std::get_if<ListType>(&type.is)) return EndCommentOf(*list->element);
  if (auto* set = std::get_if<SetType>(&type.is)) return EndCommentOf(*set->element);
  return nullptr;
}
template <typename Content>
std::string* EndCommentOf(Content&) {
  return nullptr;
}
inline std::string* EndCommentOf(Attribute& it) { return EndCommentOf(it.type); }
inline std::string* EndCommentOf(BelongsTo& it) { return &it.rules.end_comment; }
inline std::string* EndCommentOf(Table& it) { return &it.settings.end_comment; }
inline std::string* EndCommentOf(Entity& it) { return &it.members.end_comment; }
inline std::string* EndCommentOf(Shape& it) { return &it.members.end_comment; }
inline std::string* EndCommentOf(Mirror& it) { return &it.members.end_comment; }
inline std::string* EndCommentOf(Operation& it) { return &it.steps.end_comment; }
inline std::string* EndCommentOf(Load& it) { return &it.assumptions.end_comment; }
template <typename... Contents>
std::string* EndCommentOf(std::variant<Contents...>& content) {
  return std::visit([](auto& it) { return EndCommentOf(it); }, content);
}

// Reads one statement, which `read` reads the content of. After a failure the reader is behind it.
template <typename Content, typename Read>
Result<Statement<Content>> ReadStatement(TokenReader& reader, Read read) {
  const Position position = reader.current().position;
  reader.BeginStatement();
  Result<Content> content = read(reader);
  if (content.ok() && !reader.AtStatementEnd()) content = reader.Expected("the end of the line");
  if (!content.ok()) {
    reader.SkipStatement();
    return content.error();
  }
  Statement<Content> statement{.position = position, .content = *std::move(content)};
  Surroundings around = reader.EndStatement();
  statement.comments = std::move(around.comments);
  statement.blank_before = around.blank_before;
  std::string* const end_comment = EndCommentOf(statement.content);
  statement.comment = std::move(end_comment == nullptr ? around.end_comment : around.open_comment);
  if (end_comment != nullptr) *end_comment = std::move(around.end_comment);
  return statement;
}

// Reads statements up to where `is_at_end` holds.
template <typename Content, typename IsAtEnd, typename Read>
Block<Content> ReadStatements(TokenReader& reader, IsAtEnd is_at_end, Read read) {
  Block<Content> block;
  for (reader.SkipNewlines(); !is_at_end(); reader.SkipNewlines()) {
    auto statement = ReadStatement<Content>(reader, read);
    if (statement.ok()) block.statements.push_back(*std::move(statement));
  }
  block.end_comments = reader.TakeComments();
  return block;
}

// Empty lines at the beginning of a block mean nothing.
template <typename Content>
void TrimFirstBlank(Block<Content>& block) {
  if (!block.statements.empty()) {
    Statement<Content>& first = block.statements.front();
    (first.comments.empty() ? first.blank_before : first.comments.front().blank_before) = false;
  } else if (!block.end_comments.empty()) {
    block.end_comments.front().blank_before = false;
  }
}

template <typename Content, typename Read>
Result<Block<Content>> ReadBlock(TokenReader& reader, Read read) {
  const Position open = reader.current().position;
  TRY(reader.ExpectSign("{"));
  reader.OpenBlock();
  const auto is_at_end = [&] {
    return reader.At(TokenKind::kEnd) || reader.AtSign("}") || reader.AtNextDeclaration();
  };
  Block<Content> block = ReadStatements<Content>(reader, is_at_end, read);
  if (!reader.TakeSign("}")) return reader.Fail("S2", open, "this `{` has no `}`");
  TrimFirstBlank(block);
  return block;
}

// The block behind a header. One whose header failed is read all the same, for what is wrong in it.
template <typename Content, typename Read>
Result<Block<Content>> ReadBody(TokenReader& reader, const Status& header, Read read) {
  if (!header.ok() && !reader.SkipToSign("{")) return header.error();
  auto block = ReadBlock<Content>(reader, read);
  if (!header.ok()) return header.error();
  return block;
}

}  // namespace trestle::design::syntax
