#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/runtime.h"

// Brings a table of another shape into a design: its items are read, turned into entities by a map,
// and written through the design; then its stream is followed until nothing is left of it.

namespace trestle::design {

// How items of the other table become items of an entity. A value is that of an attribute, also
// inside maps: "info.title".
struct AdoptRule {
  const Entity* entity = nullptr;
  std::vector<std::pair<Path, std::string>> when;  // an attribute has this encoded value
  std::vector<std::pair<Path, Path>> attributes;   // of the entity, from the other table's
};

// In the order in which entities must be there: parents first.
using AdoptMap = std::vector<AdoptRule>;

// Reads a map:
//
//   [{"entity": "Movie", "when": {"type": "movie"}, "attributes": {"movieId": "id", "title":
//   "name"}}]
//
// `when` may be left out. kValidation says what is wrong.
[[nodiscard]] Result<AdoptMap> ParseAdoptMap(const Model& model, std::string_view json);

struct AdoptOptions {
  std::string from;  // the other table, on the same back end
  // An item that does not fit, and why.
  std::function<void(const std::string& item, const std::string& why)> report;
};

struct AdoptReport {
  std::uint64_t read = 0;       // items of the other table, when compared
  std::uint64_t unmapped = 0;   // of them, those that no rule is about
  std::uint64_t refused = 0;    // those that the design refuses
  std::uint64_t followed = 0;   // changes that came meanwhile
  std::uint64_t differing = 0;  // items that are not in the design as they are in the other table
};

// Begins where an earlier call for the same table stopped: a second one only follows what came
// since. Everything may be done twice. The other table needs a stream with both images; it is not
// changed. kTrimmedDataAccess when the last call is longer ago than the stream is kept.
[[nodiscard]] Result<AdoptReport> Adopt(Runtime& runtime, const AdoptMap& map,
                                        const AdoptOptions& options);

}  // namespace trestle::design
