#pragma once

#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/record.h"

namespace trestle::apps::books {

// What a design cannot say of a book: of its fields, and of the whole.
void CheckBookFields(const design::Record& now, const design::Record& book,
                     std::vector<FieldFailure>& failures);
[[nodiscard]] Status CheckBook(const design::Record& book);

// The attribute that says since when a book is in a state; empty: none does.
[[nodiscard]] std::string_view TimeOfStatus(std::string_view status);

}  // namespace trestle::apps::books
