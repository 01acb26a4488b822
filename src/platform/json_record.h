#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"
#include "design/runtime.h"
#include "json/json.h"
#include "json/tree.h"

// The attributes of a design as plain JSON, and back. Numbers are exact: none goes through a
// double. Dates and timestamps are texts, sets are arrays, binary is base64. What is absent is left
// out; null means absent.
//
// Only what cannot be encoded is refused here, with every failure by its JSON pointer. Whether a
// value is of the right type and within its limits says the run time, for all of them at once.

namespace trestle::platform {

// How attributes are called in JSON: as the design writes them, or as camelCase ("OwnerName" is
// ownerName, "ISBN" is isbn).
enum class NameStyle : std::uint8_t { kAsWritten, kCamelCase };
[[nodiscard]] std::string FieldName(std::string_view attribute, NameStyle style);

// Whether texts are taken as they come, or as people mean them: without blanks at the ends, in NFC,
// and without control characters but for line feeds and tabs in those that may be long.
enum class TextStyle : std::uint8_t { kAsGiven, kPlain };

struct Field {
  const std::string* name;
  const design::ValueType* type;
};
// What a JSON object may hold. Looks into what it is made from.
class Fields {
 public:
  Fields(std::span<const design::Attribute> attributes, NameStyle style,
         TextStyle texts = TextStyle::kAsGiven);
  Fields(std::span<const design::Parameter> parameters, NameStyle style);

  [[nodiscard]] const Field* Find(std::string_view json_name) const;
  [[nodiscard]] const std::vector<Field>& list() const { return fields_; }
  [[nodiscard]] NameStyle style() const { return style_; }
  [[nodiscard]] TextStyle texts() const { return texts_; }

 private:
  std::vector<Field> fields_;
  NameStyle style_;
  TextStyle texts_ = TextStyle::kAsGiven;
};

// What a body gives.
[[nodiscard]] Result<design::Record> RecordFromJson(const json::Tree::Object& body,
                                                    const Fields& fields);

// What a body changes, read as a JSON Merge Patch (RFC 7396): null removes, the members of a map
// change one by one. A value of type `any` is replaced as a whole.
[[nodiscard]] Result<design::Changes> ChangesFromJson(const json::Tree::Object& body,
                                                      const Fields& fields);

// One value out of an address. Elements of lists and sets are divided by commas. The sentence of
// an error is about the value: "must be …".
[[nodiscard]] Result<std::string> ValueFromText(std::string_view text,
                                                const design::ValueType& type);
// And into one; of scalars.
[[nodiscard]] std::string TextOfValue(value::ValueView value);

// Writes the members, in the order of `fields`, into an object that is open: those that are shown,
// or all.
using IsShown = std::function<bool(const std::string& attribute)>;
void WriteMembers(const design::Record& record, const Fields& fields, json::Writer& writer,
                  const IsShown& is_shown = nullptr);

// The error with its fields called as in JSON.
[[nodiscard]] Error WithJsonNames(const Error& error, NameStyle style);

}  // namespace trestle::platform
