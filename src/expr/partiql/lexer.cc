#include "expr/partiql/lexer.h"

#include <algorithm>

#include <fmt/format.h>

#include "expr/lexer.h"

namespace trestle::expr::partiql {
namespace {

// The reserved words of SQL-92, and those that PartiQL adds, each between blanks.
constexpr std::string_view kKeywords =
    " "
    "ABSOLUTE ACTION ADD ALL ALLOCATE ALTER AND ANY ARE AS ASC ASSERTION AT AUTHORIZATION AVG "
    "BEGIN BETWEEN BIT BIT_LENGTH BOTH BY CASCADE CASCADED CASE CAST CATALOG CHAR CHARACTER "
    "CHARACTER_LENGTH CHAR_LENGTH CHECK CLOSE COALESCE COLLATE COLLATION COLUMN COMMIT CONNECT "
    "CONNECTION CONSTRAINT CONSTRAINTS CONTINUE CONVERT CORRESPONDING COUNT CREATE CROSS "
    "CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATE DEALLOCATE "
    "DEC DECIMAL DECLARE DEFAULT DEFERRABLE DEFERRED DELETE DESC DESCRIBE DESCRIPTOR "
    "DIAGNOSTICS DISCONNECT DISTINCT DOMAIN DOUBLE DROP ELSE END ESCAPE EXCEPT EXCEPTION EXEC "
    "EXECUTE EXISTS EXTERNAL EXTRACT FALSE FETCH FIRST FLOAT FOR FOREIGN FOUND FROM FULL GET "
    "GLOBAL GO GOTO GRANT GROUP HAVING IDENTITY IMMEDIATE IN INDEX INDICATOR INITIALLY INNER "
    "INPUT INSENSITIVE INSERT INT INTEGER INTERSECT INTERVAL INTO IS ISOLATION JOIN KEY "
    "LANGUAGE LAST LEFT LEVEL LIKE LIMIT LOCAL LOWER MATCH MAX MIN MISSING MODULE NAMES "
    "NATIONAL NATURAL NCHAR NEXT NO NOT NULL NULLIF NUMERIC OCTET_LENGTH OF ON ONLY OPEN OPTION "
    "OR ORDER OUTER OUTPUT OVERLAPS PAD PARTIAL PIVOT POSITION PRECISION PREPARE PRESERVE "
    "PRIMARY PRIOR PRIVILEGES PROCEDURE PUBLIC READ REAL REFERENCES RELATIVE REMOVE RESTRICT "
    "RETURNING REVOKE RIGHT ROLLBACK ROWS SCHEMA SCROLL SECTION SELECT SESSION SESSION_USER SET "
    "SIZE SMALLINT SOME SPACE SQL SQLCODE SQLERROR SQLSTATE SUBSTRING SUM SYSTEM_USER TABLE "
    "TEMPORARY THEN TIME TIMESTAMP TO TRANSACTION TRANSLATE TRANSLATION TRIM TRUE UNION UNIQUE "
    "UNKNOWN UNPIVOT UPDATE UPPER USAGE USER USING VALUE VALUES VARCHAR VARYING VIEW WHEN "
    "WHENEVER WHERE WITH WORK WRITE ZONE ";

constexpr bool IsBlank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr char UpperOf(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string_view SkipBlanks(std::string_view text) {
  while (!text.empty()) {
    if (IsBlank(text.front())) {
      text.remove_prefix(1);
    } else if (text.starts_with("--")) {
      text.remove_prefix(std::min(text.find_first_of("\r\n"), text.size()));
    } else if (text.starts_with("/*") && text.find("*/", 2) != std::string_view::npos) {
      text.remove_prefix(text.find("*/", 2) + 2);
    } else {
      break;
    }
  }
  return text;
}

// How long a text between `quote`s is; 0 when it does not end.
std::size_t QuotedLength(std::string_view text, char quote) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] != quote) continue;
    if (i + 1 == text.size() || text[i + 1] != quote) return i + 1;
    ++i;
  }
  return 0;
}

