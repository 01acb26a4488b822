#pragma once

#include <compare>
#include <optional>

#include "value/item.h"
#include "value/number.h"

// What the comparators and functions of conditions say of two values.

namespace trestle::expr {

// Of two values of one type that has an order: S, N or B.
[[nodiscard]] std::strong_ordering CompareOrdered(value::ValueView left, value::ValueView right);

// What size() gives: of a string the UTF-16 units, of a binary the bytes, of a container the
// elements. Nothing for the types that have no size.
[[nodiscard]] std::optional<value::Number> SizeOf(value::ValueView value);

[[nodiscard]] bool BeginsWith(value::ValueView value, value::ValueView prefix);

// Whether a string or binary has `element` as a part, or a set or list has it as an element.
[[nodiscard]] bool Contains(value::ValueView value, value::ValueView element);

}  // namespace trestle::expr
