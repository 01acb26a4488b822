#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "value/item.h"

namespace trestle::value {

// One step into a document: a map's attribute name, or a list's index.
using PathElement = std::variant<std::string, std::size_t>;

// Where a value is inside an item: an attribute name, then steps into it.
// The first element is always a name.
struct DocumentPath {
  std::vector<PathElement> elements;

  [[nodiscard]] const std::string& attribute() const { return std::get<std::string>(elements[0]); }
  [[nodiscard]] bool IsTopLevel() const { return elements.size() == 1; }

  friend bool operator==(const DocumentPath&, const DocumentPath&) = default;
};

// "[a, b, [3]]", as the service's error texts print a path.
[[nodiscard]] std::string PathText(const DocumentPath& path);

[[nodiscard]] std::optional<ValueView> Resolve(ItemView item, const DocumentPath& path);

}  // namespace trestle::value
