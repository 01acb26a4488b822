#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/record.h"

// Tables of books as this and other trackers write them. Pure.

namespace trestle::apps::books {

struct BookTable {
  std::vector<Result<design::Record>> books;  // an error: why a row is no book
  std::vector<std::string> ignored;           // columns that mean nothing here
};

// The first line names the columns, in any order and case: those of a book, and what Goodreads and
// StoryGraph call them. kValidation when it is no table, or none of the columns is a title.
[[nodiscard]] Result<BookTable> ReadBookTable(std::string_view csv);

}  // namespace trestle::apps::books
