#pragma once

#include <string_view>

#include "base/result.h"
#include "design/record.h"

namespace trestle::apps::books {

// What a design cannot say of a book.
[[nodiscard]] Status CheckBook(const design::Record& book);

// The attribute that says since when a book is in a state; empty: none does.
[[nodiscard]] std::string_view TimeOfStatus(std::string_view status);

}  // namespace trestle::apps::books
