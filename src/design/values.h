#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "design/identifier.h"
#include "design/model.h"
#include "design/record.h"

namespace trestle::design {

// Where the values of a design come from that are not written in it.
struct ValueSources {
  std::int64_t now_unix_ms = 0;
  Identifiers* identifiers = nullptr;  // for uuid() and ulid(); not in conditions
  // A name is a parameter when it is one of these; it is absent when `arguments` lack it.
  std::span<const Parameter> parameters = {};
  const Record* arguments = nullptr;
  // Any other name is an attribute of this.
  const Record* item = nullptr;
};

// The attribute at a path, also inside maps; null when there is none.
[[nodiscard]] const Attribute* FindAttribute(std::span<const Attribute> attributes,
                                             const Path& path);
// Its type; that of `any` when there is none.
[[nodiscard]] const ValueType& TypeAt(std::span<const Attribute> attributes, const Path& path);

// Whether a value names something outside the item: a parameter.
[[nodiscard]] const Parameter* FindParameter(std::span<const Parameter> parameters,
                                             const Path& path);

// The value, encoded and in the canonical form of `type`; nothing when it is absent.
[[nodiscard]] Result<std::optional<std::string>> Evaluate(const syntax::Value& value,
                                                          const ValueType& type,
                                                          const ValueSources& sources);

// A value in the one form that its type is stored in: timestamps in UTC and in the type's
// precision, or as a number of seconds; sets as sets. Values of other types than their own stay as
// they are. kValidation, with a sentence about the value ("must be …"), when a time cannot be read.
[[nodiscard]] Result<std::string> Canonical(value::ValueView value, const ValueType& type);

// Canonical, after the attribute's own normalisation.
[[nodiscard]] Result<std::string> Normalised(value::ValueView value, const Attribute& attribute);

[[nodiscard]] std::string EncodeText(std::string_view text);
[[nodiscard]] std::string EncodeNumber(const value::Number& number);
[[nodiscard]] std::string EncodeInteger(std::int64_t integer);

// Of kN.
[[nodiscard]] value::Number DecodeNumber(value::ValueView value);

}  // namespace trestle::design
