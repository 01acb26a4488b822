#include <utility>

#include "design/arguments.h"
#include "design/children.h"
#include "design/condition.h"
#include "design/query_run.h"
#include "design/recognise.h"
#include "design/runtime_internal.h"
#include "design/stored_item.h"
#include "design/visit_children_internal.h"

namespace trestle::design {
namespace {

// All children, whatever people are shown of them, in no order that needs all in memory, and the
// latest where a back end can tell.
Query WithoutChoice(const Query& query) {
  Query all = query;
  all.filter.reset();
  all.sort.reset();
  all.match.reset();
  all.limit.reset();
  all.is_consistent = all.index == nullptr;
  return all;
}

}  // namespace

Status VisitChildren(RuntimeState& state, const Relation& relation, const Record& parent,
                     const ChildVisitor& visit) {
  const Access* through = relation.through;
  const auto* query = through == nullptr ? nullptr : std::get_if<Query>(&through->action);
  if (query == nullptr) return Ok();
  const Query all = WithoutChoice(*query);
  const Record arguments =
      TRY(CheckArguments(state.model, *through, ChildArguments(relation, parent)));
  const QueryPlace place{.model = state.model,
                         .backend = state.backend,
                         .table = state.table,
                         .now_unix_ms = state.clock.NowUnixMs()};
  PageOptions options;
  do {
    TypedPage page = TRY(RunQuery(place, *through, all, arguments, options));
    for (TypedItem& found : page.items) {
      if (!IsChildOf(relation, parent, found)) continue;
      const value::Item key = TRY(KeyOf(state.model, *relation.child, found.record));
      if (found.kind.mirror != nullptr) {
        const auto item =
            TRY(state.backend.Get({.table = state.table, .key = key, .is_consistent = true}));
        auto typed = item ? Recognise(state.model, item->view()) : std::nullopt;
        if (!typed) continue;
        found = *std::move(typed);
      }
      const bool is_child = IsChildOf(relation, parent, found) &&
                            Holds(relation.when, found.record, relation.child->attributes);
      if (is_child) TRY(visit(key, found));
    }
    options.cursor = std::move(page.cursor);
  } while (!options.cursor.empty());
  return Ok();
}

}  // namespace trestle::design
