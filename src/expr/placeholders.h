#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "value/item.h"

namespace trestle::expr {

// ExpressionAttributeNames and ExpressionAttributeValues of one request, and which of them its
// expressions used. All expressions of the request are parsed against the same object; then
// CheckAllUsed refuses what none of them named.
class Placeholders {
 public:
  struct Entry {
    std::string key;
    std::string text;
    bool is_used = false;
  };
  using Entries = std::vector<Entry>;

  // Names map "#n" to an attribute name, values map ":v" to one encoded value (value/item.h). Of
  // entries with the same key the last one counts.
  Placeholders() = default;
  Placeholders(Entries names, Entries values);

  // The entries of a map.
  template <typename Map>
  [[nodiscard]] static Entries EntriesOf(const Map& map) {
    Entries entries;
    entries.reserve(map.size());
    for (const auto& [key, text] : map)
      entries.push_back({.key = key, .text = text});
    return entries;
  }

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
  Entries names_;  // in order of their keys, each once
  Entries values_;
};

}  // namespace trestle::expr
