#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "trestle/attribute_value.h"
#include "value/item.h"

// Between the values of a program (trestle/attribute_value.h) and the bytes of the engine
// (value/item.h).

namespace trestle::embed {

// Refuses what is not UTF-8. JSON cannot say such a text, a program can.
[[nodiscard]] Status CheckUtf8(std::string_view text);

// Appends one encoded value. Fails with the service's text for a value that DynamoDB does not have.
[[nodiscard]] Status AppendValue(const AttributeValue& value, std::string& out);

[[nodiscard]] trestle::Result<value::Item> EncodeItem(const Item& item);
[[nodiscard]] Item DecodeItem(value::ItemView item);

}  // namespace trestle::embed
