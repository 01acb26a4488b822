#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/result.h"
#include "value/item.h"

namespace trestle::expr {

// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its
// expressions used. All expressions of the request are parsed against the same object; then
// CheckAllUsed refuses what none of them named.
class Placeholders {
 public:
  // Names map "#n" to an attribute name, values map ":v" to one encoded value (value/item.h).
  Placeholders() = default;
  Placeholders(std::map<std::string, std::string, std::less<>> names,
               std::map<std::string, std::string, std::less<>> values);

  // The attribute name behind "#n", or null. Marks it as used.
  [[nodiscard]] const std::string* FindName(std::string_view placeholder);
  // The encoded value behind ":v", or null. Marks it as used.
  [[nodiscard]] const std::string* FindValue(std::string_view placeholder);

  [[nodiscard]] bool has_names() const { return !names_.empty(); }
  [[nodiscard]] bool has_values() const { return !values_.empty(); }

  // The keys themselves must look like "#n" and ":v", and all of it must fit in 2 MB.
  [[nodiscard]] Status CheckSyntax() const;

  // "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}".
  [[nodiscard]] Status CheckAllUsed() const;

 private:
  std::map<std::string, std::string, std::less<>> names_;
  std::map<std::string, std::string, std::less<>> values_;
  std::set<std::string, std::less<>> used_names_;
  std::set<std::string, std::less<>> used_values_;
};

}  // namespace trestle::expr
