#pragma once

#include <cstddef>
#include <vector>

#include "base/result.h"
#include "design/model.h"
#include "design/query_run.h"
#include "design/record.h"
#include "design/runtime.h"

namespace trestle::design {

// What `through` is asked for a parent's children: a parameter has the name of the child's link, of
// the parent's attribute that it equals, or of another attribute of the parent.
[[nodiscard]] Record ChildArguments(const Relation& relation, const Record& parent);

// Whether a found child, or a mirror of one, belongs to the parent: `through` may find others too.
[[nodiscard]] bool IsChildOf(const Relation& relation, const Record& parent,
                             const TypedItem& found);

// The first `children_max` of a parent's children, as `through` finds them; none when there is no
// `through`. An index may not know the latest.
[[nodiscard]] Result<std::vector<TypedItem>> FindChildren(const QueryPlace& place,
                                                          const Relation& relation,
                                                          const Record& parent,
                                                          std::size_t children_max);

}  // namespace trestle::design
