#include "apps/books/tables.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "design/values.h"
#include "platform/csv.h"
#include "platform/values.h"
#include "text/unicode.h"
#include "value/number.h"

namespace trestle::apps::books {
namespace {

using design::Record;

enum class Form : std::uint8_t {
  kText,
  kInteger,
  kNumber,
  kRating,
  kAuthors,
  kStatus,
  kDate,
  kTime
};
struct Column {
  std::string_view name;  // in lower case
  std::string_view attribute;
  Form form = Form::kText;
};
// Of two columns for one attribute the first that has a value counts; authors are put together.
constexpr Column kColumns[] = {
    {"title", "title"},
    {"authors", "authors", Form::kAuthors},
    {"author", "authors", Form::kAuthors},
    {"additional authors", "authors", Form::kAuthors},
    {"description", "description"},
    {"my review", "description"},
    {"review", "description"},
    {"status", "status", Form::kStatus},
    {"exclusive shelf", "status", Form::kStatus},
    {"read status", "status", Form::kStatus},
    {"rating", "rating", Form::kRating},
    {"my rating", "rating", Form::kRating},
    {"star rating", "rating", Form::kRating},
    {"currentpage", "currentPage", Form::kInteger},
    {"totalpages", "totalPages", Form::kInteger},
    {"number of pages", "totalPages", Form::kInteger},
    {"pages", "totalPages", Form::kInteger},
    {"price", "price", Form::kNumber},
    {"currency", "currency"},
    {"store", "store"},
    {"boughtat", "boughtAt"},
    {"purchasedate", "purchaseDate", Form::kDate},
    {"startedat", "startedAt", Form::kTime},
    {"finishedat", "finishedAt", Form::kTime},
    {"date read", "finishedAt", Form::kTime},
    {"last date read", "finishedAt", Form::kTime},
    {"createdat", "createdAt", Form::kTime},
    {"date added", "createdAt", Form::kTime},
};

struct StatusWord {
  std::string_view word;
  std::string_view status;
};
constexpr StatusWord kStatusWords[] = {
    {"shelf", "SHELF"},         {"owned", "SHELF"},
    {"reading", "READING"},     {"currently-reading", "READING"},
    {"read", "READ"},           {"wishlist", "WISHLIST"},
    {"to-read", "WISHLIST"},    {"want-to-read", "WISHLIST"},
    {"paused", "PAUSED"},       {"on-hold", "PAUSED"},
    {"abandoned", "ABANDONED"}, {"did-not-finish", "ABANDONED"},
    {"dnf", "ABANDONED"},
};

const Column* FindColumn(std::string_view header) {
  const std::string name = text::Lower(text::Trim(header));
  const auto* const found = std::ranges::find(kColumns, name, &Column::name);
  return found == std::end(kColumns) ? nullptr : found;
}

Error Wrong(const Column& column, std::string_view why) {
  return ValidationError(fmt::format("{} {}", column.name, why));
}

std::optional<double> NumberIn(std::string_view text) {
  double number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::vector<std::string> AuthorsIn(std::string_view text) {
  std::string list(text);
  if (list.find(';') == std::string::npos) std::ranges::replace(list, ',', ';');
  return platform::SplitList(list);
}

// "2024/03/05" is a date, too; of a time, the day is enough.
std::string TimeIn(std::string_view text, bool is_date) {
  std::string time(text);
  std::ranges::replace(time, '/', '-');
  constexpr std::size_t kDateCharacters = 10;
  if (!is_date && time.size() == kDateCharacters) time += "T00:00:00.000Z";
  return time;
}

Status AddRating(const Column& column, std::string_view text, Record& book) {
  const auto rating = NumberIn(text);
  if (!rating) return Wrong(column, "must be a number");
  const double halves = std::round(*rating * 2);
  if (halves == 0) return Ok();  // there is none
  const auto number = value::Number::Parse(fmt::format("{:.1f}", halves / 2));
  if (!number.ok()) return Wrong(column, "must be a number");
  book.Set(column.attribute, design::EncodeNumber(*number));
  return Ok();
}

Status AddValue(const Column& column, std::string_view text, Record& book) {
  if (column.form == Form::kAuthors) {
    std::vector<std::string> authors = platform::TextsOf(book, column.attribute);
    for (std::string& author : AuthorsIn(text))
      if (std::ranges::find(authors, author) == authors.end()) authors.push_back(std::move(author));
    platform::SetTexts(book, column.attribute, authors);
    return Ok();
  }
  if (book.Find(column.attribute)) return Ok();
  switch (column.form) {
    case Form::kInteger:
    case Form::kNumber: {
      const auto number = value::Number::Parse(text);
      if (!number.ok()) return Wrong(column, "must be a number");
      book.Set(column.attribute, design::EncodeNumber(*number));
      return Ok();
    }
    case Form::kRating:
      return AddRating(column, text, book);
    case Form::kStatus: {
      std::string word = text::Lower(text);
      std::ranges::replace(word, ' ', '-');
      std::ranges::replace(word, '_', '-');
      const auto* const found = std::ranges::find(kStatusWords, word, &StatusWord::word);
      if (found == std::end(kStatusWords)) return Wrong(column, "is no state of a book");
      book.SetText(column.attribute, found->status);
      return Ok();
    }
    case Form::kDate:
    case Form::kTime:
      book.SetText(column.attribute, TimeIn(text, column.form == Form::kDate));
      return Ok();
    default:
      book.SetText(column.attribute, text);
      return Ok();
  }
}

Result<Record> ReadRow(std::span<const Column* const> columns, const platform::CsvRow& row) {
  Record book;
  for (const Column& column : kColumns) {
    for (std::size_t i = 0; i < std::min(columns.size(), row.size()); ++i) {
      const std::string_view text = text::Trim(row[i]);
      if (columns[i] == &column && !text.empty()) TRY(AddValue(column, text, book));
    }
  }
  // Who has read a book has read its last page.
  const bool is_read = book.FindText("status") == "READ" && !book.Find("currentPage");
  if (const auto pages = platform::IntegerOf(book, "totalPages"); is_read && pages) {
    platform::SetInteger(book, "currentPage", *pages);
  }
  return book;
}

}  // namespace

Result<BookTable> ReadBookTable(std::string_view csv) {
  const std::vector<platform::CsvRow> rows = TRY(platform::ParseCsv(csv));
  if (rows.empty()) return ValidationError("the table has no header");
  BookTable table;
  std::vector<const Column*> columns;
  columns.reserve(rows.front().size());
  for (const std::string& name : rows.front()) {
    columns.push_back(FindColumn(name));
    if (columns.back() == nullptr) table.ignored.push_back(name);
  }
  if (std::ranges::find(columns, &kColumns[0]) == columns.end()) {
    return ValidationError("the table has no column of the name title");
  }
  table.books.reserve(rows.size() - 1);
  for (std::size_t i = 1; i < rows.size(); ++i)
    table.books.push_back(ReadRow(columns, rows[i]));
  return table;
}

}  // namespace trestle::apps::books