std::size_t DigitsLength(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

std::size_t NumberLength(std::string_view text) {
  std::size_t length = DigitsLength(text);
  if (text.substr(length).starts_with('.')) length += 1 + DigitsLength(text.substr(length + 1));
  std::string_view rest = text.substr(length);
  if (rest.starts_with('e') || rest.starts_with('E')) {
    rest.remove_prefix(1);
    const std::size_t sign = rest.starts_with('+') || rest.starts_with('-') ? 1 : 0;
    const std::size_t digits = DigitsLength(rest.substr(sign));
    if (digits > 0) length += 1 + sign + digits;
  }
  return length;
}

std::size_t WordLength(std::string_view text) {
  const auto end =
      std::ranges::find_if_not(text, [](char c) { return IsNameCharacter(c) || c == '$'; });
  return static_cast<std::size_t>(end - text.begin());
}

struct Sign {
  std::string_view text;
  TokenKind kind;
};
// Longer ones before those that they begin with.
constexpr Sign kSigns[] = {
    {"<<", TokenKind::kOpenBag},     {">>", TokenKind::kCloseBag},
    {"<>", TokenKind::kNotEqual},    {"!=", TokenKind::kNotEqual},
    {"<=", TokenKind::kLessOrEqual}, {">=", TokenKind::kGreaterOrEqual},
    {"<", TokenKind::kLess},         {">", TokenKind::kGreater},
    {"=", TokenKind::kEqual},        {"(", TokenKind::kOpen},
    {")", TokenKind::kClose},        {"[", TokenKind::kOpenBracket},
    {"]", TokenKind::kCloseBracket}, {"{", TokenKind::kOpenBrace},
    {"}", TokenKind::kCloseBrace},   {",", TokenKind::kComma},
    {":", TokenKind::kColon},        {";", TokenKind::kSemicolon},
    {".", TokenKind::kDot},          {"*", TokenKind::kStar},
    {"+", TokenKind::kPlus},         {"-", TokenKind::kMinus},
    {"?", TokenKind::kParameter},
};

}  // namespace

TokenView NextToken(std::string_view text) {
  text = SkipBlanks(text);
  if (text.empty()) return {TokenKind::kEnd, text};
  const char first = text.front();
  if (first == '\'' || first == '"') {
    const std::size_t length = QuotedLength(text, first);
    if (length == 0) return {TokenKind::kUnknown, text};
    return {first == '"' ? TokenKind::kQuotedName : TokenKind::kString, text.substr(0, length)};
  }
  if (IsDigit(first) || (first == '.' && text.size() > 1 && IsDigit(text[1]))) {
    return {TokenKind::kNumber, text.substr(0, NumberLength(text))};
  }
  if (IsLetter(first) || first == '_' || first == '$') {
    return {TokenKind::kWord, text.substr(0, WordLength(text))};
  }
  if (text.starts_with("/*")) return {TokenKind::kUnknown, text};
  for (const Sign& sign : kSigns) {
    if (text.starts_with(sign.text)) return {sign.kind, text.substr(0, sign.text.size())};
  }
  return {TokenKind::kUnknown, text.substr(0, 1)};
}

std::string Unquoted(std::string_view text) {
  const char quote = text.front();
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    out.push_back(text[i]);
    if (text[i] == quote) ++i;
  }
  return out;
}

bool IsWord(std::string_view word, std::string_view keyword) {
  return std::ranges::equal(word, keyword, {}, UpperOf);
}

bool IsKeyword(std::string_view word) {
  std::string upper = fmt::format(" {} ", word);
  std::ranges::transform(upper, upper.begin(), UpperOf);
  return kKeywords.find(upper) != std::string_view::npos;
}

std::string PositionOf(std::string_view statement, std::string_view token) {
  const auto offset = static_cast<std::size_t>(token.data() - statement.data());
  const std::string_view before = statement.substr(0, offset);
  const auto lines = std::ranges::count(before, '\n');
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return fmt::format("{}:{}:{}", lines + 1, offset - line_start + 1, token.size());
}

}  // namespace trestle::expr::partiql
