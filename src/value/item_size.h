#pragma once

#include <cstddef>
#include <string_view>

#include "value/item.h"

// DynamoDB's size rules: a name and a string count their UTF-8 bytes, a binary its bytes, a number
// about half its digits (number.h), null and booleans one byte, a set what its elements count, a
// list or map three bytes and one more for each element.

namespace trestle::value {

inline constexpr std::size_t kDocumentOverheadBytes = 3;  // of a list or map
inline constexpr std::size_t kElementOverheadBytes = 1;   // of each of its elements

[[nodiscard]] std::size_t ValueSizeBytes(ValueView value);
[[nodiscard]] std::size_t AttributeSizeBytes(std::string_view name, ValueView value);

// How deep a value nests: 1 for a scalar or set, 2 for a list or map of scalars.
[[nodiscard]] std::size_t ValueDepth(ValueView value);

// What a client is told whose value is deeper than kDocumentDepthMax.
inline constexpr std::string_view kTooDeepText =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels "
    "beyond supported limit";

}  // namespace trestle::value
