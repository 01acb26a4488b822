#pragma once

#include <functional>

#include "base/result.h"
#include "design/model.h"
#include "design/record.h"
#include "design/runtime.h"

namespace trestle::design {

// Every child of a parent that the relation's `through` finds (children.h), a page at a time. Where
// that finds mirrors, the items that they follow are visited. A child may be changed or deleted
// while it is visited; one that moves may be visited twice. An index may not know the latest.
using ChildVisitor = std::function<Status(const value::Item& key, const TypedItem& child)>;
[[nodiscard]] Status VisitChildren(RuntimeState& state, const Relation& relation,
                                   const Record& parent, const ChildVisitor& visit);

}  // namespace trestle::design
