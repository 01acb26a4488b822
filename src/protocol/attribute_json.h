#pragma once

#include <cstddef>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "json/json.h"
#include "value/item.h"

// AttributeValues between their JSON form, {"S": "text"}, and the bytes of value/item.h.
//
// The service reads a request in two steps: first every member must have its JSON type, in the
// whole request (kSerialization), then values are judged (kValidation). CheckValueTypes and
// CheckItemTypes are the first step; AppendValue and ParseItem are the second. The second is safe
// without the first, but then meets the errors in another order.

namespace trestle::protocol {

// An AttributeValue: its types are right, its base64 can be decoded.
[[nodiscard]] Status CheckValueTypes(json::Value json);
// A map of AttributeValues, such as an Item, a Key or ExpressionAttributeValues. Null passes: it
// means that the member is absent.
[[nodiscard]] Status CheckItemTypes(json::Value json);

// Appends the bytes of one AttributeValue, of at most `depth_max` levels. `out` holds rubbish
// behind its old end on failure.
[[nodiscard]] Status AppendValue(json::Value json, std::string& out,
                                 std::size_t depth_max = kDocumentDepthMax);
[[nodiscard]] Result<value::Item> ParseItem(json::Object json);

void WriteValue(json::Writer& writer, value::ValueView value);
void WriteItem(json::Writer& writer, value::ItemView item);

}  // namespace trestle::protocol
