// A program with a DynamoDB inside: a shelf of books, first in memory, then in a folder that is
// opened again. Says what it does, line by line; a test compares that with expected_output.txt.
//
//   embedded_example FOLDER        a folder that is absent or empty

#include <iostream>
#include <optional>
#include <string>

#include "trestle/database.h"

namespace db = trestle::embed;
using Value = db::AttributeValue;

namespace {

// A call that fails is reported; the caller stops.
template <typename T>
bool Succeeds(const char* what, const db::Result<T>& result) {
  if (result.ok()) return true;
  std::cerr << what << ": " << db::ErrorName(result.error().code) << ": " << result.error().message
            << "\n";
  return false;
}

db::Item Book(const std::string& author, const std::string& title, int year) {
  return {{"author", Value::String(author)},
          {"title", Value::String(title)},
          {"year", Value::Number(year)},
          {"shelf", Value::String("fiction")}};
}

std::string TitleOf(const db::Item& book) {
  const auto title = book.find("title");
  if (title == book.end() || title->second.AsString() == nullptr) return "(no title)";
  return *title->second.AsString();
}

// Books by author and title; by shelf and year in a global index.
bool CreateBooks(db::Database& database) {
  const auto created = database.CreateTable(
      {.table_name = "books",
       .attribute_definitions = {{.attribute_name = "author"},
                                 {.attribute_name = "title"},
                                 {.attribute_name = "shelf"},
                                 {.attribute_name = "year",
                                  .attribute_type = db::ScalarAttributeType::kN}},
       .key_schema = {{.attribute_name = "author"},
                      {.attribute_name = "title", .key_type = db::KeyType::kRange}},
       .global_secondary_indexes = {{.index_name = "byYear",
                                     .key_schema = {{.attribute_name = "shelf"},
                                                    {.attribute_name = "year",
                                                     .key_type = db::KeyType::kRange}}}},
       .billing_mode = db::BillingMode::kPayPerRequest});
  return Succeeds("CreateTable", created);
}

bool PutBooks(db::Database& database) {
  for (const db::Item& book :
       {Book("Le Guin", "The Dispossessed", 1974), Book("Lem", "Solaris", 1961),
        Book("Le Guin", "The Lathe of Heaven", 1971), Book("Butler", "Kindred", 1979)}) {
    if (!Succeeds("PutItem", database.PutItem({.table_name = "books", .item = book}))) return false;
  }
  return true;
}

// A put that must create: the second one is told why not, and what is there instead.
bool PutTwice(db::Database& database) {
  const auto refused = database.PutItem({.table_name = "books",
                                         .item = Book("Lem", "Solaris", 2026),
                                         .condition_expression = "attribute_not_exists(author)",
                                         .return_values_on_condition_check_failure =
                                             db::ReturnValuesOnConditionCheckFailure::kAllOld});
  if (refused.ok()) return false;
  std::cout << "refused: " << db::ErrorName(refused.error().code) << ": " << refused.error().message
            << "\n";
  if (!refused.error().item) return false;
  std::cout << "there since: " << *refused.error().item->at("year").AsNumber() << "\n";
  return true;
}

// Two books to a page, oldest first.
bool PrintByYear(const db::Database& database) {
  std::optional<db::Item> start;
  int page_number = 0;
  do {
    const auto page =
        database.Query({.table_name = "books",
                        .index_name = "byYear",
                        .key_condition_expression = "shelf = :shelf AND #year < :before",
                        .expression_attribute_names = {{"#year", "year"}},
                        .expression_attribute_values = {{":shelf", Value::String("fiction")},
                                                        {":before", Value::Number(1979)}},
                        .exclusive_start_key = start,
                        .limit = 2});
    if (!Succeeds("Query", page)) return false;
    std::cout << "page " << ++page_number << ":";
    for (const db::Item& book : page->items)
      std::cout << " [" << TitleOf(book) << "]";
    std::cout << "\n";
    start = page->last_evaluated_key;
  } while (start);
  return true;
}

// Lends a book and counts it, both or neither. The second lending finds the book gone.
bool LendTwice(db::Database& database) {
  const db::TransactWriteItemsInput lending = {
      .transact_items = {
          db::Update{.table_name = "books",
                     .key = {{"author", Value::String("Lem")}, {"title", Value::String("Solaris")}},
                     .update_expression = "SET lentTo = :who",
                     .condition_expression = "attribute_not_exists(lentTo)",
                     .expression_attribute_values = {{":who", Value::String("Ann")}}},
          db::Update{.table_name = "books",
                     .key = {{"author", Value::String("#count")}, {"title", Value::String("lent")}},
                     .update_expression = "ADD lent :one",
                     .expression_attribute_values = {{":one", Value::Number(1)}}}}};
  if (!Succeeds("TransactWriteItems", database.TransactWriteItems(lending))) return false;
  const auto again = database.TransactWriteItems(lending);
  if (again.ok()) return false;
  std::cout << "lending again: " << db::ErrorName(again.error().code) << ":";
  for (const db::CancellationReason& reason : again.error().cancellation_reasons)
    std::cout << " " << reason.code;
  std::cout << "\n";

  const auto count = database.GetItem(
      {.table_name = "books",
       .key = {{"author", Value::String("#count")}, {"title", Value::String("lent")}},
       .consistent_read = true});
  if (!Succeeds("GetItem", count) || !count->item) return false;
  std::cout << "lent: " << *count->item->at("lent").AsNumber() << "\n";
  return true;
}

bool UseMemory() {
  auto database = db::Database::Open({.in_memory = true});
  if (!Succeeds("Open", database)) return false;
  std::cout << "in memory\n";
  return CreateBooks(*database) && PutBooks(*database) && PutTwice(*database) &&
         PrintByYear(*database) && LendTwice(*database);
}

bool UseFolder(const std::string& folder) {
  {
    auto database = db::Database::Open({.folder = folder});
    if (!Succeeds("Open", database)) return false;
    std::cout << "in a folder\n";
    if (!CreateBooks(*database) || !PutBooks(*database)) return false;
  }
  const auto database = db::Database::Open({.folder = folder});
  if (!Succeeds("Open", database)) return false;
  const auto tables = database->ListTables({});
  const auto books = database->Scan({.table_name = "books", .select = db::Select::kCount});
  if (!Succeeds("ListTables", tables) || !Succeeds("Scan", books)) return false;
  std::cout << "opened again: " << tables->table_names.size() << " table, " << books->count
            << " books\n";
  return true;
}

}  // namespace

int main(int argument_count, char** arguments) {
  if (argument_count != 2) {
    std::cerr << "usage: embedded_example FOLDER\n";
    return 2;
  }
  return UseMemory() && UseFolder(arguments[1]) ? 0 : 1;
}
