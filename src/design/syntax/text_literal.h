#pragma once

#include <string>
#include <string_view>

#include "design/diagnostic.h"

// The text between two quotes. \" \\ \n \t and \u{hex} stand for characters; control characters can
// be written no other way.

namespace trestle::design::syntax {

// Takes one character, or what stands for one, from the front of `source`. Gives its UTF-8, or
// nothing after a report of S1 at `position`.
[[nodiscard]] std::string TakeCharacter(std::string_view& source, Position position,
                                        Diagnostics& diagnostics);

// What `source` says, the text between the quotes, whose first character is at `position`.
[[nodiscard]] std::string DecodeText(std::string_view source, Position position,
                                     Diagnostics& diagnostics);

// Appends the source of `text`, without quotes.
void AppendTextSource(std::string& out, std::string_view text);

}  // namespace trestle::design::syntax
