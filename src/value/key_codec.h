#pragma once

#include <string>
#include <string_view>

#include "value/item.h"

// How key attributes become bytes that sort as DynamoDB compares them.
//
//   component := number bytes (number.h)                      they end themselves
//              | the string's or binary's bytes, with 00 written as 00 ff, then 00 01
//   last      := number bytes | the string's or binary's bytes as they are
//
// The type is not written: a key attribute has one type for the life of its table or index.
// A released layout never changes; see docs/formats/keys.md.

namespace trestle::value {

// A component that other bytes follow.
void AppendKeyComponent(std::string& out, ValueView key);

// The component that ends a row's key.
void AppendLastKeyComponent(std::string& out, ValueView key);

// What the components of all strings or binaries that begin with `key` begin with, for
// begins_with on a component that other bytes follow.
void AppendKeyPrefix(std::string& out, ValueView key);

// The smallest byte string greater than every string that starts with `prefix`; empty when there
// is none.
[[nodiscard]] std::string PrefixEnd(std::string prefix);

}  // namespace trestle::value
