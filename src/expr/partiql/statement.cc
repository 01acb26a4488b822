#include "expr/partiql/statement.h"

#include <utility>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/crypto.h"
#include "base/limits.h"
#include "base/utf8.h"
#include "expr/partiql/reader_internal.h"

namespace trestle::expr::partiql {
namespace {

// As long as the characters that a request may have can be; it keeps positions in 16 bits.
constexpr std::size_t kStatementBytesMax = 4 * kStatementLengthMax;

class StatementReader {
 public:
  StatementReader(std::string_view text, const std::vector<std::string>& parameters)
      : reader_(text, parameters) {}

  Result<Statement> Read();

 private:
  Result<Statement> ReadOne();
  Result<Statement> ReadSelect();
  Result<Statement> ReadInsert();
  Result<Statement> ReadUpdateStatement();
  Result<Statement> ReadDelete();
  Result<Statement> ReadExists();

  Status ReadColumns(Statement& statement);
  Status ReadSource(Statement& statement);
  Status ReadWhere(Statement& statement);
  Status ReadOrder(Statement& statement);
  Status ReadReturning(Statement& statement);
  Status ReadInserted(Statement& statement);

  TokenReader reader_;
};

Result<Statement> StatementReader::Read() {
  Statement statement = TRY(ReadOne());
  reader_.Take(TokenKind::kSemicolon);
  if (reader_.AtWord("LIMIT")) {
    return reader_.ErrorAt("Unsupported clause: LIMIT", reader_.current().text);
  }
  if (!reader_.At(TokenKind::kEnd)) return NotWellFormed("Unexpected token after expression");
  TRY(reader_.CheckParameters());
  return statement;
}

Result<Statement> StatementReader::ReadOne() {
  if (reader_.TakeWord("SELECT")) return ReadSelect();
  if (reader_.TakeWord("INSERT")) return ReadInsert();
  if (reader_.TakeWord("UPDATE")) return ReadUpdateStatement();
  if (reader_.TakeWord("DELETE")) return ReadDelete();
  if (reader_.AtCall() && reader_.AtWord("EXISTS")) return ReadExists();
  return NotWellFormed("Expected data manipulation");
}

Result<Statement> StatementReader::ReadSelect() {
  Statement statement{.kind = StatementKind::kSelect};
  TRY(ReadColumns(statement));
  TRY(reader_.ExpectWord("FROM"));
  TRY(ReadSource(statement));
  TRY(ReadWhere(statement));
  TRY(ReadOrder(statement));
  return statement;
}

Status StatementReader::ReadColumns(Statement& statement) {
  if (reader_.Take(TokenKind::kStar)) return Ok();
  if (reader_.AtWord("FROM")) return NotWellFormed("Cannot have empty SELECT list");
  do {
    if (reader_.AtCall() && (reader_.AtWord("COUNT") || reader_.AtWord("EXISTS"))) {
      return reader_.ErrorAt("Unexpected path component", reader_.current().text);
    }
    value::DocumentPath path = TRY(reader_.ReadPath());
    if (path.elements.size() > kDocumentDepthMax) {
      return ValidationError(
          fmt::format("The document path has too many nesting elements; nesting level: {}",
                      path.elements.size()));
    }
    statement.columns.push_back(std::move(path));
  } while (reader_.Take(TokenKind::kComma));
  return Ok();
}

Status StatementReader::ReadSource(Statement& statement) {
  if (!reader_.AtPath()) return ValidationError("Unexpected from source");
  statement.table = TRY(reader_.ReadName());
  if (!reader_.Take(TokenKind::kDot)) return Ok();
  statement.index = TRY(reader_.ReadName());
  if (!reader_.At(TokenKind::kDot)) return Ok();
  return ValidationError("A path may contain at most 2 components in the FROM clause");
}

Status StatementReader::ReadWhere(Statement& statement) {
  if (reader_.TakeWord("WHERE")) statement.where = TRY(ReadCondition(reader_));
  return Ok();
}

Status StatementReader::ReadOrder(Statement& statement) {
  if (!reader_.TakeWord("ORDER")) return Ok();
  TRY(reader_.ExpectWord("BY"));
  do {
    OrderTerm term{.attribute = TRY(reader_.ReadName())};
    term.is_descending = reader_.TakeWord("DESC");
    if (!term.is_descending) reader_.TakeWord("ASC");
    statement.order.push_back(std::move(term));
  } while (reader_.Take(TokenKind::kComma));
  return Ok();
}

Result<Statement> StatementReader::ReadInsert() {
  Statement statement{.kind = StatementKind::kInsert};
  TRY(reader_.ExpectWord("INTO"));
  const std::string_view table = reader_.current().text;
  statement.table = TRY(reader_.ReadName());
  if (reader_.At(TokenKind::kDot)) {
    return reader_.ErrorAt(
        "FROM clause may only contain a single table name in data manipulation statements", table);
  }
  TRY(ReadInserted(statement));
  return statement;
}

Status StatementReader::ReadInserted(Statement& statement) {
  const bool is_one = reader_.TakeWord("VALUE");
  if (!is_one && reader_.Take(TokenKind::kOpen)) static_cast<void>(TRY(reader_.ReadName()));
  if (!is_one || reader_.At(TokenKind::kOpenBag) || reader_.At(TokenKind::kOpenBracket)) {
    return ValidationError(
        "Unsupported operation: Inserting multiple items in a single statement is not supported, "
        "use \"INSERT INTO tableName VALUE item\" instead");
  }
  statement.item = TRY(reader_.ReadItem());
  return Ok();
}

Result<Statement> StatementReader::ReadUpdateStatement() {
  Statement statement{.kind = StatementKind::kUpdate};
  TRY(ReadSource(statement));
  statement.update = Update(TRY(ReadUpdate(reader_)));
  TRY(ReadWhere(statement));
  TRY(ReadReturning(statement));
  return statement;
}

Result<Statement> StatementReader::ReadDelete() {
  Statement statement{.kind = StatementKind::kDelete};
  TRY(reader_.ExpectWord("FROM"));
  TRY(ReadSource(statement));
  TRY(ReadWhere(statement));
  TRY(ReadReturning(statement));
  return statement;
}

Status StatementReader::ReadReturning(Statement& statement) {
  if (!reader_.TakeWord("RETURNING")) return Ok();
  const bool is_all = reader_.TakeWord("ALL");
  if (!is_all) TRY(reader_.ExpectWord("MODIFIED"));
  const bool is_old = reader_.TakeWord("OLD");
  if (!is_old) TRY(reader_.ExpectWord("NEW"));
  TRY(reader_.Expect(TokenKind::kStar));
  if (is_all) {
    statement.returning = is_old ? Returning::kAllOld : Returning::kAllNew;
  } else {
    statement.returning = is_old ? Returning::kModifiedOld : Returning::kModifiedNew;
  }
  if (statement.kind == StatementKind::kUpdate || statement.returning == Returning::kAllOld) {
    return Ok();
  }
  return ValidationError(
      fmt::format("Invalid returning clause: RETURNING {} {} *. Only RETURNING ALL OLD * is "
                  "allowed in DELETE statements.",
                  is_all ? "ALL" : "MODIFIED", is_old ? "OLD" : "NEW"));
}

Result<Statement> StatementReader::ReadExists() {
  reader_.Advance();
  reader_.Advance();
  TRY(reader_.ExpectWord("SELECT"));
  Statement statement = TRY(ReadSelect());
  TRY(reader_.Expect(TokenKind::kClose));
  statement.kind = StatementKind::kExists;
  return statement;
}

void AppendSized(std::string& out, std::string_view bytes) {
  AppendVarint(out, bytes.size());
  out.append(bytes);
}

}  // namespace

Result<Statement> Parse(std::string_view text, const std::vector<std::string>& parameters) {
  if (text.size() > kStatementBytesMax) return NotWellFormed("Statement is too long");
  if (!IsUtf8(text)) return NotWellFormed("Statement is not UTF-8");
  Statement statement = TRY(StatementReader(text, parameters).Read());
  std::string request;
  AppendSized(request, text);
  for (const std::string& parameter : parameters)
    AppendSized(request, parameter);
  statement.digest = AsBytes(Sha256(request));
  return statement;
}

std::string ColumnName(const value::DocumentPath& path) {
  std::size_t last = path.elements.size() - 1;
  while (std::holds_alternative<std::size_t>(path.elements[last]))
    --last;
  std::string name = std::get<std::string>(path.elements[last]);
  for (std::size_t i = last + 1; i < path.elements.size(); ++i) {
    name += fmt::format("[{}]", std::get<std::size_t>(path.elements[i]));
  }
  return name;
}

}  // namespace trestle::expr::partiql
