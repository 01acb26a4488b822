#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "design/model.h"
#include "design/values.h"
#include "text/regex.h"
#include "value/item.h"

// One value against its type, for validate.cc.

namespace trestle::design {

class Failures {
 public:
  // `code` is for programs: "required", "range", "type", "format", "enum", "pattern",
  // "unknown-field", "read-only", "immutable" or "not-allowed".
  void Add(std::string field, std::string message, std::string_view code) {
    list_.push_back({std::move(field), std::move(message), std::string(code)});
  }
  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::vector<FieldFailure>& list() { return list_; }
  [[nodiscard]] std::size_t size() const { return list_.size(); }
  // "title must have 1 to 300 characters; price must be a number"
  [[nodiscard]] Error ToError() &&;

 private:
  std::vector<FieldFailure> list_;
};

struct ValueCheck {
  const std::map<const Attribute*, text::Regex>& patterns;
  const std::string& separator;
  const ValueSources& sources;  // for the defaults inside maps
  Failures& failures;

  // The value as it is stored, or nothing when it failed. `field` is what the caller calls it.
  [[nodiscard]] std::optional<std::string> Check(value::ValueView value, const Attribute& attribute,
                                                 const std::string& field) const;
  [[nodiscard]] std::optional<std::string> Check(value::ValueView value, const ValueType& type,
                                                 const std::string& field) const;

  // A map of the attributes' defaults over `given`, which may be nothing; unknown names fail.
  [[nodiscard]] std::optional<std::string> CheckMap(const std::optional<value::ValueView>& given,
                                                    const ValueType& type,
                                                    const std::string& field) const;

  // What an attribute is when it is not given: its default or constant; for a map that must be
  // there, the map of its members' defaults; else nothing.
  [[nodiscard]] std::optional<std::string> Default(const Attribute& attribute,
                                                   const std::string& field) const;
};

}  // namespace trestle::design
