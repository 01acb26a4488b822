#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "design/runtime.h"

namespace trestle::platform::search {

// How much a word counts, by where it stands.
enum class FieldRank : std::uint8_t { kTitle, kPeople, kTags, kText };

struct Field {
  std::string name;  // as highlights call it
  FieldRank rank = FieldRank::kText;
  std::string text;  // plain text as people write it

  friend bool operator==(const Field&, const Field&) = default;
};

// An exact value that a query can ask for: {"genre", "Fantasy"}. Values are compared without regard
// to case and accents.
struct Facet {
  std::string name;
  std::string value;

  friend bool operator==(const Facet&, const Facet&) = default;
};

struct SortValue {
  std::string order;  // one of IndexOptions::orders
  double value = 0;

  friend bool operator==(const SortValue&, const SortValue&) = default;
};

// What can be found.
struct Document {
  std::string id;    // the feed makes it from the item's key
  std::string type;  // what `?type=` calls it
  // Who may see it: any words that the app also gives for a caller (Query::may_see), such as
  // "public", "user:<sub>" or "library:<owner>/<id>". None: nobody.
  std::vector<std::string> visible_to;
  std::vector<Field> fields;
  std::vector<Facet> facets;
  std::vector<SortValue> sort_values;  // 0 in the orders that it does not name
  std::string payload;                 // the app's own: what it fetches the entity by

  friend bool operator==(const Document&, const Document&) = default;
};

// What an item is to the index, without its id; nothing when it cannot be found.
using Describe = std::function<std::optional<Document>(const design::TypedItem& item)>;

}  // namespace trestle::platform::search
